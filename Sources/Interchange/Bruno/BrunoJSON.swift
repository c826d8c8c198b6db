internal import SortieBase

/// The blocks of a `.bru` file for an item of a collection that Bruno exported as JSON.
struct BrunoJSON: BrunoNotation {
    let file: String
    var blocks: [BruBlock] = []

    /// The blocks of a request or a folder.
    init(item: SourceNode, file: String) {
        self.file = file
        var meta = ["name", "type", "seq"].compactMap { name in item[name].flatMap { pair(name, $0) } }
        if let tags = item["tags"], let items = tags.items, !items.isEmpty {
            meta.append(pair("tags", items.compactMap(\.text).joined(separator: ","), at: tags))
        }
        add("meta", meta, at: item)
        if let settings = item["settings"] { add("settings", (settings.members ?? []).compactMap { pair($0.name, $0.value) }, at: settings) }
        if let root = item["root"] { addSettings(root) }
        guard let request = item["request"] else { return }
        addRequest(request, kind: item["type"]?.text ?? "http")
        addParts(request)
    }

    /// The blocks of the collection itself.
    init(collection root: SourceNode, file: String) {
        self.file = file
        add("meta", [root["name"].flatMap { pair("name", $0) }].compactMap(\.self), at: root)
        if let settings = root["root"] { addSettings(settings) }
    }

    /// The blocks of an environment.
    init(environment root: SourceNode, file: String) {
        self.file = file
        let variables = root["variables"]
        let secrets = (variables?.items ?? []).filter { $0["secret"]?.bool == true }
        add("vars", rows(variables).filter { row in !secrets.contains { $0["name"]?.text == row.name } }, at: variables ?? root)
        let names = secrets.compactMap { node in node["name"]?.text.map { (node["enabled"]?.bool == false ? "~" : "") + $0 } }
        if !names.isEmpty { blocks.append(BruBlock(name: "vars:secret", content: .list(names), place: (variables ?? root).place(in: file))) }
    }

    // MARK: Blocks

    private mutating func add(_ name: String, text: SourceNode?) {
        guard let text, let content = text.text, !content.isEmpty else { return }
        add(name, text: content, at: text)
    }

    /// A list of `{name, value, enabled}`.
    private func rows(_ list: SourceNode?) -> [BruBlock.Pair] {
        (list?.items ?? []).map { pair($0["name"]?.text ?? "", $0["value"]?.text ?? "", isEnabled: $0["enabled"]?.bool != false, at: $0) }
    }

    // MARK: Folders and requests

    /// The settings of a folder or of the collection.
    private mutating func addSettings(_ root: SourceNode) {
        add("docs", text: root["docs"])
        guard let request = root["request"] else { return }
        if let auth = request["auth"], let mode = auth["mode"] { add("auth", [pair("mode", mode)].compactMap(\.self), at: auth) }
        addParts(request)
    }

    private mutating func addRequest(_ request: SourceNode, kind: String) {
        // `http-request` was the name before.
        let kind = kind.split(separator: "-").first.map(String.init) ?? kind
        let body = request["body"]
        let names = [("url", "url"), ("method", "method"), ("methodType", "methodType"), ("protoPath", "protoPath")]
        var pairs = names.compactMap { name, key in request[key].flatMap { pair(name, $0) } }
        if let mode = body?["mode"] { pairs += [pair("body", mode)].compactMap(\.self) }
        pairs.append(pair("auth", request["auth"]?["mode"]?.text ?? "none", at: request))
        let isConnection = kind == "ws" || kind == "grpc"
        add(isConnection ? kind : "http", pairs, at: request)
        let params = request["params"] ?? request["query"]
        for (type, name) in [("query", "params:query"), ("path", "params:path")] {
            let list = (params?.items ?? []).filter { ($0["type"]?.text ?? "query") == type }
            guard let first = list.first else { continue }
            add(name, rows(SourceNode(.array(list), line: first.line, column: first.column)), at: first)
        }
        guard let body else { return }
        guard !isConnection else {
            for message in body[kind]?.items ?? [] {
                guard let content = message["content"], let row = pair("content", content) else { continue }
                add("body:\(kind)", [row], at: message)
            }
            return
        }
        addBody(body)
    }

    private mutating func addBody(_ body: SourceNode) {
        for name in ["json", "text", "xml", "sparql"] { add("body:\(name)", text: body[name]) }
        add("body:graphql", text: body["graphql"]?["query"])
        add("body:graphql:vars", text: body["graphql"]?["variables"])
        if let list = body["formUrlEncoded"], list.items?.isEmpty == false { add("body:form-urlencoded", rows(list), at: list) }
        if let list = body["multipartForm"], let items = list.items, !items.isEmpty { add("body:multipart-form", items.map { part($0) }, at: list) }
        if let list = body["file"], let items = list.items, !items.isEmpty {
            let rows = items.map { pair("file", files([$0["filePath"]?.text ?? ""], $0), isEnabled: $0["selected"]?.bool != false, at: $0) }
            add("body:file", rows, at: list)
        }
    }

    private func part(_ item: SourceNode) -> BruBlock.Pair {
        let isFile = item["type"]?.text == "file"
        let paths = item["value"]?.items?.compactMap(\.text) ?? [item["value"]?.text].compactMap(\.self)
        let value = isFile ? files(paths, item) : (item["value"]?.text ?? "") + contentType(item)
        return pair(item["name"]?.text ?? "", value, isEnabled: item["enabled"]?.bool != false, at: item)
    }

    /// What requests, folders and collections have in common.
    private mutating func addParts(_ node: SourceNode) {
        if let headers = node["headers"], headers.items?.isEmpty == false { add("headers", rows(headers), at: headers) }
        for member in node["auth"]?.members ?? [] {
            guard let members = member.value.members else { continue }
            let isOAuth2 = member.name == "oauth2"
            let pairs = members.compactMap { pair(isOAuth2 ? BrunoYAML.oauth2Name($0.name, in: "") : $0.name, $0.value) }
            add("auth:\(member.name)", pairs, at: member.value)
        }
        for (key, name) in [("req", "vars:pre-request"), ("res", "vars:post-response")] {
            if let list = node["vars"]?[key], list.items?.isEmpty == false { add(name, rows(list), at: list) }
        }
        if let list = node["assertions"], list.items?.isEmpty == false { add("assert", rows(list), at: list) }
        add("script:pre-request", text: node["script"]?["req"])
        add("script:post-response", text: node["script"]?["res"])
        add("tests", text: node["tests"])
        add("docs", text: node["docs"])
    }
}
