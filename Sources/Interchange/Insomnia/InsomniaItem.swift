internal import SortieBase

/// A request or a folder of an export, in the order of Insomnia.
struct InsomniaItem {
    /// The kinds of items.
    enum Kind: Hashable {
        case request, folder, webSocket, grpc
        /// A kind that cannot be imported, with its name.
        case other(String)
    }

    var kind: Kind
    var id: String
    var node: SourceNode
    /// Items are sorted by this key.
    var sortKey: Double
    var children: [InsomniaItem] = []

    var name: String { node["name"]?.text ?? "" }

    /// The description: a member of version 4, one of `meta` in version 5.
    var summary: String? {
        guard let text = node["description"]?.string ?? node["meta"]?["description"]?.string, !text.isEmpty else { return nil }
        return text
    }

    /// The scripts with their kinds.
    var scripts: [(kind: String, text: String, node: SourceNode)] {
        [
            ("pre-request", node["preRequestScript"] ?? node["scripts"]?["preRequest"]),
            ("after-response", node["afterResponseScript"] ?? node["scripts"]?["afterResponse"]),
        ].compactMap { kind, script in
            guard let script, let text = script.string, !text.allSatisfy(\.isWhitespace) else { return nil }
            return (kind, text, script)
        }
    }

    /// A setting of a request, by its names in version 4 and 5.
    func setting(_ old: String, _ path: String...) -> SourceNode? {
        node[old] ?? path.reduce(node["settings"]) { $0?[$1] }
    }

    /// Sorts items and their children; items with equal keys keep their order.
    static func sorted(_ items: [InsomniaItem]) -> [InsomniaItem] {
        items.enumerated().sorted { ($0.element.sortKey, $0.offset) < ($1.element.sortKey, $1.offset) }.map { _, item in
            var item = item
            item.children = sorted(item.children)
            return item
        }
    }

    /// The items of version 5, which are nested.
    static func nested(_ list: SourceNode?) -> [InsomniaItem] {
        (list?.items ?? []).map { node in
            let id = node["meta"]?["id"]?.text ?? ""
            var item = InsomniaItem(kind: .request, id: id, node: node, sortKey: node["meta"]?["sortKey"]?.text.flatMap { Double($0) } ?? 0)
            if let children = node["children"] {
                item.kind = .folder
                item.children = nested(children)
            } else if id.hasPrefix("ws-req") {
                item.kind = .webSocket
            } else if id.hasPrefix("greq") || node["protoFileId"] != nil || node["protoMethodName"] != nil {
                item.kind = .grpc
            } else if id.hasPrefix("socketio") {
                item.kind = .other("Socket.IO")
            } else if id.hasPrefix("mcp") || node["transportType"] != nil {
                item.kind = .other("MCP")
            }
            return item
        }
    }
}
