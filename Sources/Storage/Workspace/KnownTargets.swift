internal import SortieBase

/// The targets of all endpoint files, to which steps, plugins and `extends:` refer.
struct KnownTargets {
    /// The targets in the order of their files.
    private var names: [String] = []
    private var known: Set<String> = []
    /// The further searches for the most similar target; each one compares with every target.
    private var searchesLeft = 200

    init(_ names: some Sequence<String> = []) { for name in names { insert(name) } }

    mutating func insert(_ target: String) { if known.insert(target).inserted { names.append(target) } }

    func contains(_ target: String) -> Bool { known.contains(target) }

    /// The target that may be meant by one that does not exist; nil where none is near, and after many searches.
    mutating func nearest(to target: String) -> String? {
        guard searchesLeft > 0 else { return nil }
        searchesLeft -= 1
        return Suggestion.nearest(to: target, in: names) ?? names.first { FilePath.name(of: $0) == FilePath.name(of: target) }
    }
}
