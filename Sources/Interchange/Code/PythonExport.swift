package import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Exports requests as a Python program that uses httpx.
package enum PythonExport: ExportFormat {
    package static let name = "python"
    package static let title = "Python with httpx"
    package static let fileExtension = "py"
    package static let isProgram = true
    package static let keys = PythonStep.keys

    package static func text(of source: ExportSource) throws(Diagnostic) -> String { try PythonModule(source).text }

    package static func notes(of source: ExportSource) throws(Diagnostic) -> [String] { try PythonModule(source).notes }
}

/// A Python program with a function for each request.
private struct PythonModule {
    private let source: ExportSource
    private let steps: [PythonStep]

    init(_ source: ExportSource) throws(Diagnostic) {
        self.source = source
        steps = try PythonStep.steps(of: source, notes: Self.notes)
    }

    private static func notes(of item: ExportSource.Item) -> [String] {
        var notes: [String] = []
        if item.request.options.version == .http2 { notes.append("HTTP/2 needs httpx[http2]") }
        if item.request.options.proxy?.scheme.rawValue.hasPrefix("socks") == true { notes.append("a SOCKS proxy needs httpx[socks]") }
        return notes
    }

    var notes: [String] { steps.flatMap { step in step.notes.map { "\(step.title): \($0)" } } }

    private var hasChecks: Bool { steps.contains { !$0.checks.checks.isEmpty || !$0.checks.captures.isEmpty } }

    private var sharesCookies: Bool { steps.contains { $0.request.request.options.usesCookies } }

    var text: String {
        let functions = steps.map(Self.function)
        let body = (functions.joined(separator: "\n\n") + "\n\n" + main) + (hasChecks ? PythonRuntime.checks : "")
        var text = "# \(ShellQuote.comment(source.name)): exported by sortie, for Python 3.9 or later and httpx 0.28 (pip install httpx).\n"
        let variables = source.programVariables
        if !variables.isEmpty { text += "# Set before: \(variables.joined(separator: " "))\n" }
        text += PythonImports.text(for: body + (variables.isEmpty ? "" : PythonRuntime.environment), client: "httpx") + "\n"
        if usesValues { text += PythonRows.text(of: source) }
        if sharesCookies { text += "# The cookies of all requests.\ncookies = CookieJar()\n" }
        if steps.contains(where: { !$0.request.request.options.usesCookies }) {
            text += "no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))\n"
        }
        text += "\n\n"
        if !variables.isEmpty { text += PythonRuntime.environment }
        if hasChecks { text += PythonRuntime.checks }
        return text + functions.joined(separator: "\n\n") + "\n\n" + main
    }

    private var usesValues: Bool { hasChecks || source.run?.rows != nil || !source.variables.isEmpty }

