internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Makes an endpoint of a `.bru` file.
struct BrunoEndpoint {
    private static let methods: Set<String> = ["get", "post", "put", "delete", "patch", "options", "head", "connect", "trace", "http"]

    /// The block of a WebSocket connection, and that of a call of gRPC.
    private static let (webSocket, grpc) = ("ws", "grpc")

    let blocks: [BruBlock]
    let file: String
    /// The folder of the collection in the source, where relative paths begin, with a slash at its end; empty for the source itself.
    private let folder: String
    /// The result.
    private(set) var endpoint = Endpoint(target: "", name: "", path: "/")
    /// The parameters of the path that are switched on.
    private(set) var pathParameters: Set<String> = []
    /// Scheme, host and port; empty where the URL has none.
    private(set) var server = ""
    /// Texts that become comments of the file.
    private(set) var comments: [String] = []
    /// What was changed or omitted.
    private(set) var entries: [ImportReport.Entry] = []
    private var templates = BrunoTemplates()
    private var known: Set<String> = ["meta"]

    init(_ blocks: [BruBlock], file: String, folder: String = "") {
        (self.blocks, self.file, self.folder) = (blocks, file, folder)
    }

    /// Whether Bruno encodes the query and the parameters of the path, and does not send them as they are written.
    var encodesURL: Bool { blocks["settings"].map { $0["encodeUrl"] != "false" } ?? false }

    /// Whether a block has the URL of a request.
    static func isRequest(_ block: BruBlock) -> Bool { isRequest(named: block.name) }

    static func isRequest(named name: String) -> Bool { methods.contains(name) || [webSocket, grpc].contains(name) }

    /// The position in the folder.
    static func position(of blocks: [BruBlock]) -> Double { blocks["meta"]?["seq"].flatMap(Double.init) ?? .infinity }

    private mutating func note(_ outcome: ImportReport.Outcome, _ reason: ImportReason, at place: SourceLocation? = nil) {
        entries.append(.init(outcome, endpoint.name, reason, place: place ?? blocks.first?.place))
    }

    private mutating func block(_ name: String) -> BruBlock? {
        known.insert(name)
        return blocks[name]
    }

    /// Builds the endpoint; false, with an entry, for a request that cannot be sent.
    mutating func build() -> Bool {
        endpoint.name = blocks["meta"]?["name"] ?? FilePath.name(of: file).replacing(".bru", with: "").replacing(".yml", with: "")
        guard let request = blocks.first(where: Self.isRequest) else {
            let kind = blocks["meta"]?["type"] ?? "file"
            note(.omitted, "it has no block with a method, such as get; a \(kind) of this kind cannot be sent")
            return false
        }
        known.insert(request.name)
        endpoint.tags = ForeignText.tags((blocks["meta"]?["tags"] ?? "").split(separator: ",").map(String.init))
        setURL(request)
        for pair in block("headers")?.pairs ?? [] { addHeader(pair) }
        endpoint.auth = auth(request["auth"] ?? "none", in: request)
        switch request.name {
        case Self.webSocket: openWebSocket()
        case Self.grpc: guard callMethod(request) else { return false }
        default:
            let word = (request.name == "http" ? request["method"] ?? "GET" : request.name).uppercased()
            endpoint.method = HTTPMethod(word) ?? .get
            addBody(request["body"] ?? "none")
        }
        addVariables()
        addPathParameters()
        addSettings()
        addTexts()
        addExamples()
        for block in blocks where !known.contains(block.name) {
            note(.omitted, "the block \(block.name) has no equivalent", at: block.place)
        }
        entries += templates.notes.map { .init($0.outcome, endpoint.name, $0.reason, place: request.place) }
        return true
    }

    // MARK: URL and fields

