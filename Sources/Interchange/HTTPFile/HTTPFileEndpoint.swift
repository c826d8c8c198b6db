internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Makes an endpoint of a request in a `.http` file.
struct HTTPFileEndpoint {
    let request: HTTPFileRequest
    let source: ImportSource
    /// The folder of the file in that of the source, for paths.
    let folder: String
    var translation: HTTPFileTranslation
    /// The credentials of the environment files by name.
    var credentials: [String: HTTPFileEnvironments.Credentials] = [:]
    /// The result.
    var endpoint = Endpoint(target: "", name: "", path: "/")
    /// Scheme, host and port; empty for a path without a host.
    private(set) var server = ""
    /// Whether the certificate is not verified.
    private(set) var isInsecure = false
    /// Steps that must run before.
    private(set) var needs: [String] = []
    /// Texts that become comments of the file.
    private(set) var comments: [String] = []
    /// What was changed or omitted.
    private(set) var entries: [ImportReport.Entry] = []

    init(_ request: HTTPFileRequest, in source: ImportSource, folder: String, _ translation: HTTPFileTranslation) {
        (self.request, self.source, self.folder, self.translation) = (request, source, folder, translation)
    }

    mutating func note(_ outcome: ImportReport.Outcome, _ reason: ImportReason, at place: SourceLocation? = nil) {
        entries.append(.init(outcome, endpoint.name, reason, place: place ?? request.place))
    }

    /// Builds the endpoint; false, with an entry, for a request that is not an HTTP message.
    mutating func build() -> Bool {
        let title = request.title.flatMap { $0.isEmpty ? nil : $0 }
        if let command = request.command { return build(command, named: title ?? request.name) }
        // The name is in the file, and its words in the name of the file.
        endpoint.name = title ?? request.name ?? "\(request.method ?? "GET") \(ForeignText.short(Redaction.standard.masked(request.target)))"
        let word = request.method?.uppercased() ?? "GET"
        let kind = HTTPFileSyntax.others[word] ?? Self.otherScheme(request.target)
        if let kind, kind != HTTPFileSyntax.webSocket, kind != HTTPFileSyntax.grpc {
            note(.omitted, "\(kind) requests cannot be sent; those of HTTP, WebSocket and gRPC can be")
            return false
        }
        let isGraphQL = word == "GRAPHQL"
        let isStream = word == "SSE" || word == "EVENTSOURCE"
        let method = HTTPMethod(HTTPFileSyntax.methods.contains(word) ? word : request.method ?? "GET") ?? .get
        endpoint.method = isGraphQL ? .post : isStream || kind != nil ? .get : method
        if !request.comments.isEmpty { endpoint.summary = request.comments.joined(separator: "\n") }
        setURL()
        addFields()
        if isStream, !endpoint.headers.contains(where: { $0.name.lowercased() == "accept" }) {
            endpoint.headers.append(Parameter("Accept", "text/event-stream"))
        }
        switch kind {
        case HTTPFileSyntax.webSocket?: openWebSocket()
        case .some: guard callMethod() else { return false }
        case nil: addBody(isGraphQL: isGraphQL)
        }
        addDirectives()
        addNotes()
        if let version = request.version {
            if version == "1.1" || version == "1.0" { endpoint.version = nil }
            if version == "1.0" { note(.omitted, "HTTP/1.0 is not spoken; HTTP/1.1 is sent", at: request.place) }
            if version.hasPrefix("2") { endpoint.version = .http2 }
            if version.hasPrefix("3") {
                note(.omitted, "HTTP/3 is not spoken; the version is the one that client and server share", at: request.place)
            }
        }
        entries += request.problems
        entries += translation.notes.map { .init($0.outcome, endpoint.name, $0.reason, place: request.place) }
        return true
    }

