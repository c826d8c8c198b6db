internal import FoundationEssentials
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Collects the requests of an archive in services, one for each server in the order of their first request.
struct HARCollector {
    private var shared: CollectionImport
    private var services: [ImportedService] = []
    /// The index of a service by its server.
    private var indices: [String: Int] = [:]
    /// The variables that stand for names of a script, which are asked for.
    private var asked: Set<String> = []
    /// How often each kind of field or member was left out, with its first place.
    private var counts: [(reason: ImportReason, outcome: ImportReport.Outcome, count: Int, node: SourceNode?)] = []

    /// The name of the source in the lines of the report that concern many requests.
    private let item: String

    init(file: String, item: String = "archive") {
        shared = CollectionImport(file: file)
        self.item = item
    }

    /// Adds a request that a browser copied as a script.
    mutating func add(_ request: ScriptRequest, _ variables: ScriptVariables) {
        let node = request.node
        let method = request.method.lowercased()
        guard !variables.contains(method) else {
            return omit("request", Diagnostic(request.place, "the method \(method) is not known; write it as a string"), variables)
        }
        add(node, entry: node, variables, changing: request.set)
        for note in request.notes { count(note.reason.map(variables.shown), note.outcome, node) }
    }

    /// Reports a request that cannot be read.
    mutating func omit(_ name: String, _ problem: Diagnostic, _ variables: ScriptVariables) {
        shared.report.add(.omitted, name, ImportReason(variables.shown(problem.message)), place: problem.location)
    }

    /// Adds a request.
    ///
    /// - Parameters:
    ///   - variables: The names of a script in its texts; nil for an archive.
    ///   - change: Sets what an archive does not have.
    mutating func add(
        _ request: SourceNode?, entry: SourceNode, _ variables: ScriptVariables? = nil, changing change: ((inout Endpoint) -> Void)? = nil
    ) {
        guard let request, request.members != nil else {
            return shared.note(.omitted, "entry", "the entry has no request", entry)
        }
        let text = request["url"]?.string ?? ""
        let method = request["method"]?.string ?? "GET"
        let isWebSocket = WebSocketURL.isWebSocket(text)
        var templates = variables.map(ScriptTemplates.init)
        let address = templates?.address(of: text)
        func shown(_ text: String) -> String { variables?.shown(text) ?? text }
        guard let url = URLParts(isWebSocket ? WebSocketURL.http(text) : address?.text ?? text) else {
            let shown = shown(Redaction.standard.maskedURL(String(text.prefix(4096))))
            let reason = text.isEmpty ? "the request has no URL" : "only http and https can be sent: \(shown.prefix(100))"
            return shared.note(.omitted, "\(method) \(shown.prefix(60))", ImportReason(reason), request["url"] ?? request)
        }
        guard method != "CONNECT" else {
            return shared.note(.omitted, "\(method) \(url.server)", "CONNECT opens a tunnel through a proxy and is not sent as a request", request)
        }
        var reader = HAREndpoint(request, method: method, url: url.whole)
        if isWebSocket { reader.openWebSocket(entry["_webSocketMessages"]) }
        var built = reader.build()
        if let change { change(&built.endpoint) } else { HAREndpoint.keepUntyped(&built.endpoint) }
        let names = built.endpoint.query.map(\.name).joined(separator: "&")
        // The identity is written to a shared file, so it has no values.
        let identity = shown("\(built.endpoint.method.rawValue) \(url.server)\(url.whole.path) \(names)")
        var server = Template.quoting(url.server)
        if let address {
            server = templates?.server(url.server, address) ?? server
            templates?.write(into: &built.endpoint, address)
        }
        if let problem = templates?.problem, let variables {
            return omit(built.endpoint.name, problem, variables)
        }
        let authority = shown(url.whole.authority + (address?.port ?? ""))
        let id = shared.identity(identity)
        shared.note(.imported, built.endpoint.name, "", request, id: id)
        for note in reader.notes { shared.note(note.outcome, built.endpoint.name, note.reason.map(shown), note.node ?? request, id: id) }
        if let templates { ask(for: templates, built.endpoint.name, id: id) }
        for (reason, outcome, node) in reader.repeated { count(reason.map(shown), outcome, node) }
        let endpoint = ImportedEndpoint(id: id, built.endpoint, bodyBytes: built.bodyBytes)
        if let index = indices[server] { return services[index].items.append(.endpoint(endpoint)) }
        if let address, address.hasUnknownScheme {
            shared.note(.changed, built.endpoint.name, "the value of \(server) must begin with http:// or https://", request, id: id)
        }
        var service = Service(folder: "", name: authority)
        service.servers = [ImportedService.everywhere: [server]]
        indices[server] = services.count
        services.append(ImportedService(id: "service \(shown(url.server))", service, items: [.endpoint(endpoint)]))
    }

