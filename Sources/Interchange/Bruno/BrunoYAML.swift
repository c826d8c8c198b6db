internal import SortieBase

/// The blocks of a `.bru` file for a YAML file of Bruno (OpenCollection).
struct BrunoYAML: BrunoNotation {
    let file: String
    var blocks: [BruBlock] = []

    /// The blocks of a request, or of the settings of a folder or a collection.
    init(_ root: SourceNode, file: String) {
        self.file = file
        let info = root["info"]
        var meta = ["name", "type", "seq"].compactMap { name in info?[name].flatMap { pair(name, $0) } }
        let tags = info?["tags"]?.items?.compactMap(\.text) ?? []
        if !tags.isEmpty, let node = info?["tags"] { meta.append(pair("tags", tags.joined(separator: ","), at: node)) }
        add("meta", meta, at: info ?? root)
        for member in root.members ?? [] where !member.value.isNull {
            switch member.name {
            case "http", "graphql": addRequest(member.value, isGraphQL: member.name == "graphql", auth: Self.auth(root, member.value))
            case "websocket": addConnection(member.value, "ws", auth: Self.auth(root, member.value))
            case "grpc": addConnection(member.value, "grpc", auth: Self.auth(root, member.value))
            case "request":
                addParts(member.value)
                if let auth = member.value["auth"], let mode = mode(auth) {
                    add("auth", [pair("mode", mode, at: auth)], at: auth)
                    addAuth(auth)
                }
            case "runtime": addParts(member.value)
            case "settings": add("settings", (member.value.members ?? []).compactMap { pair($0.name, $0.value) }, at: member.value)
            case "docs": addDocs(member.value)
            case "examples": for item in member.value.items ?? [] { addExample(item) }
            case "info", "opencollection", "items", "config", "bundled", "extensions": break
            default:
                if member.value.items?.isEmpty != true { add(member.name, [], at: member.value) }
            }
        }
    }

    /// The blocks of an environment.
    init(environment root: SourceNode, file: String) {
        self.file = file
        let variables = root["variables"]
        let secrets = (variables?.items ?? []).filter { $0["secret"]?.bool == true }
        add("vars", rows(variables).filter { row in !secrets.contains { $0["name"]?.text == row.name } }, at: variables ?? root)
        let names = secrets.compactMap { node in node["name"]?.text.map { (node["disabled"]?.bool == true ? "~" : "") + $0 } }
        if !names.isEmpty { blocks.append(BruBlock(name: "vars:secret", content: .list(names), place: (variables ?? root).place(in: file))) }
    }

    // MARK: Blocks

    /// The text of a value, which may have a type beside it, or be one of several, of which the selected one counts.
    private static func value(_ node: SourceNode?) -> String {
        if let items = node?.items, let item = items.first(where: { $0["selected"]?.bool == true }) ?? items.first {
            return value(item["value"] ?? item)
        }
        return (node?["data"] ?? node)?.text ?? ""
    }

    /// The credentials of a request; nil for none.
    ///
    /// Another form of the format has them beside the scripts.
    private static func auth(_ root: SourceNode, _ request: SourceNode) -> SourceNode? { request["auth"] ?? root["runtime"]?["auth"] }

    /// Adds a block for each member whose name is not known, which the report then names, and for one that should be a list and is not.
    private mutating func addUnknown(of node: SourceNode, known: Set<String>, lists: Set<String>) {
        for member in node.members ?? [] where !member.value.isNull {
            if lists.contains(member.name) {
                if member.value.items == nil { add("\(member.name) that is no list", [], at: member.value) }
            } else if !known.contains(member.name) {
                add(member.name, [], at: member.value)
            }
        }
    }

    /// A list of `{name, value, disabled}`.
    private func rows(_ list: SourceNode?) -> [BruBlock.Pair] { (list?.items ?? []).map { Self.row($0) } }

    static func row(_ node: SourceNode) -> BruBlock.Pair {
        BruBlock.Pair(
            name: node["name"]?.text ?? "", value: value(node["value"]), isEnabled: node["disabled"]?.bool != true, summary: summary(node),
            place: node.place(in: node.file))
    }

