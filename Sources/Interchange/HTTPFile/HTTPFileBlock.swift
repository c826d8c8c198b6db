internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// One request of a `.http` file that is exported.
struct HTTPFileBlock {
    /// The variables that the request uses, with their values; nil for a value that is not in the export.
    private(set) var variables: [String: String?] = [:]
    /// The variables that the response sets.
    private(set) var captured: [String] = []
    private var item: ExportSource.Item
    private let workspace: Workspace
    private let environment: String?
    private var text = HTTPFileText()
    private var requestLine = ""
    private var fields: [String] = []
    private var body: [String] = []
    private var notes: [String] = []

    private var endpoint: Endpoint { item.endpoint }

    /// Creates the block.
    ///
    /// - Throws: A diagnostic for a body that the format cannot express.
    init(_ item: ExportSource.Item, workspace: Workspace, environment: String?) throws(Diagnostic) {
        (self.item, self.workspace, self.environment) = (item, workspace, environment)
        self.item.endpoint = item.endpointAsSent(in: workspace)
        if case .apiKey(let key) = item.credentials { self.item.endpoint.add(key) }
        let method = endpoint.method.rawValue
        guard HTTPFileSyntax.requestLine("\(method) http://h")?.method == method else {
            let place = endpoint.location ?? SourceLocation(file: item.name)
            throw Diagnostic(place, "method: .http files have only methods of the letters A to Z, - and _, not \(method)")
        }
        addRequestLine()
        addFields()
        try addBody()
        addOptions()
        resolveVariables()
    }

    // MARK: Lines

    /// The lines of the block; the variables of the names in `shared` stand before all requests.
    func lines(except shared: Set<String>) -> [String] {
        let name = endpoint.name.isEmpty ? item.name : endpoint.name
        var lines = ["### " + name.commentLines.joined(separator: " ")]
        for line in (endpoint.summary ?? "").commentLines {
            lines.append("# " + (line.hasPrefix("@") || line.hasPrefix("#") ? "." : "") + line)
        }
        lines += options
        for (name, label) in text.prompts.sorted(by: { $0.key < $1.key }) { lines.append("# @prompt \(name) \(label)") }
        lines += (notes + text.problems).map { "# Not exported: \($0.commentLines.joined(separator: " "))" }
        for name in variables.keys.sorted() where !shared.contains(name) {
            if let value = variables[name] ?? nil { lines.append("@\(name) = \(value)") }
        }
        lines.append(requestLine)
        lines += fields
        if !body.isEmpty { lines += [""] + body }
        if !handler.isEmpty { lines += ["", "> {%"] + handler.map { "    \($0)" } + ["%}"] }
        return lines
    }

    private var options: [String] {
        var lines: [String] = []
        if !endpoint.tags.isEmpty { lines.append("# @tag \(endpoint.tags.joined(separator: ","))") }
        if endpoint.redirects == 0 { lines.append("# @no-redirect") }
        if endpoint.cookies == false { lines.append("# @no-cookie-jar") }
        if let limits = endpoint.timeouts {
            if limits.$total != nil, let total = limits.total { lines.append("# @timeout \(total.milliseconds) ms") }
            if let connect = limits.$connect { lines.append("# @connection-timeout \(connect.milliseconds) ms") }
        }
        if item.request.options.trust.isInsecure { lines.append("# @no-reject-unauthorized") }
        return lines
    }

    // MARK: Request

    private static let unwritableLogin = "the login, whose name or password has line breaks, or quotes beside blanks"

    private mutating func addRequestLine() {
        var path = endpoint.urlTemplate(in: workspace, environment: environment)
        // The password of a URL is a credential.
        if let login = ImportedURL(path).credentials, let at = path.firstIndex(of: "@"), let start = path.firstRange(of: "://")?.upperBound {
            path = String(path[..<start]) + path[path.index(after: at)...]
            if let value = HTTPFileText.login("Basic", user: login.user, password: "{{password}}") {
                fields.append("Authorization: \(value)")
                variables["password"] = .some(nil)
            } else {
                notes.append(Self.unwritableLogin)
            }
        }
        let version = endpoint.version == .http2 ? " HTTP/2" : ""
        requestLine = "\(endpoint.method.rawValue) \(text.text(path))\(version)"
    }

