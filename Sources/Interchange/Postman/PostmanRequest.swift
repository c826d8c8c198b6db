internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Makes an endpoint from a request of Postman.
struct PostmanRequest {
    private(set) var endpoint: Endpoint
    /// What was changed or omitted.
    private(set) var notes: [(outcome: ImportReport.Outcome, reason: String, node: SourceNode?)] = []
    /// Dynamic variables without an equal.
    private(set) var template = PostmanTemplate()
    private let node: SourceNode

    /// - Parameters:
    ///   - request: A URL, or an object.
    ///   - inherited: The credentials of the folder; nil for those of the service.
    init(_ request: SourceNode, name: String, inherited: PostmanAuth?) {
        node = request
        endpoint = Endpoint(target: "", name: name, path: "/")
        setMethod(request["method"]?.text ?? "GET")
        endpoint.summary = PostmanCollection.description(request["description"])
        addHeaders(request["header"])
        setURL(request.string == nil ? request["url"] : request)
        if let body = request["body"], !body.isNull {
            var reader = PostmanBody(body, contentType: contentType, template: template)
            endpoint.body = reader.read()
            template = reader.template
            notes += reader.notes
        }
        let own = PostmanAuth(request["auth"], &template)
        for note in own?.notes ?? [] { notes.append((note.outcome, note.reason, request["auth"])) }
        (own ?? inherited)?.apply(to: &endpoint)
        setPathVariables(PostmanURL(request.string == nil ? request["url"] : request).variables)
        for name in ["proxy", "certificate"] {
            if let setting = request[name], setting.members?.isEmpty == false {
                notes.append((.omitted, "\(name): write it into service.yaml (proxy:, trust:)", setting))
            }
        }
        if endpoint.name.isEmpty { endpoint.name = "\(endpoint.method.rawValue) \(endpoint.path)" }
    }

    private var contentType: String? {
        endpoint.headers.last { $0.isEnabled && $0.name.lowercased() == "content-type" }?.value
    }

    private mutating func setMethod(_ text: String) {
        if text.isEmpty { return }
        guard let method = HTTPMethod(imported: text) else {
            return notes.append((.changed, "“\(text)” is not a method; GET is used", node["method"]))
        }
        endpoint.method = method
    }

    // MARK: Rows

    /// Whether a row is sent; `enabled` is of older versions.
    static func isEnabled(_ row: SourceNode) -> Bool { row["disabled"]?.bool != true && row["enabled"]?.bool != false }

    mutating func row(_ node: SourceNode) -> Parameter {
        Parameter(
            template.text(node["key"]?.text ?? ""), template.text(node["value"]?.text ?? ""), isEnabled: Self.isEnabled(node),
            summary: PostmanCollection.description(node["description"]))
    }

    private mutating func addHeaders(_ header: SourceNode?) {
        guard let header, !header.isNull else { return }
        if let text = header.string {
            for line in text.split(whereSeparator: \.isNewline) {
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                // A line that begins with two slashes is switched off.
                let isOff = line.hasPrefix("//")
                let name = isOff ? parts[0].dropFirst(2) : parts[0]
                add(Parameter(template.text(name.trimmed), template.text((parts.count > 1 ? parts[1] : "").trimmed), isEnabled: !isOff), header)
            }
            return
        }
        let rows =
            header.items
            ?? header.members?.map { member in
                SourceNode(
                    .object([
                        .init("key", .init(.string(member.name), line: member.value.line, column: member.value.column)), .init("value", member.value),
                    ]), line: member.value.line, column: member.value.column)
            }
        for node in rows ?? [] {
            if let text = node.string {
                let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                add(Parameter(template.text(parts[0].trimmed), template.text((parts.count > 1 ? parts[1] : "").trimmed)), node)
            } else {
                add(row(node), node)
            }
        }
    }

    private mutating func add(_ row: Parameter, _ node: SourceNode) {
        var row = row
        row.name = row.name[...].trimmed
        if row.name.isEmpty, row.value.isEmpty { return }
        if let problem = ImportedHeader.problem(of: row.name, row.value) { return notes.append((.omitted, problem, node)) }
        endpoint.headers.append(row)
    }

    // MARK: URL

    private mutating func setURL(_ node: SourceNode?) {
        let parts = PostmanURL(node)
        guard !parts.text.isEmpty else { return notes.append((.changed, "the request has no URL; its path is /", node ?? self.node)) }
        var url = ImportedURL(template.text(parts.text))
        url.openWebSocket(of: &endpoint)
        setRows(&url, parts.query, isComposed: parts.isComposed)
        endpoint.path = url.absolutePath
        url.addRowsAndLogin(to: &endpoint)
        if !url.fragment.isEmpty { notes.append((.omitted, "the fragment \(url.fragment) of the URL is never sent", node)) }
        if let base = url.base, let scheme = base.firstRange(of: "://").map({ base[..<$0.lowerBound].lowercased() }), !scheme.contains("{{"),
            !["http", "https"].contains(scheme)
        {
            notes.append((.omitted, "only http and https can be sent; the URL was \(endpoint.path)", node))
            endpoint.path = "/"
        }
    }

    /// Sets the rows: those of the list with the ones that are switched off, unless the text of the URL disagrees with it.
    private mutating func setRows(_ url: inout ImportedURL, _ list: SourceNode?, isComposed: Bool) {
        let items = list?.items ?? []
        var rows: [Parameter] = []
        for item in items {
            let row = row(item)
            let isNameOnly = item["value"]?.isNull ?? true
            // The values of the list are written as in the URL.
            let text = "\(template.text(item["key"]?.text ?? ""))\(isNameOnly ? "" : "=" + row.value)"
            var decoded = ImportedURL("/?" + text.replacing("&", with: "%26").replacing("#", with: "%23")).rows.first ?? row
            (decoded.isEnabled, decoded.summary) = (row.isEnabled, row.summary)
            if !(decoded.name.isEmpty && decoded.value.isEmpty) { rows.append(decoded) }
        }
        let sent = rows.filter(\.isEnabled).map { [$0.name, $0.value] }
        if isComposed || sent == url.rows.map({ [$0.name, $0.value] }) {
            url.rows = rows
        } else {
            if !sent.isEmpty { notes.append((.changed, "the list of parameters differs from the text of the URL, which is used", list)) }
            url.rows += rows.filter { !$0.isEnabled }
        }
    }

    /// Sets the values of `:name` in the path.
    private mutating func setPathVariables(_ list: SourceNode?) {
        for item in list?.items ?? [] {
            let name = item["key"]?.text ?? item["id"]?.text ?? ""
            // Postman inserts the values, and encodes what ends the path.
            let written = (item["value"]?.text ?? "").replacing("?", with: "%3F").replacing("#", with: "%23")
            let value = template.text(written)
            guard !name.isEmpty, !value.isEmpty, Self.isEnabled(item) else { continue }
            endpoint.setPathParameter(name, to: value, isEncoded: false)
        }
    }
}

extension Substring {
    /// The text without white space at its ends.
    var trimmed: String {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