    private mutating func addDocs(_ node: SourceNode) {
        let text = node.text ?? node["content"]?.text ?? ""
        if !text.isEmpty { add("docs", text: text, at: node) }
    }

    /// Adds a saved response in the notation of a `.bru` file.
    private mutating func addExample(_ node: SourceNode) {
        let response = node["response"]
        func part(_ name: String, _ lines: [String]) -> [String] { ["\(name): {"] + lines.map { "  " + $0 } + ["}"] }
        func row(_ name: String, _ text: String) -> String { "\(name): \(text)" }
        let headers = (response?["headers"]?.items ?? []).map { item in
            "\(item["disabled"]?.bool == true ? "~" : "")\(row(item["name"]?.text ?? "", item["value"]?.text ?? ""))"
        }
        var parts = part("headers", headers) + part("status", [row("code", response?["status"]?.text ?? "")])
        let content = Self.value(response?["body"])
        if !content.isEmpty {
            let text = content.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
            parts += part("body", [row("type", response?["body"]?["type"]?.text ?? ""), "content: '''"] + text + ["'''"])
        }
        add("example", text: ([row("name", node["name"]?.text ?? "")] + part("response", parts)).joined(separator: "\n"), at: node)
    }

    // MARK: Requests

    private mutating func addRequest(_ node: SourceNode, isGraphQL: Bool, auth: SourceNode?) {
        var request = ["method", "url"].compactMap { name in node[name].flatMap { pair(name, $0) } }
        addUnknown(of: node, known: ["method", "url", "body", "auth"], lists: ["params", "headers"])
        if let body = selected(node["body"]) {
            let kind = isGraphQL ? "graphql" : body["type"]?.text ?? "none"
            request.append(pair("body", kind, at: body))
            addBody(body, kind)
        }
        // Bruno writes nothing for a request without credentials.
        request.append(pair("auth", mode(auth) ?? "none", at: auth ?? node))
        add("http", request, at: node)
        let params = node["params"]?.items ?? []
        for (type, name) in [("query", "params:query"), ("path", "params:path")] {
            let list = params.filter { ($0["type"]?.text ?? "query") == type }
            guard let first = list.first else { continue }
            add(name, rows(SourceNode(.array(list), line: first.line, column: first.column)), at: first)
        }
        if let headers = node["headers"] { add("headers", rows(headers), at: headers) }
        addAuth(auth)
    }

    /// The body that is sent, of several alternatives the selected one; nil for none.
    private mutating func selected(_ node: SourceNode?) -> SourceNode? {
        guard let node, !node.isNull else { return nil }
        guard let items = node.items else { return node }
        let index = items.firstIndex { $0["selected"]?.bool == true } ?? 0
        for (other, item) in items.enumerated() where other != index {
            add("body \(item["title"]?.text ?? String(other + 1)), which is not selected,", [], at: item)
        }
        return items.isEmpty ? nil : items[index]["body"] ?? items[index]
    }

    /// A WebSocket connection or a call of gRPC, with its messages.
    private mutating func addConnection(_ node: SourceNode, _ name: String, auth: SourceNode?) {
        let known: Set = ["url", "method", "methodType", "protoFilePath", "auth", "message"]
        addUnknown(of: node, known: known, lists: ["headers", "metadata"])
        var request = [("url", "url"), ("method", "method"), ("methodType", "methodType"), ("protoPath", "protoFilePath")].compactMap { name, key in
            node[key].flatMap { pair(name, $0) }
        }
        request.append(pair("auth", mode(auth) ?? "none", at: auth ?? node))
        add(name, request, at: node)
        if let headers = node["headers"] ?? node["metadata"] { add("headers", rows(headers), at: headers) }
        addAuth(auth)
        guard let message = node["message"], !message.isNull else { return }
        for item in message.items ?? [message] {
            add("body:\(name)", [pair("content", Self.value(item["message"] ?? item), at: item)], at: item)
        }
    }