    private static func function(_ step: PythonStep) -> String {
        let (request, item) = (step.request, step.request.item)
        let options = item.request.options
        var lines = ["def \(step.function)(values):", "    \"\"\"\(PythonImports.documentation(item))\"\"\""]
        lines += step.notes.map { "    # Not exported: \(ShellQuote.comment($0))." }
        let isTLS = options.trust.certificateAuthorityFile != nil || options.trust.clientCertificateFile != nil || options.trust.minimumTLS != .usual
        if isTLS { lines += tls(options.trust, item.placeholders) }
        var arguments = [
            "trust_env=False",
            "timeout=httpx.Timeout(\(PythonRequest.seconds(options.timeouts.idle)), connect=\(PythonRequest.seconds(options.timeouts.connect)))",
        ]
        if options.maximumRedirects > 0 { arguments.append("follow_redirects=True") }
        if options.maximumRedirects > 0, options.maximumRedirects != 20 { arguments.append("max_redirects=\(options.maximumRedirects)") }
        if isTLS { arguments.append("verify=tls") } else if options.trust.isInsecure { arguments.append("verify=False") }
        if options.version == .http2 { arguments.append(item.request.url.scheme == .https ? "http2=True" : "http1=False, http2=True") }
        if let proxy = request.proxy { arguments.append("proxy=\(proxy)") }
        arguments.append(options.usesCookies ? "cookies=cookies" : "cookies=no_cookies")
        let body = request.body.argument("content")
        var call = [PythonText.string(item.request.method.rawValue), request.url()]
        if !request.headers.isEmpty { call.append("headers=[" + request.headers.map { "(\($0.name), \($0.value))" }.joined(separator: ", ") + "]") }
        if let text = body.text { call.append(text) }
        switch item.auth {
        case .none, .inherit, .bearer, .oauth2, .awsSigV4, .jwt, .ntlm, .negotiate, .apiKey, .signature: break
        case .basic(let user, let password):
            call.append("auth=httpx.BasicAuth(\(expression(user, item)), \(expression(password, item)))")
        case .digest(let user, let password):
            call.append("auth=httpx.DigestAuth(\(expression(user, item)), \(expression(password, item)))")
        }
        let stack = body.opens ? "contextlib.ExitStack() as stack, " : ""
        lines.append("    with \(stack)httpx.Client(\(arguments.joined(separator: ", "))) as client:")
        lines += request.unwanted.map { "        client.headers.pop(\"\($0)\", None)" }
        lines.append("        return client.request(")
        lines += call.map { "            \($0)," }
        lines.append("        )")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func expression(_ text: String, _ item: ExportSource.Item) -> String { PythonText.expression(text, item.placeholders) }

    private static func tls(_ trust: TrustPolicy, _ placeholders: ExportPlaceholder) -> [String] {
        let authority = trust.certificateAuthorityFile.map { "cafile=\(PythonText.string($0))" } ?? ""
        var lines = ["    tls = ssl.create_default_context(\(authority))"]
        if let certificate = trust.clientCertificateFile {
            let key = trust.clientKeyFile.map(PythonText.string) ?? "None"
            let passphrase = trust.clientKeyPassphrase.map { ", " + PythonText.expression($0, placeholders) } ?? ""
            lines.append("    tls.load_cert_chain(\(PythonText.string(certificate)), \(key)\(passphrase))")
        }
        if trust.minimumTLS != .usual {
            lines.append(
                "    tls.minimum_version = ssl.TLSVersion.TLSv\(trust.minimumTLS.rawValue.replacing(".", with: "_").replacing("1_0", with: "1"))")
        }
        if trust.isInsecure { lines += ["    tls.check_hostname = False", "    tls.verify_mode = ssl.CERT_NONE"] }
        return lines
    }

    /// Sends the requests in order, and prints what differs from the expectations.
    private var main: String {
        var lines = ["def main():"]
        var indentation = "    "
        if usesValues { lines.append("    failed = False") }
        if source.run?.rows != nil {
            lines += ["    for row in ROWS:", "        values = {**VARIABLES, **row}"]
            indentation += "    "
        } else {
            lines.append("    values = \(usesValues ? "dict(VARIABLES)" : "{}")")
        }
        let isChain = source.run?.definition.kind == .chain
        let ofRow = indentation
        // Without items, a step is not sent.
        for step in steps where step.loop?.items.isEmpty != true {
            indentation = ofRow
            if let start = step.loopStart {
                lines.append(indentation + start)
                indentation += "    "
            }
            lines.append("\(indentation)response = \(step.function)(values)")
            lines.append("\(indentation)print(\(PythonText.string(step.title)), response.status_code)")
            guard hasChecks else {
                lines.append("\(indentation)print(response.text)")
                continue
            }
            lines.append("\(indentation)checks = \(step.checkList(indentation))")
            lines.append(
                "\(indentation)problems = failures(response, checks, response.elapsed.total_seconds()) + captured(response, \(step.captureList), values)"
            )
            lines.append("\(indentation)for problem in problems:")
            lines.append("\(indentation)    print(\" \", problem)")
            if isChain, step.loop != nil, source.run?.rows != nil {
                // The next row follows the first failure.
                lines.append("\(indentation)if problems:\n\(indentation)    break")
                indentation = ofRow
            }
            if isChain {
                lines.append("\(indentation)if problems:")
                lines.append(source.run?.rows != nil ? "\(indentation)    failed = True\n\(indentation)    continue" : "\(indentation)    return 1")
            } else {
                lines.append("\(indentation)failed = failed or bool(problems)")
            }
        }
        lines.append(usesValues ? "    return 1 if failed else 0" : "    return 0")
        return lines.joined(separator: "\n") + "\n\n\nif __name__ == \"__main__\":\n    raise SystemExit(main())\n"
    }
}