    /// Defines the variables that stand for names of a script, with a line for each at its first use.
    private mutating func ask(for templates: ScriptTemplates, _ name: String, id: String) {
        for entry in templates.used where asked.insert(entry.content).inserted {
            shared.report.add(.changed, name, templates.reason(for: entry), place: entry.place, id: id)
        }
    }

    /// The parts of an absolute URL.
    private struct URLParts {
        var whole: HTTPURL
        var server: String

        init?(_ text: String) {
            guard HTTPURL.isAbsolute(text), let url = HTTPURL(ifValid: text) else { return nil }
            (whole, server) = (url, url.origin)
        }
    }

    private mutating func count(_ reason: ImportReason, _ outcome: ImportReport.Outcome, _ node: SourceNode?) {
        if let index = counts.firstIndex(where: { $0.reason == reason }) {
            counts[index].count += 1
        } else {
            counts.append((reason, outcome, 1, node))
        }
    }

    /// The collected workspace.
    ///
    /// - Throws: The reason of the first omission where there is no request that can be sent.
    func workspace(named name: String) throws(Diagnostic) -> ImportedWorkspace {
        var report = shared.report
        for item in counts {
            report.add(item.outcome, self.item, item.reason.counted(item.count), place: item.node?.place(in: shared.file))
        }
        guard !services.isEmpty else {
            let first = report.entries.first { $0.outcome == .omitted }
            throw Diagnostic(
                first?.place ?? SourceLocation(file: shared.file), "there is no request to import" + (first.map { ": \($0.reason.message)" } ?? ""),
                remedy: first?.reason.remedy)
        }
        var workspace = ImportedWorkspace(name: services.count == 1 ? services[0].service.name : name)
        workspace.services = services
        workspace.report = report
        workspace.keepsOrder = true
        for name in asked where !name.hasPrefix("$") { workspace.variables[name] = ImportedWorkspace.prompt(name) }
        return workspace
    }
}

/// Makes an endpoint from a request of an archive; all its texts are literal.
struct HAREndpoint {
    /// What was changed or omitted in this request.
    private(set) var notes: [(outcome: ImportReport.Outcome, reason: ImportReason, node: SourceNode?)] = []
    /// What occurs in many requests of an archive and is reported once.
    private(set) var repeated: [(reason: ImportReason, outcome: ImportReport.Outcome, node: SourceNode?)] = []
    private var endpoint: Endpoint
    private let request: SourceNode
    private let url: HTTPURL

    init(_ request: SourceNode, method: String, url: HTTPURL) {
        (self.request, self.url) = (request, url)
        endpoint = Endpoint(target: "", name: "", path: Template.quoting(url.path))
        if let known = HTTPMethod(method) {
            endpoint.method = known
        } else {
            notes.append((.changed, "“\(method)” is not a method; GET is used", request["method"]))
        }
        if request["method"]?.string == nil { notes.append((.changed, "the method is missing; GET is used", request)) }
        endpoint.name = "\(endpoint.method.rawValue) \(url.path)"
    }

    /// The fields of a connection and of the framing (RFC 9110 §7.6.1, §8.6), which follow from the request that is sent.
    private static let framing: Set<String> = [
        "content-length", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "trailer", "upgrade", "http2-settings",
    ]

    /// The fields of the handshake (RFC 6455 §4.1), apart from the protocols.
    private static let handshake: Set<String> = ["sec-websocket-key", "sec-websocket-version", "sec-websocket-extensions"]

