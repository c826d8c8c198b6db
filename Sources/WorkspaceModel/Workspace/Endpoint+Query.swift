internal import SortieBase

extension Endpoint {
    /// Removes the parameters of these names from the query in the path; the rest of the path is unchanged.
    package mutating func removeQueryItems(named names: Set<String>) {
        guard !names.isEmpty, let question = path.firstIndex(of: "?") else { return }
        let start = path.index(after: question)
        let end = path[start...].firstIndex(of: "#") ?? path.endIndex
        let items = path[start..<end].split(separator: "&", omittingEmptySubsequences: false)
        let left = items.filter { !names.contains(PercentEncoding.decode($0.prefix { $0 != "=" })) }
        guard left.count < items.count else { return }
        path = path[..<question] + (left.isEmpty ? "" : "?" + left.joined(separator: "&")) + path[end...]
    }
}
