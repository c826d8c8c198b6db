internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Changes a request in a YAML file of Bruno (OpenCollection); the writer of YAML keeps the bytes of everything else.
///
/// As with ``BruEdit``, only what is written here can be changed.
enum BrunoYAMLEdit {
    /// The document with a change of the request at a line; nil where there is none, and where its form has no place for the change.
    static func document(_ node: SourceNode, changing line: Int, from original: Endpoint, to edited: Endpoint) -> JSONValue? {
        if node["opencollection"] == nil, (node["info"] ?? node).line == line { return item(node, from: original, to: edited) }
        let items = node["items"]?.items ?? []
        for index in items.indices {
            guard let changed = document(items[index], changing: line, from: original, to: edited) else { continue }
            return node.json.setting("items", to: .array(items.indices.map { $0 == index ? changed : items[$0].json }))
        }
        return nil
    }

    private static func item(_ node: SourceNode, from original: Endpoint, to edited: Endpoint) -> JSONValue? {
        guard let key = ["http", "graphql"].first(where: { node[$0] != nil }), let old = node[key] else { return nil }
        var new = old.json
        if edited.method != original.method { new = new.setting("method", to: .string(edited.method.rawValue)) }
        if URLText(of: edited) != URLText(of: original) {
            new = new.setting("url", to: .string(BruEdit.url(of: edited, replacing: old["url"]?.text ?? "")))
        }
        if edited.query != original.query { new = new.setting("params", to: parameters(old["params"], from: original.query, to: edited.query)) }
        if edited.headers != original.headers {
            new = new.setting("headers", to: rows(old["headers"]?.items, from: original.headers, to: edited.headers))
        }
        if edited.auth != original.auth {
            // Credentials beside the scripts have another form.
            guard let (mode, values) = BruEdit.credentials(edited.auth), node["runtime"]?["auth"] == nil else { return nil }
            let isSame = old["auth"]?["type"]?.text == mode
            let start = isSame ? old["auth"]?.json ?? .null : ["type": .string(mode)]
            let own = values.reduce(start) { $0.setting($1.name, to: .string($1.value)) }
            // Bruno reads a request without the member as one without credentials.
            new = new.setting("auth", to: edited.auth == .none ? JSONValue?.none : edited.auth == .inherit ? .string(mode) : own)
        }
        if edited.body != original.body {
            guard old["body"]?.items == nil else { return nil }
            let mode = BruEdit.mode(of: edited.body, replacing: original.body, in: old["body"]?["type"]?.text)
            guard let mode, (mode == "graphql") == (key == "graphql") else { return nil }
            new = new.setting("body", to: body(old["body"], mode, from: original.body, to: edited.body))
        }
        var item = node.json.setting(key, to: new)
        if edited.summary != original.summary {
            let text = edited.summary.map(JSONValue.string)
            let content = node["docs"]?["content"] == nil ? nil : text.map { node["docs"]?.json.setting("content", to: $0) }
            item = item.setting("docs", to: content ?? text)
        }
        return item
    }

    private static func body(_ node: SourceNode?, _ mode: String, from original: BodyTemplate, to edited: BodyTemplate) -> JSONValue? {
        let old = node?.json ?? .object([])
        switch edited {
        case .graphQL(let query):
            let variables = query.variables.isEmpty ? nil : JSONValue.string(BruEdit.text(query.variables))
            return old.setting("query", to: .string(BruEdit.text(query.query))).setting("variables", to: variables)
        case .json(let text), .text(let text, _):
            let text = BruEdit.text(text, keepingCommentsOf: node?["type"]?.text == mode ? node?["data"]?.string : nil, original)
            return old.setting("type", to: .string(mode)).setting("data", to: .string(text))
        case .form(let edited):
            var before: [Parameter] = []
            if case .form(let rows) = original { before = rows }
            let data = rows(before.isEmpty ? nil : node?["data"]?.items, from: before, to: edited)
            return old.setting("type", to: .string(mode)).setting("data", to: data ?? .array([]))
        case .none, .plist, .file, .multipart: return nil
        }
    }

    // MARK: Rows

    /// The parameters of the query, those that are switched off after the others, as in an import; those of the path stay.
    private static func parameters(_ list: SourceNode?, from original: [Parameter], to edited: [Parameter]) -> JSONValue? {
        let nodes = list?.items ?? []
        let query = nodes.filter { $0["type"]?.text != "path" }
        guard !query.isEmpty || edited.contains(where: { !$0.isEnabled }) else { return list?.json }
        let sorted = query.filter { $0["disabled"]?.bool != true } + query.filter { $0["disabled"]?.bool == true }
        guard case .array(let new)? = rows(sorted, from: query.isEmpty ? [] : original, to: edited, type: "query") else {
            return query.count == nodes.count ? nil : .array(nodes.filter { $0["type"]?.text == "path" }.map(\.json))
        }
        return .array(new + nodes.filter { $0["type"]?.text == "path" }.map(\.json))
    }

    /// The rows of a list, of which unchanged ones stay; nil for none.
    private static func rows(_ nodes: [SourceNode]?, from original: [Parameter], to edited: [Parameter], type: String? = nil) -> JSONValue? {
        let nodes = nodes ?? []
        var rows = nodes.map { Optional($0.json) }
        for (index, row) in BruEdit.changes(of: nodes.map(BrunoYAML.row), from: original, to: edited) ?? [] {
            guard let index else {
                rows.append(row.map { Self.row($0, over: nil).setting("type", to: type.map(JSONValue.string)) })
                continue
            }
            rows[index] = row.map { Self.row($0, over: nodes[index]) }
        }
        let left = rows.compactMap(\.self)
        return left.isEmpty ? nil : .array(left)
    }

    private static func row(_ row: Parameter, over node: SourceNode?) -> JSONValue {
        let old = node?.json ?? .object([])
        let value = JSONValue.string(BruEdit.text(row.value))
        let new = old.setting("name", to: .string(BruEdit.text(row.name)))
            .setting("value", to: old["value"]?["data"] == nil ? value : old["value"]?.setting("data", to: value))
            .setting("disabled", to: row.isEnabled ? nil : true)
        return row.summary == node.flatMap(BrunoYAML.summary) ? new : new.setting("description", to: row.summary.map(JSONValue.string))
    }
}
