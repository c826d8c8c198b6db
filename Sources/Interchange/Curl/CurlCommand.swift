internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// A curl command line that sends a request as Sortie does.
struct CurlCommand {
    private let item: ExportSource.Item
    private let workspace: Workspace
    /// The options with their values, one on each line of a long command.
    private var options: [[String]] = []
    /// The bytes of the body where they are piped to curl.
    private var piped: [UInt8]?
    /// How the values of variables are written in the body.
    private var bodyEncoding = ShellEncoding.plain
    /// Whether the user information of the proxy has variables.
    private var hasProxyVariables = false

    private var request: Request { item.request }

    /// Creates the command.
    ///
    /// - Throws: A diagnostic for a part of a body that curl's options cannot express.
    init(_ item: ExportSource.Item, in workspace: Workspace) throws(Diagnostic) {
        (self.item, self.workspace) = (item, workspace)
        bodyEncoding = Self.encoding(ofBody: item)
        try addBody()
        addMethod()
        addFields()
        addCredentials()
        addOptions()
        addConnection()
    }

    /// The names of the environment variables in the command.
    var variables: [String] {
        texts.map { $0.text }.flatMap(item.placeholders.pieces).compactMap { piece in
            if case .variable(let name) = piece { name } else { nil }
        }
    }

    /// The functions of the shell in the command.
    var functions: Set<ShellEncoding> {
        Set(
            texts.flatMap { text, encoding, raw in
                let pieces = item.placeholders.pieces(of: text)
                return encoding.encodings(of: pieces, raw: raw)
            })
    }

    /// The texts of the command with the notation of their values.
    private var texts: [(text: String, encoding: ShellEncoding, raw: Set<String>)] {
        let body = piped.flatMap { String(validating: $0, as: UTF8.self) } ?? ""
        var texts: [(text: String, encoding: ShellEncoding, raw: Set<String>)] = []
        for option in options {
            for word in option { texts.append((word, encoding(of: option), rawVariables(of: option))) }
        }
        texts.append((request.url.origin, .plain, []))
        texts.append((request.url.requestTarget, .url, rawInURL))
        texts.append((body, bodyEncoding, rawInBody))
        return texts
    }

    private func encoding(of option: [String]) -> ShellEncoding {
        switch option.first {
        case "--data-raw": bodyEncoding
        case "-F": .part
        case "-x": hasProxyVariables ? .url : .plain
        default: .plain
        }
    }

    private func rawVariables(of option: [String]) -> Set<String> { option.first == "--data-raw" ? rawInBody : [] }

    /// The command, over several lines where it is long.
    var text: String {
        let placeholders = item.placeholders
        let options = options.map { option in
            option.map { ShellQuote.word($0, placeholders, as: encoding(of: option), raw: rawVariables(of: option)) }.joined(separator: " ")
        }
        let words = options + [urlWord]
        let line = "curl " + words.joined(separator: " ")
        let command = line.count <= 100 || line.contains("\n") && words.count == 1 ? line : "curl " + words.joined(separator: " \\\n  ")
        guard let piped else { return command }
        return "printf \(ShellQuote.printfArguments(piped, placeholders, as: bodyEncoding, raw: rawInBody)) | \(command)"
    }

    private var urlWord: String {
        let placeholders = item.placeholders
        // A host is not percent-encoded.
        guard placeholders.pieces(of: request.url.origin) != [.text(request.url.origin)] else {
            return ShellQuote.word(url, placeholders, as: .url, raw: rawInURL)
        }
        let target = ShellQuote.word(request.url.requestTarget, placeholders, as: .url, raw: rawInURL)
        return ShellQuote.word(request.url.origin, placeholders) + target
    }

    private var url: String { request.url.origin + request.url.requestTarget }

    private mutating func add(_ words: String...) { options.append(words) }

    // MARK: Values