    /// Makes the request a WebSocket connection, with the texts that the browser sent (`_webSocketMessages` of Chromium).
    mutating func openWebSocket(_ messages: SourceNode?) {
        endpoint.kind = .webSocket
        for node in messages?.items ?? [] where node["type"]?.text == "send" {
            guard node["opcode"]?.text == "1", let text = node["data"]?.string else {
                notes.append((.omitted, "a message that is not text", node))
                continue
            }
            endpoint.messages.append(Parameter("message-\(endpoint.messages.count + 1)", Template.quoting(text)))
        }
    }

    mutating func build() -> (endpoint: Endpoint, bodyBytes: [UInt8]?) {
        for name in ["headers", "queryString", "cookies"] where request[name]?.items == nil {
            repeated.append(("the member \(name) is missing in a request; HTTP Archive 1.2 requires it", .changed, request))
        }
        setQuery()
        addHeaders()
        addCookies()
        if let login = url.credentials { endpoint.auth = .basic(user: Template.quoting(login.user), password: Template.quoting(login.password)) }
        let size = request["bodySize"]?.text.flatMap { Int($0) } ?? 0
        guard let data = request["postData"], data.members?.isEmpty == false else {
            if size > 0 { notes.append((.omitted, ImportReason(HARPostData.missing), request)) }
            return (endpoint, nil)
        }
        var reader = HARPostData(data, contentType: endpoint.headers.last { $0.name.lowercased() == "content-type" }?.value)
        endpoint.body = reader.read()
        for note in reader.notes { notes.append((note.0, note.1, data)) }
        if let loss = reader.loss(ofBytes: size) { notes.append((.changed, ImportReason(loss), data)) }
        let comment = data["comment"]?.string.map { ForeignText.short($0) }
        if endpoint.body == .none, reader.notes.isEmpty, size > 0 || comment != nil {
            notes.append((.omitted, ImportReason(HARPostData.missing + (comment.map { ": \($0)" } ?? "")), data))
        } else if let comment {
            notes.append((.changed, "the archive says about the body: \(comment)", data))
        }
        if case .multipart = endpoint.body, endpoint.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            endpoint.headers.removeAll { $0.name.lowercased() == "content-type" }
            repeated.append(("the field Content-Type of multipart bodies, whose boundary is made again", .changed, data))
        }
        return (endpoint, reader.bytes)
    }

    /// Sends the body of an archive without a type where the recorded fields have none, as a browser does for bytes of no type.
    static func keepUntyped(_ endpoint: inout Endpoint) {
        switch endpoint.body {
        case .text(_, contentType: nil), .file(_, contentType: nil):
            if !endpoint.headers.isEmpty { endpoint.removedHeaders = ["Content-Type"] }
        default: break
        }
    }

    private func pair(_ node: SourceNode) -> Parameter {
        Parameter(Template.quoting(node["name"]?.text ?? ""), Template.quoting(node["value"]?.text ?? ""))
    }

    /// Sets the rows of the query: those of the URL, and those of the list that the URL lacks, as other readers do.
    private mutating func setQuery() {
        let typed = url.query.map { ParameterPair.pairs(of: $0, plusIsSpace: true) } ?? []
        let list = (request["queryString"]?.items ?? []).map(pair)
        let items = (url.query ?? "").split(separator: "&")
        // Servers and signatures depend on the spelling in the URL.
        let rows = items.compactMap { URLText.row(Template.quoting(String($0))[...]) }
        let names = Set(list.map(\.name))
        // The list of some browsers has the names and values as in the URL.
        let known = Set(rows.map(\.name) + typed.map { Template.quoting($0.name) } + items.map { String($0.prefix { $0 != "=" }) })
        if names.isSubset(of: known) {
            guard rows.count == items.count, !typed.contains(where: { $0.value == nil || $0.name.isEmpty }) else {
                endpoint.path += "?" + Template.quoting(url.query ?? "")
                return
            }
            endpoint.query = rows
        } else {
            endpoint.query = list + rows.filter { !names.contains($0.name) }
            notes.append((.changed, "the list queryString has parameters that the URL lacks; they are added", request["queryString"]))
        }
    }

    private mutating func addHeaders() {
        for node in request["headers"]?.items ?? [] {
            let row = pair(node)
            let name = row.name.lowercased()
            if name.hasPrefix(":") {
                repeated.append(("pseudo-header fields of HTTP/2 (\(name)) follow from the URL", .omitted, node))
            } else if Self.framing.contains(name) || endpoint.kind == .webSocket && Self.handshake.contains(name) {
                repeated.append(("the field \(name) follows from the connection and the body", .omitted, node))
            } else if name == "host", row.value.lowercased() == url.authority.lowercased() || row.value.lowercased() == url.host.lowercased() {
                repeated.append(("the field host follows from the URL", .omitted, node))
            } else if let problem = HeaderField(row.name, row.value).problem {
                notes.append((.omitted, ImportReason(problem), node))
            } else {
                endpoint.headers.append(row)
            }
        }
    }

    /// Sets the field Cookie where only the list has the cookies.
    private mutating func addCookies() {
        let list = (request["cookies"]?.items ?? []).map(pair).filter { !$0.name.isEmpty }
        let field = endpoint.headers.first { $0.name.lowercased() == "cookie" }?.value
        if let field {
            let known = Set(field.split(separator: ";").map { $0.prefix { $0 != "=" }.trimmingBlanks })
            let others = list.map(\.name).filter { !known.contains($0) }
            if !others.isEmpty {
                notes.append(
                    (.omitted, "the cookies \(others.joined(separator: ", ")) are not in the field Cookie, which is used", request["cookies"]))
            }
        } else if !list.isEmpty {
            endpoint.headers.append(Parameter("Cookie", list.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")))
        } else {
            return
        }
        // The cookies of the archive are sent, without those of the jar.
        endpoint.cookies = false
    }
}

/// Reads the body of a request of an archive.
struct HARPostData {
    /// The reason for an omitted body.
    static let missing = "the body is not in the archive"
    /// What was changed or omitted.
    private(set) var notes: [(ImportReport.Outcome, ImportReason)] = []
    /// The bytes of a body that is not text.
    private(set) var bytes: [UInt8]?
    private let node: SourceNode
    private let contentType: String?

    /// - Parameter contentType: the field Content-Type; nil for none.
    init(_ node: SourceNode, contentType: String?) {
        self.node = node
        let type = contentType ?? node["mimeType"]?.string.map(Template.quoting)
        self.contentType = type?.isEmpty == false ? type : nil
    }

    private var essence: String? { contentType.flatMap { MediaType($0) }?.essence }

    mutating func read() -> BodyTemplate {
        let text = node["text"]?.text ?? ""
        let params = node["params"]?.items ?? []
        let isForm = essence == "application/x-www-form-urlencoded" || contentType == nil && text.isEmpty
        if (node["encoding"] ?? node["_encoding"])?.string?.lowercased() == "base64", !text.isEmpty { return decoded(text) }
        if essence == "multipart/form-data", !params.isEmpty {
            var parts: [BodyTemplate.Part] = []
            for node in params { parts.append(part(node)) }
            return .multipart(parts)
        }
        if !text.isEmpty {
            guard isForm, let rows = [Parameter](exactly: Template.quoting(text), allowed: .form) else {
                return ImportedBody.text(Template.quoting(text), contentType: contentType)
            }
            return .form(rows)
        }
        guard !params.isEmpty else { return .none }
        if !isForm { notes.append((.changed, "the body has only parameters; it is sent as a form")) }
        return .form(
            params.map { Parameter(Template.quoting($0["name"]?.text ?? ""), Template.quoting($0["value"]?.text ?? "")) })
    }

    /// What browsers did not record of a body as text; nil where nothing is known to be missing.
    ///
    /// - Parameter size: The number of bytes that the archive names.
    func loss(ofBytes size: Int) -> String? {
        guard let text = node["text"]?.string, node["encoding"] == nil, node["_encoding"] == nil else { return nil }
        if text.unicodeScalars.contains("\u{fffd}") {
            return "bytes of the body that are not text were recorded as “\u{fffd}”; write it as body: {file: …}"
        }
        let count = text.utf8.count
        // Chrome leaves out the contents of files.
        guard essence == "multipart/form-data", count < size, text.contains("filename=") else { return nil }
        return "the archive has \(count) of the \(size) bytes of the body, without the contents of files; write it as body: {multipart: …}"
    }

    private mutating func decoded(_ text: String) -> BodyTemplate {
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
            notes.append((.omitted, "the body is not Base64"))
            return .none
        }
        if let text = String(validating: data, as: UTF8.self) { return ImportedBody.text(Template.quoting(text), contentType: contentType) }
        bytes = Array(data)
        return .file(path: "body.bin", contentType: contentType)
    }

    /// A part; one with a file name and no value is a file.
    private mutating func part(_ node: SourceNode) -> BodyTemplate.Part {
        let name = Template.quoting(node["name"]?.text ?? "")
        let file = node["fileName"]?.string.flatMap { $0.isEmpty ? nil : Template.quoting($0) }
        let type = node["contentType"]?.string.flatMap { $0.isEmpty ? nil : Template.quoting($0) }
        if let file, node["value"]?.text?.isEmpty ?? true {
            notes.append((.changed, "the content of the file \(file) is not in the source; it is read from that path, in the folder of the source"))
            return .init(name: name, value: file, isFile: true, contentType: type)
        }
        return .init(name: name, value: Template.quoting(node["value"]?.text ?? ""), fileName: file, contentType: type)
    }
}