    private mutating func addFields() {
        for row in endpoint.inheritedHeaders(in: workspace) + endpoint.headers {
            let value = text.text(row.value)
            guard !value.contains(where: \.isLineBreak) else {
                notes.append("the field \(row.name), whose value has several lines")
                continue
            }
            fields.append("\(row.isEnabled ? "" : "# ")\(row.name): \(value)")
        }
        if case .graphQL = endpoint.body, !hasField("accept"), let accept = item.request.headers["Accept"] { fields.append("Accept: \(accept)") }
        guard !hasField("authorization") else { return }
        switch item.credentials {
        case .none, .inherit, .apiKey, .signature: break
        case .awsSigV4: notes.append("the signature of AWS")
        case .ntlm, .negotiate: notes.append("the authentication, which these tools do not have")
        case .oauth2, .jwt:
            notes += ExportNotes.token(of: item)
            fields.append("Authorization: Bearer {{access_token}}")
            variables["access_token"] = .some(nil)
        case .bearer, .basic, .digest:
            if let value = text.authorization(item.credentials) {
                fields.append("Authorization: \(value)")
            } else {
                notes.append(Self.unwritableLogin)
            }
        }
    }

    private func hasField(_ name: String) -> Bool { fields.contains { $0.lowercased().hasPrefix(name + ":") } }

    // MARK: Body

    private mutating func addBody() throws(Diagnostic) {
        if case .bytes(let bytes, _) = item.request.body, String(validating: bytes, as: UTF8.self) == nil {
            throw problem("it is not text; save it to a file, and use a body of the kind file")
        }
        var type = endpoint.removesHeader("content-type") ? nil : endpoint.body.contentType
        switch endpoint.body {
        case .none: return
        case .json(let content), .plist(let content), .text(let content, _):
            body = text.text(content).split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
            for line in body { try check(line) }
            if content.contains("\r\n") { notes.append("the line breaks CR LF of the body; LF is sent") }
        case .graphQL(let request):
            body = text.text(request.json).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            for line in body { try check(line) }
        case .form(let rows):
            body = [text.text(rows.formText)]
        case .file(let path, _):
            body = ["< \(text.text(path))"]
        case .multipart(let parts):
            let boundary = boundary(for: parts)
            type = "multipart/form-data; boundary=\(boundary)"
            for part in parts where part.isEnabled { try add(part, boundary) }
            body.append("--\(boundary)--")
        }
        if let type, !hasField("content-type") { fields.append("Content-Type: \(text.text(type))") }
    }

    private func boundary(for parts: [BodyTemplate.Part]) -> String {
        var name = "boundary"
        while parts.contains(where: { $0.value.contains(name) }) { name += "x" }
        return name
    }

    private mutating func add(_ part: BodyTemplate.Part, _ boundary: String) throws(Diagnostic) {
        body.append("--\(boundary)")
        let fileName = part.isFile ? part.fileName ?? FilePath.name(of: part.value) : part.fileName
        let quoted = [part.name, fileName ?? ""].contains { $0.contains("\"") || $0.contains(where: \.isLineBreak) }
        if quoted { throw problem("the name of the part \(part.name) has a quote or a line break") }
        let parameter = fileName.map { $0.isEmpty ? "" : "; filename=\"\(text.text($0))\"" } ?? ""
        body.append("Content-Disposition: form-data; name=\"\(text.text(part.name))\"\(parameter)")
        if let type = part.contentType ?? part.typeOfName, !type.isEmpty { body.append("Content-Type: \(text.text(type))") }
        body.append("")
        if part.isFile {
            body.append("< \(text.text(part.value))")
        } else {
            let lines = text.text(part.value).split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
            for line in lines { try check(line) }
            body += lines
        }
    }

    /// Rejects a line of text that the format reads as something else.
    private func check(_ line: String) throws(Diagnostic) {
        guard HTTPFileSyntax.isSeparator(line[...]) || HTTPFileSyntax.trailer(line[...]) != nil || HTTPFileSyntax.file(line[...]) != nil else {
            return
        }
        throw problem("the line “\(ForeignText.short(line))” has a meaning in .http files; use a body of the kind file")
    }

    private func problem(_ message: String) -> Diagnostic {
        Diagnostic(endpoint.location ?? SourceLocation(file: item.name), "body: \(message)")
    }

    // MARK: Settings and variables

    private mutating func addOptions() {
        if let count = endpoint.redirects, count > 0 { notes.append("redirects") }
        if endpoint.version == .http1 { notes.append("http") }
        if endpoint.timeouts?.$idle != nil { notes.append("timeout: idle") }
        var trust = item.request.options.trust
        trust.isInsecure = false
        if trust != RequestOptions().trust { notes.append("trust") }
        notes += ExportNotes.common(of: item, in: workspace, writing: HTTPFileExport.keys, hasPublicParameters: true)
        notes += ExportNotes.parameters(of: item, in: workspace) + ExportNotes.removedFields(of: item)
        notes += ExportNotes.insertedValues(of: endpoint, in: workspace, environment: environment, encodesQuery: false, encodesForms: false)
        switch endpoint.body {
        case .text, .plist: if body.last?.isEmpty == true { notes.append("the line break at the end of the body") }
        case .none, .json, .graphQL, .form, .file, .multipart: break
        }
        for row in (endpoint.expectation?.json ?? []) + (endpoint.expectation?.headers ?? []) { notes.append("expect \(row.name) \(row.value)") }
        notes += (endpoint.expectation?.partsBesideStatusAndRows ?? []).map { "expect: \($0)" }
        for capture in endpoint.captures where Self.expression(of: capture) == nil { notes.append("capture \(capture.name) from \(capture.path)") }
        captured = endpoint.captures.filter { Self.expression(of: $0) != nil }.map(\.name)
    }

    /// The script that makes the captures, and checks the status.
    private var handler: [String] {
        var lines = endpoint.captures.compactMap { capture in
            Self.expression(of: capture).map { "client.global.set(\"\(capture.name)\", \($0));" }
        }
        if let ranges = endpoint.expectation?.statuses {
            let conditions = ranges.map { range in
                range.count == 1
                    ? "response.status === \(range.lowerBound)" : "response.status >= \(range.lowerBound) && response.status <= \(range.upperBound)"
            }
            lines.append("client.test(\"status\", function() { client.assert(\(conditions.joined(separator: " || "))); });")
        }
        return lines
    }

    private static func expression(of capture: Capture) -> String? {
        if capture.path == "status" { return "response.status" }
        guard capture.path.hasPrefix("$."), capture.path.allSatisfy({ $0.isLetter || $0.isNumber || "$._[]".contains($0) }) else { return nil }
        return "response.body" + capture.path.dropFirst()
    }

    /// Finds the values of the variables, and of those in their values; credentials have none.
    private mutating func resolveVariables() {
        let ofEnvironment = workspace.variables(of: environment)
        var pending = text.names.subtracting(text.prompts.keys)
        while let name = pending.popFirst() {
            guard variables[name] == nil else { continue }
            if name == HTTPFileText.brace {
                variables[name] = "{"
                continue
            }
            let source: String? =
                switch workspace.secrets[name] {
                case .environment(let variable)?: "{{$env.\(variable)}}"
                default: nil
                }
            let value = endpoint.variables[name] ?? ofEnvironment[name] ?? workspace.variables[name]
            let isCredential = workspace.hidesValue(of: name) && value.map { Template($0).isPlain } ?? false
            guard let template = value ?? source, !isCredential else {
                variables[name] = .some(nil)
                continue
            }
            if case .builtin(let builtin, let argument, _)? = Template(template).segments.first, Template(template).segments.count == 1,
                text.ask(builtin, argument, for: name)
            {
                continue
            }
            let before = text.names
            let written = text.text(template)
            // The handler of an earlier response sets a captured value of the same name.
            variables[name] = .some(written.contains(where: \.isLineBreak) || written == "{{\(name)}}" ? nil : written)
            pending.formUnion(text.names.subtracting(before))
        }
    }
}

/// Writes templates in the notation of `.http` files.
struct HTTPFileText {
    /// The names of variables in the texts, without those that the tools make themselves.
    private(set) var names: Set<String> = []
    /// Values that are asked for: the name of the variable and the label.
    private(set) var prompts: [String: String] = [:]
    /// What the format cannot express.
    private(set) var problems: [String] = []

