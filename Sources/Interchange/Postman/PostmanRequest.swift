internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Makes an endpoint from a request of Postman.
struct PostmanRequest {
    private(set) var endpoint: Endpoint
    /// The parameters of the path that have a value.
    private(set) var pathParameters: Set<String> = []
    /// What was changed or omitted.
    private(set) var notes: [(outcome: ImportReport.Outcome, reason: ImportReason, node: SourceNode?)] = []
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
                notes.append((.omitted, ImportReason("", .settings).about(name), setting))
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
            for line in text.split(whereSeparator: \.isLineBreak) {
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                // A line that begins with two slashes is switched off.
                let isOff = line.hasPrefix("//")
                let name = isOff ? parts[0].dropFirst(2) : parts[0]
                add(
                    Parameter(template.text(name.trimmingBlanks), template.text((parts.count > 1 ? parts[1] : "").trimmingBlanks), isEnabled: !isOff),
                    header)
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
                add(Parameter(template.text(parts[0].trimmingBlanks), template.text((parts.count > 1 ? parts[1] : "").trimmingBlanks)), node)
            } else {
                add(row(node), node)
            }
        }
    }

    private mutating func add(_ row: Parameter, _ node: SourceNode) {
        var row = row
        row.name = row.name.trimmingBlanks
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
            if decoded.name.isEmpty, !decoded.value.isEmpty, decoded.isEnabled, isComposed {
                notes.append((.omitted, "a parameter without a name is not sent", item))
            }
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
            // Postman inserts the values, also an empty one, and encodes what ends the path. A backslash would be read as a slash.
            guard let text = item["value"]?.text else { continue }
            let written = text.replacing("?", with: "%3F").replacing("#", with: "%23").replacing("\\", with: "%5C")
            let value = template.text(written)
            guard !name.isEmpty, Self.isEnabled(item) else { continue }
            endpoint.setPathParameter(name, to: value, isEncoded: false)
            pathParameters.insert(":" + name)
        }
    }
}

/// Reads the body of a request of Postman.
struct PostmanBody {
    private(set) var notes: [(outcome: ImportReport.Outcome, reason: ImportReason, node: SourceNode?)] = []
    private(set) var template: PostmanTemplate
    private let node: SourceNode
    /// The media type of the header field; nil for none.
    private let contentType: String?

    init(_ node: SourceNode, contentType: String?, template: PostmanTemplate) {
        (self.node, self.contentType, self.template) = (node, contentType, template)
    }

    private static let languages = [
        "json": "application/json", "xml": "application/xml", "html": "text/html", "javascript": "application/javascript", "text": "text/plain",
    ]

    mutating func read() -> BodyTemplate {
        let body = content()
        guard node["disabled"]?.bool == true, body != .none else { return body }
        notes.append((.omitted, "the body is switched off", node))
        return .none
    }

    private mutating func content() -> BodyTemplate {
        let mode = node["mode"]?.string
        let content = mode.flatMap { node[$0] }
        switch mode {
        case nil, "none": return .none
        case "raw": return raw(content)
        case "urlencoded": return form(content)
        case "formdata": return parts(content)
        case "file": return file(content)
        case "graphql": return graphQL(content)
        case let mode?:
            notes.append((.omitted, "a body of the kind \(mode) is not known", node))
            return .none
        }
    }

    private mutating func raw(_ content: SourceNode?) -> BodyTemplate {
        guard let content, !content.isNull else { return .none }
        var text = content.text ?? content.json.text
        guard !text.isEmpty else { return .none }
        let language = node["options"]?["raw"]?["language"]?.string
        if language == "json", let uncommented = ImportedBody.withoutComments(text) {
            notes.append((.changed, ImportedBody.commentsOmitted, content))
            text = uncommented
        }
        return ImportedBody.text(template.text(text), contentType: contentType ?? language.flatMap { Self.languages[$0] } ?? "text/plain")
    }

    private mutating func row(_ node: SourceNode) -> Parameter {
        Parameter(
            template.text(node["key"]?.text ?? ""), template.text(node["value"]?.text ?? ""), isEnabled: PostmanRequest.isEnabled(node),
            summary: PostmanCollection.description(node["description"]))
    }