    /// The notation of the values in a body.
    private static func encoding(ofBody item: ExportSource.Item) -> ShellEncoding {
        switch item.endpoint.body {
        case .file, .multipart: return .plain
        case .json, .graphQL: return .json
        // The parameters of a query may be the body.
        case .form, .none: return .form
        case .plist: return .xml
        case .text:
            // Sortie does not change values in a text, but a masked value of a recorded body is a part of its notation.
            guard item.exchange != nil else { return .plain }
            let type = (item.request.headers["Content-Type"] ?? item.request.body.contentType ?? "").lowercased()
            if type.contains("json") { return .json }
            if type.contains("urlencoded") { return .form }
            return type.contains("xml") || type.contains("plist") ? .xml : .plain
        }
    }

    /// The variables that the path inserts unchanged.
    private var rawInURL: Set<String> { rawVariables(in: [item.endpoint.path]) }

    /// The variables that the body inserts unchanged.
    private var rawInBody: Set<String> {
        switch item.endpoint.body {
        case .json(let text), .plist(let text): rawVariables(in: [text])
        case .graphQL(let graphQL): rawVariables(in: graphQL.texts)
        case .none, .form, .text, .file, .multipart: []
        }
    }

    /// The environment variables of the templates with `|raw`.
    private func rawVariables(in templates: [String]) -> Set<String> {
        Set(
            templates.flatMap { Template($0).segments }.compactMap { segment -> String? in
                switch segment {
                case .variable(let name, isRaw: true):
                    if case .environment(let variable)? = workspace.secrets[name] { variable } else { SecretName.environment(name) }
                case .builtin(name: let name, argument: let argument, isRaw: true):
                    name.hasPrefix("env.")
                        ? String(name.dropFirst("env.".count)) : PromptQuestion(name, argument).map { SecretName.environment($0.label) }
                case .text, .unclosed, .variable, .builtin: nil
                }
            })
    }

    /// What the command does not do as Sortie does.
    var notes: [String] {
        func hasVariable(_ text: String) -> Bool { item.placeholders.pieces(of: text).contains { if case .text = $0 { false } else { true } } }
        var notes: [String] = []
        if request.options.timeouts.$idle != nil { notes.append("the limit of the time without a byte (timeout: idle)") }
        if request.options.retry?.parksWhenOffline == true { notes.append("the request is not kept while there is no network") }
        let trust = request.options.trust
        if !trust.pinFiles.isEmpty || trust.pinScope != .leaf || trust.pinsExpire != nil {
            notes.append("the pinned files, pinScope: and pinsExpire:")
        }
        let charset = workspace.parameterStyle(of: item.endpoint).parameterCharset
        let isForm = bodyEncoding == .form && texts.contains { $0.encoding == .form && hasVariable($0.text) }
        if charset != .utf8, isForm || hasVariable(request.url.requestTarget) {
            notes.append("the values of variables in parameters are sent in UTF-8 instead of the charset of the parameters")
        }
        if case .graphQL(let graphQL) = item.endpoint.body, !Template(graphQL.query).isPlain || request.method == .get && !isPlain(graphQL),
            texts.contains(where: { hasVariable($0.text) })
        {
            notes.append("values of variables in the GraphQL request are not escaped for GraphQL")
        }
        return notes
    }

    private func isPlain(_ graphQL: GraphQLTemplate) -> Bool { graphQL.texts.allSatisfy { Template($0).isPlain } }

    // MARK: Message

    private mutating func addMethod() {
        let hasData = options.contains { ["--data-raw", "--data-binary", "-F", "--form-string"].contains($0[0]) }
        let implied: HTTPMethod = hasData ? .post : .get
        if request.method == .head, !hasData {
            options.insert(["-I"], at: 0)
        } else if request.method != implied {
            options.insert(["-X", request.method.rawValue], at: 0)
        }
        if url.contains(where: { "[]{}".contains($0) }) { options.insert(["-g"], at: 0) }
    }

    private func removes(_ name: String) -> Bool { request.options.removedFields.contains(name) }

