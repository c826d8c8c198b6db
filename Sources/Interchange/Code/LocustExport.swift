package import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Exports endpoints and runs as a locustfile, for load tests on many machines.
package enum LocustExport: ExportFormat {
    package static let name = "locust"
    package static let title = "a locustfile"
    package static let fileExtension = "py"
    package static let isProgram = true
    package static let keys = PythonStep.keys

    package static func text(of source: ExportSource) throws(Diagnostic) -> String { try Locustfile(source).text }

    package static func notes(of source: ExportSource) throws(Diagnostic) -> [String] { try Locustfile(source).notes }
}

/// A locustfile with a user class.
private struct Locustfile {
    private let source: ExportSource
    private var steps: [PythonStep]
    /// The number of steps that run once for each user.
    private var startCount = 0
    private var general: [String] = []

    private var isChain: Bool { source.run?.definition.kind == .chain }

    init(_ source: ExportSource) throws(Diagnostic) {
        self.source = source
        let isBatch = source.run.map { $0.definition.kind == .batch } ?? false
        steps = try PythonStep.steps(of: source, merging: isBatch, notes: Self.notes)
        if let start = source.run?.start {
            guard isChain, let index = source.items.firstIndex(where: { $0.name == start }) else {
                throw Diagnostic(
                    source.run?.definition.location ?? SourceLocation(file: source.name),
                    "there is no step \(start) of a chain; the start is a step of it")
            }
            startCount = index + 1
        }
        let cookies = Set(source.items.map(\.request.options.usesCookies))
        if cookies.count == 2 { general.append("cookies are sent with all requests, also with those that disable them") }
        let hidden = PythonRows.hiddenColumns(of: source)
        if !hidden.isEmpty {
            general.append("the values of the columns \(hidden.joined(separator: ", ")) are not written; set SORTIE_DATA to the file")
        }
        if source.run?.definition.kind == .batch { general.append("the steps of the batch are tasks, which each user chooses at random by weight") }
    }

    private static func notes(of item: ExportSource.Item) -> [String] {
        let options = item.request.options
        var notes: [String] = []
        if options.version == .http2 { notes.append("Locust uses HTTP/1.1") }
        if options.trust.minimumTLS != .usual { notes.append("the minimum version of TLS is that of the system") }
        if options.trust.clientKeyPassphrase != nil { notes.append("the client of Locust cannot use a key with a passphrase") }
        if options.maximumRedirects > 0, options.maximumRedirects != 20 { notes.append("up to 30 redirects are followed") }
        if Set(item.request.headers.fields.map { $0.name.lowercased() }).count < item.request.headers.fields.count {
            notes.append("header fields of the same name are joined by commas")
        }
        return notes
    }

    var notes: [String] { general + steps.flatMap { step in step.notes.map { "\(step.title): \($0)" } } }

    private var origin: String { source.items.first?.request.url.origin ?? "http://localhost" }

    var text: String {
        let user = userClass
        let variables = source.programVariables
        var body = PythonRows.text(of: source) + PythonRuntime.checks + Self.base + user
        if !variables.isEmpty { body += PythonRuntime.environment }
        var text = "# \(ShellQuote.comment(source.name)): exported by sortie for Locust 2 (pip install locust).\n"
        text += "# locust -f FILE --headless --users 10 --spawn-rate 2 --run-time 30s\n"
        if !variables.isEmpty { text += "# Set before, also for workers: \(variables.joined(separator: " "))\n" }
        text += "# SORTIE_WAIT is the pause of a user between two tasks in seconds; --host replaces the server.\n"
        text += general.map { "# Note: \(ShellQuote.comment($0)).\n" }.joined()
        text += PythonImports.text(for: body, client: "locust").replacing("import locust\n", with: "from locust import HttpUser, constant, task\n")
        if body.contains("HTTPDigestAuth") { text += "from requests.auth import HTTPDigestAuth\n" }
        if body.contains("SKIP_HEADER") { text += "from urllib3.util import SKIP_HEADER\n" }
        if startCount > 0 { text += "from locust.exception import StopUser\n" }
        text += "\n" + PythonRows.text(of: source) + "\n\n"
        if !variables.isEmpty {
            text += PythonRuntime.environment
            text += "for name in [\(variables.map(PythonText.string).joined(separator: ", "))]:\n    env(name)\n\n\n"
        }
        if user.contains("joined(") { text += Self.joined }
        return text + PythonRuntime.checks + Self.base + user
    }

    private static let joined = #"""
        def joined(*values):
            """Values of header fields of the same name as one value."""
            return b", ".join(value if isinstance(value, bytes) else value.encode() for value in values)


        """#

    /// The base class of the users.
    private static let base = #"""
        class Steps(HttpUser):
            """A user whose requests fail where a response differs from the expectations."""

            abstract = True
            rows = 0

            def start_values(self):
                """The variables of one repetition, with the next row of the data."""
                values = dict(VARIABLES)
                rows = globals().get("ROWS")
                if rows:
                    # The users of this process share one counter; each worker begins at another row.
                    worker = max(getattr(self.environment.runner, "worker_index", 0) or 0, 0)
                    values.update(rows[(worker + Steps.rows) % len(rows)])
                    Steps.rows += 1
                return values