    /// What requests, folders and collections have in common.
    private mutating func addParts(_ node: SourceNode) {
        if let headers = node["headers"] { add("headers", rows(headers), at: headers) }
        if let variables = node["variables"] { add("vars:pre-request", rows(variables), at: variables) }
        if let assertions = node["assertions"] {
            let pairs = (assertions.items ?? []).map { item in
                let words = [item["operator"]?.text ?? "", item["value"]?.text ?? ""].filter { !$0.isEmpty }
                return pair(item["expression"]?.text ?? "", words.joined(separator: " "), isEnabled: item["disabled"]?.bool != true, at: item)
            }
            add("assert", pairs, at: assertions)
        }
        let actions = (node["actions"]?.items ?? []).filter { $0["type"]?.text == "set-variable" }
        if let first = actions.first {
            let pairs = actions.map { action in
                pair(
                    action["variable"]?["name"]?.text ?? "", action["selector"]?["expression"]?.text ?? "",
                    isEnabled: action["disabled"]?.bool != true, at: action)
            }
            add("vars:post-response", pairs, at: first)
        }
        let kinds = ["before-request": "script:pre-request", "after-response": "script:post-response", "tests": "tests"]
        for script in node["scripts"]?.items ?? [] {
            add(kinds[script["type"]?.text ?? ""] ?? "script:\(script["type"]?.text ?? "")", text: script["code"]?.text ?? "", at: script)
        }
    }

    // MARK: Bodies

    private mutating func addBody(_ body: SourceNode, _ kind: String) {
        guard let data = kind == "graphql" ? body : body["data"] else { return }
        switch kind {
        case "graphql":
            add("body:graphql", text: body["query"]?.text ?? "", at: body)
            if let variables = body["variables"]?.text { add("body:graphql:vars", text: variables, at: body) }
        case "form-urlencoded": add("body:form-urlencoded", rows(data), at: body)
        case "multipart-form": add("body:multipart-form", (data.items ?? []).map { part($0) }, at: body)
        case "file":
            let pairs = (data.items ?? []).map { item in
                pair("file", files([item["filePath"]?.text ?? ""], item), isEnabled: item["selected"]?.bool != false, at: item)
            }
            add("body:file", pairs, at: body)
        default: add("body:\(kind)", text: data.text ?? "", at: body)
        }
    }

    private func part(_ item: SourceNode) -> BruBlock.Pair {
        let isFile = item["type"]?.text == "file"
        let paths = item["value"]?.items?.compactMap(\.text) ?? [Self.value(item["value"])]
        return pair(
            item["name"]?.text ?? "", isFile ? files(paths, item) : Self.value(item["value"]) + contentType(item),
            isEnabled: item["disabled"]?.bool != true, at: item)
    }

    // MARK: Credentials

    /// The kind of credentials; nil where nothing is said.
    private func mode(_ auth: SourceNode?) -> String? { auth?.text ?? (auth?["type"] ?? auth?["mode"])?.text }

    private mutating func addAuth(_ auth: SourceNode?) {
        guard let auth, let members = auth.members, let mode = mode(auth), mode != "none", mode != "inherit" else { return }
        var pairs: [BruBlock.Pair] = []
        for member in members where member.name != "type" && member.name != "mode" {
            let inner = member.value.members ?? [SourceNode.Member(member.name, member.value)]
            pairs += inner.compactMap { pair(mode == "oauth2" ? Self.oauth2Name($0.name, in: member.name) : $0.name, $0.value) }
        }
        add("auth:\(mode)", pairs, at: auth)
    }

    /// The name of a setting in a block: `clientId` of `credentials` is `client_id`, its `placement` `credentials_placement`.
    static func oauth2Name(_ name: String, in parent: String) -> String {
        if name == "flow" { return "grant_type" }
        if name == "placement", parent != name { return "credentials_placement" }
        return name.reduce(into: "") { result, character in
            if character.isUppercase { result.append("_") }
            result += character.lowercased()
        }
    }
}