    /// The name of a variable whose value is one opening brace.
    static let brace = "openingBrace"

    /// The text of a template.
    mutating func text(_ template: String) -> String {
        var result = ""
        for segment in Template(template).segments {
            switch segment {
            case .text(let text), .unclosed(let text): result += text
            case .variable(let name, _): result += variable(name)
            case .builtin(let name, let argument, _): result += builtin(name, argument)
            }
        }
        return result
    }

    /// The value of the field Authorization; nil for credentials that the tools do not have, or cannot write.
    mutating func authorization(_ auth: Auth) -> String? {
        switch auth {
        case .bearer(let token): "Bearer \(text(token))"
        case .basic(let user, let password): Self.login("Basic", user: text(user), password: text(password))
        case .digest(let user, let password): Self.login("Digest", user: text(user), password: text(password))
        case .inherit, .none, .oauth2, .awsSigV4, .jwt, .ntlm, .negotiate, .apiKey, .signature: nil
        }
    }

    /// The words of a login; nil where a name or a password has line breaks, or needs quotes and has both kinds of them.
    static func login(_ scheme: String, user: String, password: String) -> String? {
        guard let user = word(user), let password = word(password) else { return nil }
        return "\(scheme) \(user) \(password)"
    }

    /// A name or a password, between quotation marks where it is empty, begins with one, or has characters that separate words.
    private static func word(_ text: String) -> String? {
        guard !text.contains(where: \.isLineBreak) else { return nil }
        let hasBlanks = text.contains { $0.isWhitespace || $0 == ":" } && !text.hasPrefix("{{")
        guard text.isEmpty || hasBlanks || text.hasPrefix("\"") || text.hasPrefix("'") else { return text }
        return ["\"", "'"].first { !text.contains($0) }.map { $0 + text + $0 }
    }