    /// Builds the endpoint of a curl command line; false, with an entry, for one that sends no request.
    private mutating func build(_ text: String, named name: String?) -> Bool {
        let command = HTTPFileCommand(text, at: request.place, in: source, &translation)
        let built = command.built
        if let built {
            endpoint = built.endpoint
            server = built.service.servers[ImportedService.everywhere]?.first ?? ""
            isInsecure = built.service.trust.isInsecure
        }
        if let name { endpoint.name = name }
        if endpoint.name.isEmpty { endpoint.name = "curl" }
        if !request.comments.isEmpty { endpoint.summary = request.comments.joined(separator: "\n") }
        for entry in command.notes { note(entry.outcome, entry.reason, at: entry.place) }
        guard built != nil else { return false }
        addDirectives()
        addNotes()
        entries += request.problems
        entries += translation.notes.map { .init($0.outcome, endpoint.name, $0.reason, place: request.place) }
        return true
    }

    private static func otherScheme(_ target: String) -> String? {
        guard let range = target.firstRange(of: "://") else { return nil }
        switch target[..<range.lowerBound].lowercased() {
        case "ws", "wss": return HTTPFileSyntax.webSocket
        case "grpc", "grpcs": return HTTPFileSyntax.grpc
        case "mqtt", "mqtts": return "MQTT"
        case "http", "https": return nil
        case let scheme: return scheme.allSatisfy { $0.isLetter } ? scheme : nil
        }
    }

    // MARK: URL and fields

    private mutating func setURL() {
        var target = request.target
        if target == "*" {
            note(.changed, "the target * cannot be sent; the path is /")
            target = "/"
        }
        let url = ImportedURL(translation.text(GRPCImport.http(WebSocketURL.http(target))))
        (server, endpoint.path) = (url.base ?? "", url.relativePath)
        url.addRowsAndLogin(to: &endpoint)
        if url.fragment.count > 1 { note(.omitted, "the fragment \(ForeignText.short(url.fragment)) is never sent") }
    }

    private mutating func addFields() {
        for field in request.headers {
            if field.isEnabled, field.name.lowercased() == "authorization", let name = HTTPFileAuth.credentials(field.value),
                case .success(let known)? = credentials[name]
            {
                endpoint.auth = known.auth
                if let change = known.change { note(.changed, change, at: field.place) }
                continue
            }
            let value = translation.text(field.value)
            guard field.isEnabled else {
                endpoint.headers.append(Parameter(field.name, value, isEnabled: false))
                continue
            }
            switch field.name.lowercased() {
            case "host" where server.isEmpty:
                server = ImportedURL(value).base ?? ""
            case "x-request-type" where value.lowercased() == "graphql": break
            case "authorization":
                if let name = HTTPFileAuth.credentials(field.value), case .failure(let refusal)? = credentials[name] {
                    note(.changed, "\(name): \(refusal.reason)", at: field.place)
                }
                if let auth = HTTPFileAuth.auth(value) {
                    endpoint.auth = auth
                } else {
                    if let scheme = HTTPFileAuth.unsupported(value) {
                        note(.changed, "\(scheme) authentication is not made; the field is sent as it is written", at: field.place)
                    }
                    endpoint.headers.append(Parameter(field.name, value))
                }
            default:
                if let problem = ImportedHeader.problem(of: field.name, value) {
                    note(.omitted, problem, at: field.place)
                } else {
                    endpoint.headers.append(Parameter(field.name, value))
                }
            }
        }
    }

    // MARK: Directives

    private mutating func addDirectives() {
        for directive in request.directives {
            let value = directive.value
            switch directive.name.lowercased().filter({ $0 != "-" && $0 != "_" }) {
            case "name": break
            case "title": if request.title == nil, !value.isEmpty { endpoint.name = value }
            case "description": endpoint.summary = [endpoint.summary, value].compactMap(\.self).joined(separator: "\n")
            case "tag", "tags": endpoint.tags = ForeignText.tags(endpoint.tags + value.split { ",; ".contains($0) }.map(String.init))
            case "noredirect": endpoint.redirects = 0
            case "nocookiejar": endpoint.cookies = false
            case "norejectunauthorized", "curlinsecure", "kulalacurlinsecure": isInsecure = true
            case "timeout": setTimeout(directive) { (limits: inout Timeouts, limit: Duration) in limits.total = limit }
            case "connectiontimeout": setTimeout(directive) { (limits: inout Timeouts, limit: Duration) in limits.connect = limit }
            case "prompt", "secret": addPrompt(directive, isSecret: directive.name == "secret")
            case "ref", "forceref": needs.append(value)
            case "disabled": note(.changed, "@disabled: the endpoint is sent when it is selected", at: directive.place)
            case "curllocation", "kulalacurllocation": break
            default: note(.omitted, "@\(directive.name) \(ForeignText.short(value)): there is no such setting", at: directive.place)
            }
        }
    }

