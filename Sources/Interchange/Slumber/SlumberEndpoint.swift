internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Makes an endpoint of a recipe of slumber.
struct SlumberEndpoint {
    private static let known: Set<String> = [
        "id", "name", "method", "url", "query", "headers", "authentication", "body", "persist", "type", "description",
    ]

    let id: String
    let node: SourceNode
    let file: String
    /// The result.
    private(set) var endpoint = Endpoint(target: "", name: "", path: "/")
    /// Scheme, host and port; empty where the URL has none.
    private(set) var server = ""
    /// What was changed or omitted.
    private(set) var entries: [ImportReport.Entry] = []
    private(set) var templates: SlumberTemplates
    private let tags: SlumberTags

    init(_ id: String, _ node: SourceNode, file: String, chains: [String: SourceNode], tags: SlumberTags) {
        (self.id, self.node, self.file, self.tags) = (id, node, file, tags)
        templates = SlumberTemplates(chains: chains, tags: tags)
    }

    private mutating func note(_ outcome: ImportReport.Outcome, _ reason: ImportReason, at place: SourceNode? = nil) {
        entries.append(.init(outcome, endpoint.name, reason, place: (place ?? node).place(in: file)))
    }

    private func problem(_ node: SourceNode, _ message: String) -> Diagnostic { Diagnostic(node.place(in: file), message) }

    /// Builds the endpoint.
    ///
    /// - Throws: A diagnostic with the place of a value of the wrong kind.
    mutating func build() throws(Diagnostic) {
        endpoint.name = node["name"]?.text ?? id
        if let summary = node["description"]?.text { endpoint.summary = summary }
        guard let url = node["url"]?.text else { throw problem(node["url"] ?? node, "the recipe \(id) needs a url that is a text") }
        if let method = node["method"] {
            guard let value = method.text.flatMap({ HTTPMethod($0.uppercased()) }) else { throw problem(method, "this is not a method") }
            endpoint.method = value
        }
        let split = ImportedURL(templates.text(url))
        (server, endpoint.path) = (split.base ?? "", split.relativePath)
        split.addRowsAndLogin(to: &endpoint)
        try addQuery()
        for member in try members(node["headers"], "headers") {
            let value = templates.text(member.value.text ?? "")
            if let problem = ImportedHeader.problem(of: member.name, value) {
                note(.omitted, "\(member.name): \(problem)", at: member.value)
            } else {
                endpoint.headers.append(Parameter(member.name, value))
            }
        }
        try addAuthentication()
        try addBody()
        if let persist = node["persist"], persist.bool == false { note(.omitted, "persist: requests are recorded in the history", at: persist) }
        for member in node.members ?? [] where !Self.known.contains(member.name) {
            note(.omitted, "“\(ForeignText.short(member.name))” has no equivalent", at: member.value)
        }
        entries += templates.notes.map { .init($0.outcome, endpoint.name, $0.reason, place: node.place(in: file)) }
    }

    private func members(_ node: SourceNode?, _ what: String) throws(Diagnostic) -> [SourceNode.Member] {
        guard let node, !node.isNull else { return [] }
        guard let members = node.members else { throw problem(node, "\(what) is a mapping of names to values") }
        return members
    }

    /// Adds the values of a capture that another recipe needs.
    mutating func addCapture(_ capture: Capture) {
        if !endpoint.captures.contains(where: { $0.name == capture.name }) { endpoint.captures.append(capture) }
    }

    /// The query is a mapping to values or lists of them, or a list of `name=value`.
    private mutating func addQuery() throws(Diagnostic) {
        if let items = node["query"]?.items {
            for item in items {
                let parts = (item.text ?? "").split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { throw problem(item, "a parameter is written as name=value") }
                endpoint.query.append(Parameter(templates.text(String(parts[0])), templates.text(String(parts[1]))))
            }
            return
        }
        for member in try members(node["query"], "query") {
            for value in member.value.items ?? [member.value] {
                endpoint.query.append(Parameter(Template.quoting(member.name), templates.text(value.text ?? "")))
            }
        }
    }

    private mutating func addAuthentication() throws(Diagnostic) {
        guard let auth = node["authentication"], !auth.isNull else { return }
        if let token = auth.text ?? auth["token"]?.text {
            endpoint.auth = .bearer(token: templates.text(token))
        } else if let user = auth["username"]?.text {
            endpoint.auth = .basic(user: templates.text(user), password: templates.text(auth["password"]?.text ?? ""))
        } else {
            note(.omitted, "this authentication is not made", at: auth)
        }
    }

    // MARK: Body

    private mutating func addBody() throws(Diagnostic) {
        guard let body = node["body"], !body.isNull else { return }
        if let text = body.text {
            if tags.tag(of: body) == "json" {
                endpoint.body = .json("\"\(JSONText.escaped(templates.text(text)))\"")
                return
            }
            return setText(text)
        }
        let data = body["data"]
        let type = body["type"]?.text ?? tags.tag(of: body) ?? "json"
        let content = body["type"] != nil ? data ?? body : body
        switch type {
        case "json":
            let json = translated(content).json.text
            setJSON(JSONText.pretty(json) ?? json)
        case "form_urlencoded":
            endpoint.body = .form(
                try members(content, "body").map { Parameter(Template.quoting($0.name), templates.text($0.value.text ?? "")) })
        case "form_multipart":
            var parts: [BodyTemplate.Part] = []
            for member in try members(content, "body") { parts.append(part(member)) }
            endpoint.body = .multipart(parts)
        case "raw", "text": if let text = data?.text { setText(text) }
        case "stream":
            guard let path = filePath(data?.text ?? "") else { return note(.omitted, "only a file can be streamed", at: body) }
            endpoint.body = .file(path: path, contentType: endpoint.headers.takeContentType())
        default: note(.omitted, "there is no body of the kind \(type)", at: body)
        }
    }

    /// The value with its texts translated.
    private mutating func translated(_ node: SourceNode) -> SourceNode {
        var result = node
        switch node.content {
        case .string(let text): result.content = .string(templates.text(text))
        case .array(let items): result.content = .array(items.map { translated($0) })
        case .object(let members):
            result.content = .object(members.map { .init(Template.quoting($0.name), translated($0.value)) })
        case .null, .bool, .number: break
        }
        return result
    }

    private mutating func setJSON(_ text: String) {
        let type = endpoint.headers.takeContentType()
        endpoint.body = type == nil || type == "application/json" ? .json(text) : .text(text, contentType: type)
    }

    private mutating func setText(_ text: String) {
        if let path = filePath(text) {
            endpoint.body = .file(path: path, contentType: endpoint.headers.takeContentType())
            return
        }
        let type = endpoint.headers.takeContentType()
        let isField = endpoint.headers.contains { $0.name.lowercased() == "content-type" }
        if type == nil, !isField { endpoint.removedHeaders = ["Content-Type"] }
        endpoint.body = .foreign(templates.text(text), contentType: type)
    }

    private mutating func part(_ member: SourceNode.Member) -> BodyTemplate.Part {
        let text = member.value.text ?? ""
        if let path = filePath(text) { return .init(name: Template.quoting(member.name), value: path, isFile: true) }
        return .init(name: Template.quoting(member.name), value: templates.text(text))
    }

    /// The path in a text that is only `{{ file('…') }}`; nil for another text.
    private mutating func filePath(_ text: String) -> String? {
        let translated = templates.text(text)
        let segments = Template(translated).segments
        guard segments.count == 1, case .builtin("file", let path, _)? = segments.first else { return nil }
        return FilePath.isAbsolute(path) ? path : FilePath.normalized(path)
    }
}
