internal import SortieBase

/// The parameters of the query with which a browser is redirected (`application/x-www-form-urlencoded`).
struct QueryParameters: Sendable {
    private let pairs: [(name: String, value: String)]

    init(_ query: String) {
        pairs = query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            func decoded(_ text: Substring) -> String { PercentEncoding.decode(text, plusIsSpace: true) }
            return (decoded(parts[0]), parts.count == 2 ? decoded(parts[1]) : "")
        }
    }

    /// The values of a name, in order.
    func values(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }
}