    private mutating func setURL(_ request: BruBlock) {
        let text = templates.text(GRPCImport.http(WebSocketURL.http(request["url"] ?? "")))
        var url = ImportedURL(text)
        if encodesURL { url.setWrittenRows(of: text) }
        let hasQuery = !url.rows.isEmpty || url.path.contains("?")
        // The rows of the block repeat the query of the URL, and have those that are switched off.
        var rows = (block("params:query") ?? block("query"))?.pairs ?? []
        if hasQuery {
            for row in rows where row.isEnabled && row.summary != nil {
                if let index = url.rows.firstIndex(where: { $0.name == row.name && $0.summary == nil }) { url.rows[index].summary = row.summary }
            }
            rows.removeAll(where: \.isEnabled)
        }
        url.rows += rows.map { templates.parameter($0) }
        (server, endpoint.path) = (url.base ?? "", url.relativePath)
        url.addRowsAndLogin(to: &endpoint)
    }

    private mutating func addPathParameters() {
        for pair in block("params:path")?.pairs ?? [] where pair.isEnabled {
            endpoint.setPathParameter(pair.name, to: templates.text(pair.value), isEncoded: encodesURL)
            pathParameters.insert(":" + pair.name)
        }
    }

    // MARK: WebSocket and gRPC

    private mutating func openWebSocket() {
        endpoint.kind = .webSocket
        for text in messages("body:ws") { endpoint.messages.append(Parameter("message-\(endpoint.messages.count + 1)", text)) }
    }

    /// Makes the request a call of gRPC; false, with an entry, where it names no method.
    private mutating func callMethod(_ request: BruBlock) -> Bool {
        guard let method = GRPCMethodPath(request["method"] ?? "") else {
            note(.omitted, "it names no method of gRPC, such as /package.Service/Method", at: request.place)
            return false
        }
        (endpoint.kind, endpoint.method, endpoint.path) = (.grpc, .post, "")
        endpoint.grpc = GRPCSetting(method: method.description, proto: request["protoPath"].flatMap { $0.isEmpty ? nil : path($0) })
        for pair in block("metadata")?.pairs ?? [] { addHeader(pair) }
        let messages = messages("body:grpc")
        let isStream = ["client-streaming", "bidi-streaming"].contains(request["methodType"] ?? "")
        if isStream {
            endpoint.body = messages.isEmpty ? .none : .json("[\(messages.joined(separator: ", "))]")
        } else if let first = messages.first {
            endpoint.body = .json(first)
            if messages.count > 1 { note(.omitted, "only the first message is sent", at: request.place) }
        }
        return true
    }

    /// The messages, each in a block.
    private mutating func messages(_ name: String) -> [String] {
        known.insert(name)
        var result: [String] = []
        for block in blocks where block.name == name {
            let text = templates.text(block["content"] ?? "").trimmingBlanks
            if !text.isEmpty { result.append(text) }
        }
        return result
    }

    private mutating func addHeader(_ pair: BruBlock.Pair) {
        let row = templates.parameter(pair)
        if row.isEnabled, let problem = ImportedHeader.problem(of: row.name, row.value) {
            return note(.omitted, problem, at: pair.place)
        }
        endpoint.headers.append(row)
    }

    // MARK: Credentials

    /// The credentials of a mode; the block of the mode has them.
    private mutating func auth(_ mode: String, in request: BruBlock) -> Auth {
        for block in blocks where block.name.hasPrefix("auth:") {
            known.insert(block.name)
            let isPart = block.name.hasPrefix("auth:\(mode):")
            if isPart {
                note(.omitted, "the block \(block.name) has no equivalent", at: block.place)
            } else if block.name != "auth:\(mode)" {
                note(.omitted, "\(block.name) is not in use", at: block.place)
            }
        }
        if case .basic = endpoint.auth, mode == "none" { return endpoint.auth }
        let credentials = BrunoAuth(mode, blocks, &templates)
        for problem in credentials.notes { note(problem.outcome, problem.reason, at: blocks["auth:\(mode)"]?.place ?? request.place) }
        return credentials.auth
    }

    // MARK: Body