    private mutating func form(_ content: SourceNode?) -> BodyTemplate {
        if let text = content?.string {
            return text.isEmpty ? .none : .text(template.text(text), contentType: "application/x-www-form-urlencoded")
        }
        var rows: [Parameter] = []
        for node in content?.items ?? [] {
            let row = row(node)
            if row.name.isEmpty, !row.value.isEmpty, row.isEnabled { notes.append((.omitted, "a row of a form without a name is not sent", node)) }
            if !(row.name.isEmpty && row.value.isEmpty) { rows.append(row) }
        }
        return rows.isEmpty ? .none : .form(rows)
    }

    private mutating func parts(_ content: SourceNode?) -> BodyTemplate {
        var parts: [BodyTemplate.Part] = []
        for node in content?.items ?? [] {
            let row = row(node)
            let type = node["contentType"]?.string.flatMap { $0.isEmpty ? nil : template.text($0) }
            if row.summary != nil { notes.append((.omitted, "the description of the part \(row.name): a part has none", node)) }
            var part = BodyTemplate.Part(name: row.name, value: row.value, contentType: type, isEnabled: row.isEnabled)
            guard node["type"]?.string == "file" || node["src"].map({ !$0.isNull }) == true else {
                if !(row.name.isEmpty && row.value.isEmpty) { parts.append(part) }
                continue
            }
            part.fileName = node["fileName"]?.string.map { template.text($0) }
            let files = node["src"]?.items?.compactMap(\.string) ?? node["src"]?.string.map { [$0] } ?? []
            for file in files where !file.isEmpty {
                (part.value, part.isFile) = (template.text(file), true)
                parts.append(part)
            }
            guard files.allSatisfy(\.isEmpty) else { continue }
            notes.append((.changed, ImportedBody.missingFile(ofPart: row.name), node))
            (part.value, part.fileName, part.isEnabled) = ("", nil, false)
            parts.append(part)
        }
        return parts.isEmpty ? .none : .multipart(parts)
    }

    private mutating func file(_ content: SourceNode?) -> BodyTemplate {
        if let text = content?["content"]?.string, !text.isEmpty { return ImportedBody.text(template.text(text), contentType: contentType) }
        guard let path = content?.string ?? content?["src"]?.string, !path.isEmpty else {
            notes.append((.omitted, ImportReason("the body has no file", .bodyFile), node))
            return .none
        }
        return .file(path: template.text(path), contentType: nil)
    }

    private mutating func graphQL(_ content: SourceNode?) -> BodyTemplate {
        guard let content, let query = content["query"]?.text ?? content.string else { return .none }
        let variables = content["variables"].flatMap { $0.text ?? ($0.isNull ? "" : $0.json.text) } ?? ""
        let imported = ImportedBody.graphQL(
            query: template.text(query), variables: template.text(variables), operation: template.text(content["operationName"]?.text ?? ""))
        if imported.omitsVariables { notes.append((.omitted, ImportedBody.invalidVariables, content["variables"])) }
        return imported.body
    }
}

/// A URL of Postman: a text, or an object with the text and its parts.
struct PostmanURL {
    /// The text; empty for none.
    private(set) var text = ""
    /// The rows of the query.
    private(set) var query: SourceNode?
    /// The values of parameters in the path.
    private(set) var variables: SourceNode?
    /// Whether the text was made from the parts, without the query.
    private(set) var isComposed = false

    init(_ node: SourceNode?) {
        guard let node, !node.isNull else { return }
        if let text = node.string {
            self.text = text
            return
        }
        (query, variables) = (node["query"], node["variable"])
        if let raw = node["raw"]?.string, !raw.isEmpty {
            text = raw
            return
        }
        guard node["host"] != nil || node["path"] != nil else { return }
        isComposed = true
        let scheme = node["protocol"]?.string.map { $0 + "://" } ?? ""
        let port = node["port"]?.text.map { $0.isEmpty ? "" : ":" + $0 } ?? ""
        let login = [node["auth"]?["user"]?.text, node["auth"]?["password"]?.text].compactMap(\.self).map {
            $0.contains("{{") ? $0 : PercentEncoding.encode($0, allowed: .unreserved)
        }
        text = scheme + (login.isEmpty ? "" : login.joined(separator: ":") + "@") + Self.joined(node["host"], ".") + port
        let path = Self.joined(node["path"], "/")
        if !path.isEmpty { text += path.hasPrefix("/") ? path : "/" + path }
    }

    /// A text, or the pieces of a list; a piece may be an object with a value.
    private static func joined(_ node: SourceNode?, _ separator: String) -> String {
        guard let node else { return "" }
        return node.items.map { $0.map { $0.text ?? $0["value"]?.text ?? "" }.joined(separator: separator) } ?? node.text ?? ""
    }
}