    private mutating func setTimeout(_ directive: HTTPFileRequest.Pair, _ set: (inout Timeouts, Duration) -> Void) {
        let number = directive.value.prefix { $0.isNumber }
        let unit = directive.value.dropFirst(number.count).trimmingBlanks.lowercased()
        guard let count = Int(number), count > 0, count <= 86_400_000, ["", "s", "sec", "ms", "m", "min"].contains(unit) else {
            return note(.omitted, "@\(directive.name) \(ForeignText.short(directive.value)): this is not a time limit", at: directive.place)
        }
        var limits = endpoint.timeouts ?? Timeouts()
        set(&limits, unit == "ms" ? .milliseconds(count) : .seconds(unit.hasPrefix("m") ? count * 60 : count))
        endpoint.timeouts = limits
    }

    private mutating func addPrompt(_ directive: HTTPFileRequest.Pair, isSecret: Bool) {
        let name = directive.value.prefix { !$0.isWhitespace }
        let label = directive.value.dropFirst(name.count).trimmingBlanks.filter { !"={}|".contains($0) }
        guard ForeignText.isVariable(String(name)) else {
            return note(.omitted, "@\(directive.name) \(ForeignText.short(directive.value)): this is not the name of a variable", at: directive.place)
        }
        endpoint.variables[String(name)] = "{{$\(isSecret ? "promptSecret" : "prompt") \(label.isEmpty ? String(name) : label)}}"
    }

    // MARK: Scripts and checks

    private mutating func addNotes() {
        var scripts: [TestScript] = []
        for written in request.notes {
            if let script = written.script(of: request.place) {
                scripts.append(script)
            } else {
                note(.omitted, "the \(written.kind) is not imported; its text is a comment in the file", at: written.place)
                comments.append("\(written.kind):\n\(written.text)")
            }
        }
        let isHTTPYac = request.notes.contains { $0.text.hasPrefix("{{") }
        let translation = TestScript.translate(scripts, into: &endpoint, hiddenNames: isHTTPYac ? HTTPYacCheck.hiddenNames : [])
        for rest in translation.rests {
            entries += rest.entries(of: endpoint.name)
            if let comment = rest.comment { comments.append(comment) }
        }
        for check in request.checks { addCheck(check) }
    }

    /// Adds a check of httpyac; what has no equivalent becomes a comment.
    mutating func addCheck(_ check: HTTPFileRequest.Pair) {
        var expectation = ScriptExpectation(endpoint.expectation ?? Expectation())
        if let checks = HTTPYacCheck.checks(check.value), expectation.add(checks) {
            endpoint.expectation = expectation.result(beside: endpoint.captures)
        } else {
            note(.omitted, "?? \(ForeignText.short(check.value)): this check is not made; its text is a comment in the file", at: check.place)
            comments.append("?? \(check.value)")
        }
    }

    /// Adds the value of a response that a variable holds.
    mutating func addCapture(_ capture: Capture) {
        if !endpoint.captures.contains(capture) { endpoint.captures.append(capture) }
    }
}

