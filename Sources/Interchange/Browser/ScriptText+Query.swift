internal import SortieBase

extension ScriptText {
    /// The text of a query or a form.
    static func encoded(_ pairs: [(name: String, value: String)], allowed: PercentEncoding.Allowed) -> String {
        pairs.map { "\(PercentEncoding.encode($0.name, allowed: allowed))=\(PercentEncoding.encode($0.value, allowed: allowed))" }.joined(
            separator: "&")
    }
}