            def send(self, name, method, url, values, checks, captures, **options):
                with self.client.request(method, url, name=name, catch_response=True, **options) as response:
                    if not response.status_code:
                        response.failure(str(response.error))
                        return False
                    seconds = response.request_meta["response_time"] / 1000
                    problems = failures(response, checks, seconds) or captured(response, captures, values)
                    if problems:
                        response.failure("; ".join(problems))
                        return False
                    response.success()
                    return True


        """#

    private var userClass: String {
        var names = CodeNames(reserved: PythonText.reserved)
        var lines = [
            "class \(names.name(for: source.name, .type))(Steps):",
            "    host = \(PythonText.expression(origin, source.items.first?.placeholders ?? .random()))",
        ]
        lines.append("    wait_time = constant(float(os.environ.get(\"SORTIE_WAIT\", \"0\")))")
        let usesCookies = source.items.contains { $0.request.options.usesCookies }
        if startCount > 0 || !usesCookies {
            lines += ["", "    def on_start(self):"]
            if !usesCookies { lines.append("        self.client.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))") }
            if startCount > 0 {
                lines += ["        self.shared = self.start_values()", "        for step in (\(calls(steps.prefix(startCount)))):"]
                lines += ["            if not step(self.shared):", "                raise StopUser()"]
            }
        }
        if isChain {
            lines += ["", "    @task", "    def chain(self):"]
            lines.append(startCount > 0 ? "        values = {**self.shared, **self.start_values()}" : "        values = self.start_values()")
            lines += ["        for step in (\(calls(steps.dropFirst(startCount)))):", "            if not step(values):", "                return"]
        }
        for step in steps { lines += [""] + method(step) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func calls(_ steps: ArraySlice<PythonStep>) -> String { steps.map { "self.\($0.function)," }.joined(separator: " ") }

    private func method(_ step: PythonStep) -> [String] {
        let item = step.request.item
        var lines: [String] = isChain ? [] : ["    @task(\(step.weight))"]
        lines.append(isChain ? "    def \(step.function)(self, values):" : "    def \(step.function)(self):")
        lines.append("        \"\"\"\(PythonImports.documentation(item))\"\"\"")
        lines += step.notes.map { "        # Not exported: \(ShellQuote.comment($0))." }
        if !isChain { lines.append("        values = self.start_values()") }
        let (options, opens) = options(of: step)
        var indentation = "        "
        if let start = step.loopStart {
            lines.append(indentation + start)
            indentation += "    "
        }
        if opens {
            lines.append("\(indentation)with contextlib.ExitStack() as stack:")
            indentation += "    "
        }
        // The first failure ends a chain; the requests of a batch are independent.
        let call = step.loop == nil ? "return self.send(" : isChain ? "if not self.send(" : "self.send("
        lines.append(indentation + call)
        var arguments = [PythonText.string(step.title), PythonText.string(item.request.method.rawValue), step.request.url(without: origin), "values"]
        arguments += [step.checkList(indentation + "    "), step.captureList]
        lines += (arguments + options).map { "\(indentation)    \($0)," }
        if step.loop != nil, isChain {
            lines += ["\(indentation)):", "\(indentation)    return False", "        return True"]
        } else {
            lines.append("\(indentation))")
        }
        return lines
    }

    /// The arguments for `requests`, and whether they open files.
    private func options(of step: PythonStep) -> (arguments: [String], opens: Bool) {
        let (request, item) = (step.request, step.request.item)
        let options = item.request.options
        var arguments: [String] = []
        var fields: [(name: String, value: String)] = []
        for field in request.headers {
            if let index = fields.firstIndex(where: { $0.name.lowercased() == field.name.lowercased() }) {
                fields[index].value = "joined(\(fields[index].value), \(field.value))"
            } else {
                fields.append(field)
            }
        }
        for name in request.unwanted {
            let skips = name == "accept-encoding" || name == "user-agent"
            fields.append((PythonText.string(name), skips ? "SKIP_HEADER" : "None"))
        }
        if !fields.isEmpty { arguments.append("headers={" + fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + "}") }
        let body = request.body.argument("data")
        if let text = body.text { arguments.append(text) }
        switch item.auth {
        case .none, .inherit, .bearer, .oauth2, .awsSigV4, .jwt, .ntlm, .negotiate, .apiKey, .signature: break
        case .basic(let user, let password):
            arguments.append("auth=(\(PythonText.encoded(user, item.placeholders)), \(PythonText.encoded(password, item.placeholders)))")
        case .digest(let user, let password):
            let (user, password) = (PythonText.expression(user, item.placeholders), PythonText.expression(password, item.placeholders))
            arguments.append("auth=HTTPDigestAuth(\(user), \(password))")
        }
        arguments.append("allow_redirects=\(options.maximumRedirects > 0 ? "True" : "False")")
        arguments.append("timeout=(\(PythonRequest.seconds(options.timeouts.connect)), \(PythonRequest.seconds(options.timeouts.idle)))")
        if options.trust.isInsecure {
            arguments.append("verify=False")
        } else if let file = options.trust.certificateAuthorityFile {
            arguments.append("verify=\(PythonText.string(file))")
        }
        if let file = options.trust.clientCertificateFile {
            arguments.append("cert=(\(PythonText.string(file)), \(PythonText.string(options.trust.clientKeyFile ?? file)))")
        }
        if let proxy = request.proxy { arguments.append("proxies={\"http\": \(proxy), \"https\": \(proxy)}") }
        return (arguments, body.opens)
    }
}