extension HTTPFileEndpoint {
    /// Sets the body.
    mutating func addBody(isGraphQL: Bool) {
        let lines = request.body
        guard !lines.isEmpty else {
            if isGraphQL { note(.omitted, "the query is missing") }
            return
        }
        let declared = request.headers.last { $0.isEnabled && $0.name.lowercased() == "content-type" }?.value
        let hasGraphQLField = request.headers.contains { $0.name.lowercased() == "x-request-type" && $0.value.lowercased() == "graphql" }
        if isGraphQL || hasGraphQLField || declared?.lowercased().hasPrefix("application/graphql") != true && isGraphQLText(lines) {
            return addGraphQL(lines)
        }
        if let declared, MediaTypeName.plain(declared) == "multipart/form-data" {
            guard let boundary = HTTPFileMultipart.boundary(of: declared) ?? firstBoundary(lines) else {
                note(.omitted, "the parts have no boundary; write one after Content-Type: multipart/form-data; boundary=")
                return
            }
            // The boundary is made from the parts, also where it has a template.
            endpoint.headers.takeContentType(withTemplates: true)
            var parts = HTTPFileMultipart(lines, boundary: boundary, file: request.place.file)
            parts.read()
            for (reason, place) in parts.problems { note(.omitted, reason, at: place) }
            endpoint.body = .multipart(
                parts.parts.map { part in
                    BodyTemplate.Part(
                        name: translation.text(part.name), value: part.isFile ? path(part.value) : translation.text(part.value), isFile: part.isFile,
                        fileName: part.isFile ? part.fileName.map { translation.text($0) } ?? "" : part.fileName.map { translation.text($0) },
                        contentType: part.contentType.map { translation.text($0) })
                })
            return
        }
        let files = lines.filter { HTTPFileSyntax.file($0.text[...]) != nil }
        let others = lines.filter { HTTPFileSyntax.file($0.text[...]) == nil && !$0.text.allSatisfy(\.isWhitespace) }
        if files.count == 1, others.isEmpty, let line = files.first, let file = HTTPFileSyntax.file(line.text[...]) {
            return addFile(file.path, isTemplate: file.isTemplate)
        }
        setText(joined(lines, isMultipart: declared.map { MediaTypeName.plain($0).hasPrefix("multipart/") } ?? false))
    }

    /// The messages of a WebSocket connection, which `===` lines separate.
    mutating func openWebSocket() {
        endpoint.kind = .webSocket
        var messages = [""]
        for line in request.body {
            if line.text.hasPrefix("===") { messages.append("") } else { messages[messages.count - 1] += line.text + "\n" }
        }
        for text in messages.map(\.trimmingBlanks) where !text.isEmpty {
            endpoint.messages.append(Parameter("message-\(endpoint.messages.count + 1)", translation.text(text)))
        }
    }

    /// The method of gRPC that the path names, with its message; false, with an entry, for a path that names none.
    mutating func callMethod() -> Bool {
        guard let method = GRPCMethodPath(endpoint.path) else {
            note(.omitted, "the URL names no method of gRPC; it must end in /package.Service/Method")
            return false
        }
        (endpoint.kind, endpoint.method, endpoint.path) = (.grpc, .post, "")
        endpoint.grpc = GRPCSetting(method: method.description)
        let text = request.body.map(\.text).joined(separator: "\n").trimmingBlanks
        if !text.isEmpty { endpoint.body = .json(translation.text(text)) }
        return true
    }

    private func place(_ line: HTTPFileRequest.Line) -> SourceLocation { SourceLocation(file: request.place.file, line: line.number) }

    private func firstBoundary(_ lines: [HTTPFileRequest.Line]) -> String? {
        guard let first = lines.first?.text, first.hasPrefix("--"), first.count > 2 else { return nil }
        return first.dropFirst(2).trimmingBlanks
    }

    /// The path of a file, relative to the folder of the source.
    private mutating func path(_ written: String) -> String {
        let text = translation.text(written)
        if FilePath.isAbsolute(text) || text.hasPrefix("{{") && folder.isEmpty { return text }
        return FilePath.normalized(folder.isEmpty ? text : folder + "/" + text)
    }

    private mutating func setText(_ text: String) {
        let type = endpoint.headers.takeContentType()
        let hasField = endpoint.headers.contains { $0.isEnabled && $0.name.lowercased() == "content-type" }
        if let type {
            // The line breaks of a form with a pair in each line are not sent.
            let isForm = MediaTypeName.plain(type) == "application/x-www-form-urlencoded"
            endpoint.body = .foreign(translation.text(isForm ? form(text) : text), contentType: type)
            return
        }
        // Without a type, the removed field keeps Sortie from sending one.
        if !hasField { endpoint.removedHeaders = ["Content-Type"] }
        endpoint.body = .text(translation.text(text), contentType: nil)
    }