/// A request that a browser copied as a script, in the form of HTTP Archives, which the same reader imports.
struct ScriptRequest {
    var method = "GET"
    var url = ""
    var headers: [(name: String, value: String)] = []
    var cookies: [(name: String, value: String)] = []
    var body: String?
    /// The parts of a body of `multipart/form-data`, as in an archive.
    var parts: SourceNode?
    /// The path of the file that is the body.
    var bodyFile: String?
    /// Whether the body is sent without a type, where the script gives it none.
    var isUntyped = false
    /// Whether the script wrote the query as a form, in which a space is `+`.
    var hasFormQuery = false
    /// The most redirects that are followed; nil is the default.
    var redirects: Int?
    /// A login with Digest.
    var digest: (user: String, password: String)?
    /// What the script says and a request does not have.
    var notes: [(outcome: ImportReport.Outcome, reason: ImportReason)] = []
    var place: SourceLocation

    /// The value of the last field with a name.
    func field(_ name: String) -> String? { headers.last { $0.name.lowercased() == name }?.value }

    /// The member `request` of an entry.
    var node: SourceNode {
        func node(_ content: SourceNode.Content) -> SourceNode { SourceNode(content, line: place.line, column: place.column) }
        func rows(_ pairs: [(name: String, value: String)]) -> SourceNode {
            node(.array(pairs.map { node(.object([.init("name", node(.string($0.name))), .init("value", node(.string($0.value)))])) }))
        }
        var members: [SourceNode.Member] = [
            .init("method", node(.string(method))), .init("url", node(.string(url))), .init("headers", rows(headers)),
            .init("queryString", rows([])), .init("cookies", rows(cookies)),
        ]
        if let parts {
            members.append(.init("postData", node(.object([.init("mimeType", node(.string("multipart/form-data"))), .init("params", parts)]))))
        } else if let body {
            let type = field("content-type") ?? ""
            members.append(.init("postData", node(.object([.init("mimeType", node(.string(type))), .init("text", node(.string(body)))]))))
        }
        return node(.object(members))
    }

    /// Sets what an archive does not have.
    func set(_ endpoint: inout Endpoint) {
        if let bodyFile { endpoint.body = .file(path: Template.quoting(bodyFile), contentType: field("content-type").map(Template.quoting)) }
        let hasBody = body?.isEmpty == false || bodyFile != nil
        if isUntyped, hasBody, parts == nil, field("content-type") == nil { endpoint.removedHeaders = ["Content-Type"] }
        if let redirects { endpoint.redirects = redirects }
        if hasFormQuery {
            for index in endpoint.query.indices {
                guard let written = endpoint.query[index].spelling, written.contains("+") else { continue }
                let parts = written.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                    Template.quoting(PercentEncoding.decode($0.replacing("+", with: " ")))
                }
                (endpoint.query[index].name, endpoint.query[index].value) = (parts[0], parts.count == 2 ? parts[1] : "")
                endpoint.query[index].spelling = written
            }
        }
        if let digest { endpoint.auth = .digest(user: Template.quoting(digest.user), password: Template.quoting(digest.password)) }
    }
}