    private mutating func addBody(_ mode: String) {
        let names = [
            "json": "body:json", "text": "body:text", "xml": "body:xml", "sparql": "body:sparql", "graphql": "body:graphql",
            "formUrlEncoded": "body:form-urlencoded", "form-urlencoded": "body:form-urlencoded", "multipartForm": "body:multipart-form",
            "multipart-form": "body:multipart-form", "file": "body:file",
        ]
        let name = names[mode] ?? ""
        for block in blocks where block.name.hasPrefix("body") && block.name != "body:graphql:vars" {
            known.insert(block.name)
            if block.name != name, !(mode == "json" && block.name == "body") { note(.omitted, "\(block.name) is not in use", at: block.place) }
        }
        known.insert("body:graphql:vars")
        guard mode != "none" else { return }
        guard let block = blocks[name] ?? (mode == "json" ? blocks["body"] : nil) else {
            if names[mode] == nil { note(.omitted, "there is no body of the kind \(mode)") }
            return
        }
        switch mode {
        case "json":
            let plain = ImportedBody.withoutComments(block.text)
            if plain != nil { note(.changed, ImportedBody.commentsOmitted, at: block.place) }
            setText(plain ?? block.text, "application/json")
        case "text": setText(block.text, "text/plain")
        case "xml": setText(block.text, "application/xml")
        case "sparql": setText(block.text, "application/sparql-query")
        case "graphql": setGraphQL(block)
        case "file": setFile(block)
        case "multipartForm", "multipart-form": endpoint.body = .multipart(block.pairs.flatMap { parts($0) })
        default: endpoint.body = .form(block.pairs.map { templates.parameter($0) })
        }
    }

    private mutating func setText(_ text: String, _ type: String) {
        endpoint.body = .foreign(templates.text(text), contentType: endpoint.headers.takeContentType() ?? type)
    }

    private mutating func setGraphQL(_ block: BruBlock) {
        let variables = blocks["body:graphql:vars"]
        let values = templates.text(variables?.text ?? "").trimmingBlanks
        let imported = ImportedBody.graphQL(query: templates.text(block.text.trimmingBlanks), variables: values, operation: "")
        if imported.omitsVariables { note(.omitted, ImportedBody.invalidVariables, at: variables?.place) }
        endpoint.body = imported.body
    }

    private mutating func setFile(_ block: BruBlock) {
        let files = block.pairs.filter { $0.name == "file" }
        guard let pair = files.first(where: \.isEnabled) ?? files.first else { return }
        for other in files where other != pair { note(.omitted, "only one file is sent; \(other.value) is not", at: other.place) }
        let value = Self.annotated(pair.value)
        guard let path = value.files?.first else { return note(.omitted, "\(pair.value) is not the path of a file", at: pair.place) }
        endpoint.body = .file(path: self.path(path), contentType: value.contentType.map { templates.text($0) })
    }

    private mutating func path(_ written: String) -> String {
        let text = templates.text(written)
        return FilePath.isAbsolute(text) ? text : FilePath.normalized(folder + text)
    }

    private mutating func parts(_ pair: BruBlock.Pair) -> [BodyTemplate.Part] {
        let value = Self.annotated(pair.value)
        let (name, type) = (templates.text(pair.name), value.contentType.map { templates.text($0) })
        guard let files = value.files else {
            if pair.summary != nil { note(.omitted, "the description of the part \(pair.name): a part has none", at: pair.place) }
            return [.init(name: name, value: templates.text(value.text), contentType: type, isEnabled: pair.isEnabled)]
        }
        if pair.summary != nil { note(.omitted, "the description of the part \(pair.name): a part has none", at: pair.place) }
        if files.isEmpty {
            note(.changed, ImportedBody.missingFile(ofPart: name), at: pair.place)
            return [.init(name: name, value: "", contentType: type, isEnabled: false)]
        }
        return files.map { .init(name: name, value: path($0), isFile: true, contentType: type, isEnabled: pair.isEnabled) }
    }

    /// `@file(a|b) @contentType(type)`: the files, the rest of the text and the media type.
    private static func annotated(_ value: String) -> (text: String, files: [String]?, contentType: String?) {
        var (text, type) = (value, String?.none)
        if let range = text.firstRange(of: "@contentType("), let end = text[range.upperBound...].firstIndex(of: ")") {
            type = String(text[range.upperBound..<end])
            text = (text[..<range.lowerBound] + text[text.index(after: end)...]).trimmingBlanks
        }
        guard text.hasPrefix("@file("), text.hasSuffix(")") else { return (text, nil, type) }
        return (text, text.dropFirst("@file(".count).dropLast().split(separator: "|").map(String.init), type)
    }