    /// Asks for the value of a variable; false for a built-in that asks for nothing.
    mutating func ask(_ builtin: String, _ argument: String, for name: String) -> Bool {
        guard let question = PromptQuestion(builtin, argument) else { return false }
        prompts[name] = question.label
        return true
    }

    /// A value of an earlier step has the name that its handler sets.
    private mutating func variable(_ name: String) -> String {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        names.insert(last)
        return "{{\(last)}}"
    }

    private mutating func builtin(_ name: String, _ argument: String) -> String {
        if let question = PromptQuestion(name, argument) {
            let variable = SecretName.variable(question.label)
            prompts[variable] = question.label
            return "{{\(variable)}}"
        }
        switch name {
        case "uuid", "timestamp": return "{{$\(name)}}"
        case "date" where argument.isEmpty: return "{{$isoTimestamp}}"
        case "random": return "{{$random.integer(0, \(Int(argument) ?? 1_000_000))}}"
        case "braces":
            // The tools read two braces as the start of a variable, also after a text; a value that they insert is not read again.
            names.insert(Self.brace)
            return "{{\(Self.brace)}}{{\(Self.brace)}}"
        default:
            if name.hasPrefix("env.") { return "{{$\(name)}}" }
            problems.append("{{$\(name)\(argument.isEmpty ? "" : " \(argument)")}}")
            let words = "\(name) \(argument)"
            return variable(SecretName.variable(words))
        }
    }
}