    /// The text of a form on one line.
    ///
    /// The REST Client begins the next lines with `&`, and sends the blanks around names and values; JetBrains ends
    /// lines with `&`, and sends no blanks around `=` and `&`. A form without ` = ` stays as it is.
    private mutating func form(_ text: String) -> String {
        let joined = text.replacing("&\n", with: "&").replacing("\n&", with: "&")
        guard joined.contains(" = ") else { return joined }
        if text.contains("\n&") {
            note(.changed, "the blanks around = of the form are sent, as the REST Client does; JetBrains leaves them out")
            return joined
        }
        note(.changed, "the blanks around = and & of the form are not sent, as in JetBrains; the REST Client sends them")
        return joined.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmingBlanks).joined(separator: "=")
        }.joined(separator: "&")
    }

    private mutating func addFile(_ written: String, isTemplate: Bool) {
        let file = path(written)
        if isTemplate {
            if let bytes = source.file(file), let text = String(validating: bytes, as: UTF8.self) {
                note(.changed, "the content of \(file) is copied into the endpoint, because it may have variables")
                return setText(text)
            }
            note(.changed, "\(file) is sent as it is: its variables are not replaced")
        }
        let type = endpoint.headers.takeContentType()
        let hasField = endpoint.headers.contains { $0.isEnabled && $0.name.lowercased() == "content-type" }
        if type == nil, !hasField { endpoint.removedHeaders = ["Content-Type"] }
        endpoint.body = .file(path: file, contentType: type)
    }

    /// The lines as one text; lines that name files are replaced by the content of the files.
    private mutating func joined(_ lines: [HTTPFileRequest.Line], isMultipart: Bool) -> String {
        var result: [String] = []
        for line in lines {
            guard let file = HTTPFileSyntax.file(line.text[...]) else {
                result.append(line.text)
                continue
            }
            let path = path(file.path)
            guard let bytes = source.file(path), let text = String(validating: bytes, as: UTF8.self) else {
                note(.omitted, "\(path) is part of the body and cannot be read as text in the folder of the source", at: place(line))
                continue
            }
            note(.changed, "the content of \(path) is copied into the endpoint", at: place(line))
            // As with a file that is the whole body, only the variables of `<@` are replaced.
            result.append(file.isTemplate ? text : Template.quoting(text))
        }
        // The lines of parts end with CR LF (RFC 2046 §4.1.1).
        return result.joined(separator: isMultipart ? "\r\n" : "\n") + (isMultipart ? "\r\n" : "")
    }

    // MARK: GraphQL

    /// Whether the body is a query of GraphQL without a word that says so, as in httpyac.
    private func isGraphQLText(_ lines: [HTTPFileRequest.Line]) -> Bool {
        let first = (lines.first?.text ?? "").trimmingBlanks
        if first.hasPrefix("gql ") { return true }
        let words = first.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard words.count == 2, ["query", "mutation", "subscription", "fragment"].contains(words[0]) else { return false }
        return words[1].contains("{") || words[1].contains("(")
    }

    private mutating func addGraphQL(_ lines: [HTTPFileRequest.Line]) {
        var query = lines
        var variables: [HTTPFileRequest.Line] = []
        // The variables are a JSON object after an empty line.
        if let gap = lines.indices.last(where: { index in
            lines[index].text.allSatisfy(\.isWhitespace) && index + 1 < lines.count && lines[index + 1].text.trimmingBlanks.hasPrefix("{")
        }), gap > 0 {
            query = Array(lines[..<gap])
            variables = Array(lines[(gap + 1)...])
        }
        var operation = ""
        if let first = query.first, first.text.trimmingBlanks.hasPrefix("gql ") {
            let words = ForeignText.words(first.text)
            if let mark = words.firstIndex(of: "<"), mark + 1 < words.count {
                if mark == 2 { operation = words[1] }
                query[0].text = "< \(words[mark + 1])"
            } else {
                query[0].text = first.text.trimmingBlanks.dropFirst("gql ".count).trimmingBlanks
            }
        }
        let text = translation.text(joined(query, isMultipart: false))
        endpoint.headers.takeContentType()
        let values = translation.text(joined(variables, isMultipart: false)).trimmingBlanks
        let imported = ImportedBody.graphQL(query: text.trimmingBlanks, variables: values, operation: operation)
        if imported.omitsVariables { note(.omitted, ImportedBody.invalidVariables, at: variables.first.map(place)) }
        endpoint.body = imported.body
    }
}