    // MARK: Variables, settings and scripts

    private mutating func addVariables() {
        for pair in (block("vars:pre-request") ?? block("vars"))?.pairs ?? [] {
            if pair.isEnabled {
                endpoint.variables[pair.name] = templates.text(pair.value)
            } else {
                note(.omitted, "the variable \(pair.name) is switched off", at: pair.place)
            }
        }
        for pair in block("vars:post-response")?.pairs ?? [] {
            if pair.isEnabled, let source = ScriptTranslation.source(of: pair.value) {
                endpoint.captures.append(Capture(name: pair.name, path: source))
            } else {
                note(.omitted, "the variable \(pair.name) of the response is not captured: \(pair.value)", at: pair.place)
            }
        }
        var expectation = ScriptExpectation()
        for pair in block("assert")?.pairs ?? [] {
            let text = templates.text(pair.value)
            let word = String(text.prefix { !$0.isWhitespace })
            let isOperator = ScriptOperator.isOperator(word)
            let operand = isOperator ? text.dropFirst(word.count).trimmingBlanks : text
            let check = ScriptTranslation.subject(of: pair.name).flatMap { ScriptOperator.check($0, isOperator ? word : "eq", operand) }
            if pair.isEnabled, let check, expectation.add([check]) { continue }
            note(.omitted, "this assertion is not made: \(pair.name) \(pair.value)", at: pair.place)
            comments.append("assert: \(pair.name): \(pair.value)")
        }
        let result = expectation.result(beside: endpoint.captures)
        if result != Expectation() { endpoint.expectation = result }
    }

    private mutating func addSettings() {
        for pair in block("settings")?.pairs ?? [] {
            switch (pair.name, pair.value) {
            case ("encodeUrl", _), ("timeout", "0"), ("timeout", "inherit"), ("followRedirects", "true"), ("followRedirects", "inherit"),
                ("maxRedirects", "inherit"):
                break
            case ("followRedirects", _): endpoint.redirects = 0
            case ("maxRedirects", let text):
                if let count = Int(text), Endpoint.redirectRange.contains(count), endpoint.redirects == nil { endpoint.redirects = count }
            case ("timeout", let text):
                if let limit = Int(text), limit > 0 { endpoint.timeouts = Timeouts(total: .milliseconds(limit)) }
            default: note(.omitted, "the setting \(pair.name) has no equivalent", at: pair.place)
            }
        }
    }

    /// The blocks `example`, each a saved response.
    private mutating func addExamples() {
        known.insert("example")
        for block in blocks where block.name == "example" {
            if let example = BruExample(block.text) {
                endpoint.examples.append(example.value)
            } else {
                note(.omitted, "the example is not understood; its response needs the blocks status and body", at: block.place)
            }
        }
    }

    private mutating func addTexts() {
        if let docs = block("docs"), !docs.text.isEmpty { endpoint.summary = docs.text.trimmingBlanks }
        known.formUnion(Self.scriptNames)
    }

    /// The blocks with scripts in the order in which Bruno runs them.
    private static let scriptNames = ["script:pre-request", "script:post-response", "tests"]

    /// The scripts of a request, a folder or a collection that are not empty.
    ///
    /// - Parameter owner: The folder or the collection; nil for a request.
    static func scripts(of blocks: [BruBlock], owner: String? = nil) -> [TestScript] {
        scriptNames.compactMap { name in
            guard let block = blocks[name], !block.text.allSatisfy(\.isWhitespace) else { return nil }
            return TestScript(block.text, name == "script:pre-request" ? .beforeRequest : .afterResponse, kind: name, owner: owner) { line in
                // The text begins in the line after that of the name; a value of YAML has one place.
                block.place.file.hasSuffix(".bru")
                    ? SourceLocation(file: block.place.file, line: block.place.line + 1 + line, column: 1) : block.place
            }
        }
    }
}
