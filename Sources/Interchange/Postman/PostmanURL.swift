internal import SortieBase

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
        text = scheme + Self.joined(node["host"], ".") + port
        let path = Self.joined(node["path"], "/")
        if !path.isEmpty { text += path.hasPrefix("/") ? path : "/" + path }
    }

    /// A text, or the pieces of a list; a piece may be an object with a value.
    private static func joined(_ node: SourceNode?, _ separator: String) -> String {
        guard let node else { return "" }
        return node.items.map { $0.map { $0.text ?? $0["value"]?.text ?? "" }.joined(separator: separator) } ?? node.text ?? ""
    }
}