    private mutating func addFields() {
        for field in request.headers.fields {
            // curl does not send a field whose value is only blanks.
            add("-H", field.value.allSatisfy(\.isWhitespace) ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        let hasType = request.headers.contains("Content-Type")
        let hasData = options.contains { ["--data-raw", "--data-binary"].contains($0[0]) }
        if hasData, !hasType, !removes("content-type") {
            let type = request.body.contentType
            if type == nil {
                add("-H", "Content-Type:")
            } else if type != "application/x-www-form-urlencoded" {
                add("-H", "Content-Type: \(type ?? "")")
            }
        }
        for name in request.options.removedFields.sorted() { add("-H", "\(Self.capitalized(name)):") }
    }

    /// `content-type` as `Content-Type`.
    private static func capitalized(_ name: String) -> String {
        name.split(separator: "-", omittingEmptySubsequences: false).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
    }

    private mutating func addBody() throws(Diagnostic) {
        switch request.body {
        case .none:
            // Sortie sends the length of an empty body with these methods, as RFC 9110 §8.6 requires.
            if [.post, .put, .patch].contains(request.method) { add("--data-raw", "") }
        case .bytes(let bytes, _):
            // A word of a command has neither NUL nor, on Linux, more than 128 KiB; printf also escapes what a terminal would interpret.
            if let text = String(validating: bytes, as: UTF8.self), bytes.count < 100_000, !text.unicodeScalars.contains(where: ShellQuote.isHidden) {
                add("--data-raw", text)
            } else {
                piped = bytes
                add("--data-binary", "@-")
            }
        case .file(let path, _): add("--data-binary", "@\(path)")
        case .multipart(let parts): try addParts(parts)
        }
    }

    private mutating func addParts(_ parts: [RequestBody.Part]) throws(Diagnostic) {
        for part in parts {
            try check(part)
            switch part.content {
            case .bytes(let bytes):
                guard let value = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
                    throw problem("the part \(part.name) is not text without NUL, so that a curl command cannot contain it")
                }
                if part.fileName == nil, part.contentType == nil {
                    add("--form-string", "\(part.name)=\(value)")
                } else {
                    add("-F", "\(part.name)=\(FieldParameters.quoted(value))" + Self.parameters(of: part))
                }
            case .file(let path):
                let mark = part.fileName == nil ? "<" : "@"
                add("-F", "\(part.name)=\(mark)\(FieldParameters.quoted(path))" + Self.parameters(of: part))
            }
        }
    }

    /// Rejects a part whose name or type curl would read as the start of a value, a file to upload or another parameter (curl(1), `--form`).
    private func check(_ part: RequestBody.Part) throws(Diagnostic) {
        guard !part.name.contains("=") else { throw problem("curl cannot send a part whose name contains =: \(part.name)") }
        guard let type = part.contentType else { return }
        let parameters = type.lowercased().split(separator: ";").dropFirst().map { $0.drop(while: \.isWhitespace) }
        let isOption = parameters.contains { parameter in
            ["type=", "filename=", "headers=", "encoder=", "format="].contains { parameter.hasPrefix($0) }
        }
        guard !isOption, !type.contains(",") else {
            throw problem("curl cannot send the part \(part.name) with the type \(type), which contains a comma or a parameter of --form")
        }
    }

    private func problem(_ message: String) -> Diagnostic {
        Diagnostic(item.endpoint.location ?? SourceLocation(file: item.name), "body: \(message)")
    }

    private static func parameters(of part: RequestBody.Part) -> String {
        (part.contentType.flatMap { $0.isEmpty ? nil : ";type=\($0)" } ?? "")
            + (part.fileName.map { ";filename=\(FieldParameters.quoted($0))" } ?? "")
    }

    private mutating func addCredentials() {
        guard !request.headers.contains("Authorization") else { return }
        switch item.auth {
        case .none, .inherit, .oauth2, .jwt, .apiKey, .signature: break
        case .awsSigV4(let credential):
            let scope = "aws:amz:\(credential.region):\(credential.service)"
            options.append(["--aws-sigv4", scope, "-u", "\(credential.accessKey):\(credential.secretKey)"])
            if !credential.sessionToken.isEmpty { add("-H", "X-Amz-Security-Token: \(credential.sessionToken)") }
        case .bearer(let token): add("-H", "Authorization: Bearer \(token)")
        case .basic(let user, let password): add("-u", "\(user):\(password)")
        case .ntlm(let credential):
            options.append([credential.permitsOthers ? "--anyauth" : "--ntlm", "-u", "\(credential.user):\(credential.password)"])
        // curl needs a user, which it ignores.
        case .negotiate: options.append(["--negotiate", "-u", ":"])
        case .digest(let user, let password): options.append(["--digest", "-u", "\(user):\(password)"])
        }
    }

    // MARK: Options

    private mutating func addOptions() {
        let given = request.options
        if given.maximumRedirects > 0 {
            add("-L")
            if given.maximumRedirects != RequestOptions().maximumRedirects { add("--max-redirs", String(given.maximumRedirects)) }
        }
        if given.decompresses { add("--compressed") }
        // Without a file, curl stores cookies between the requests of the command.
        if given.usesCookies { add("-b", "") }
        switch given.version {
        case .automatic: break
        case .http1: add("--http1.1")
        case .http2: add(request.url.scheme == .https ? "--http2" : "--http2-prior-knowledge")
        }
        if given.timeouts.$total != nil, let total = given.timeouts.total { add("-m", Self.seconds(total)) }
        if let connect = given.timeouts.$connect { add("--connect-timeout", Self.seconds(connect)) }
        if let retry = given.retry, retry.limit > 0 { add("--retry", String(retry.limit)) }
        if let interface = given.interface { add("--interface", interface) }
    }

    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        guard rest > 0 else { return String(whole) }
        var digits = rest.padded(to: 3)
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)"
    }

    private mutating func addConnection() {
        let trust = request.options.trust
        if trust.isInsecure { add("-k") }
        if let file = trust.certificateAuthorityFile { add("--cacert", file) }
        if let file = trust.clientCertificateFile { add("--cert", file) }
        if trust.hasPKCS12 { add("--cert-type", "P12") }
        if let file = trust.clientKeyFile { add("--key", file) }
        if let passphrase = trust.clientKeyPassphrase { add("--pass", passphrase) }
        if !trust.pins.isEmpty { add("--pinnedpubkey", trust.pins.joined(separator: ";")) }
        if trust.minimumTLS != .usual { add("--tlsv\(trust.minimumTLS.rawValue)") }
        if let server = request.options.resolution.server { add("--doh-url", server.description) }
        if let addresses = request.options.resolution.configured(for: request.url) {
            let list = (addresses.fixed.isEmpty ? addresses.further : addresses.fixed).map { $0.bracketed }
            if !list.isEmpty { add("--resolve", "\(request.url.host):\(request.url.port):\(list.joined(separator: ","))") }
        }
        if let socket = request.options.unixSocket { add("--unix-socket", socket) }
        if let proxy = request.options.proxy {
            let login = proxy.credentials.map { login in
                "\(PercentEncoding.encode(login.user, allowed: .unreserved)):\(PercentEncoding.encode(login.password, allowed: .unreserved))@"
            }
            hasProxyVariables = login.map { item.placeholders.pieces(of: $0) != [.text($0)] } ?? false
            add("-x", "\(proxy.scheme.rawValue)://\(login ?? "")\(proxy.host):\(proxy.port)")
            // curl compares no ports.
            let exceptions = proxy.exceptions.compactMap { exception -> ProxyException? in
                guard case .port(let port, let hosts) = exception else { return exception }
                return port == request.url.port ? hosts : nil
            }
            if !exceptions.isEmpty { add("--noproxy", exceptions.map { Self.text(of: $0) }.joined(separator: ",")) }
            if let file = proxy.certificateAuthorityFile { add("--proxy-cacert", file) }
            switch proxy.authentication {
            case .basic: break
            case .any: add("--proxy-anyauth")
            // curl takes the user from the ticket, and needs an empty login to begin.
            case .negotiate: add("--proxy-negotiate", "-U", ":")
            case .digest, .ntlm: add("--proxy-\(proxy.authentication.rawValue)")
            }
        }
    }

    /// The notation of an exception, as in `--noproxy`.
    static func text(of exception: ProxyException) -> String {
        switch exception {
        case .all: "*"
        case .domain(let name): name
        case .network(let bytes, let bits):
            (IPAddress(bytes: bytes)?.description ?? "") + (bits == bytes.count * 8 ? "" : "/\(bits)")
        case .port(let port, .network(let bytes, let bits)) where bytes.count == 16: "[\(text(of: .network(bytes, bits: bits)))]:\(port)"
        case .port(let port, let hosts): "\(text(of: hosts)):\(port)"
        }
    }
}
