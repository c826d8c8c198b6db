/// Which directories of a target use the types of which others.
struct DirectoryGraph {
    /// One use: a file and a type of another directory that it names.
    struct Use: Hashable {
        var file: String
        var type: String
    }

    private struct Edge: Hashable {
        var from: String
        var to: String
    }

    private var uses: [Edge: Set<Use>] = [:]
    private var directories: Set<String> = []

    /// Creates the graph of a target's sources by their paths within the target (`Client/Client.swift`).
    ///
    /// A type with the name of one in another directory is left out, because a name does not say which of them is meant.
    init(_ sources: [String: String]) {
        var home: [String: String] = [:]
        var ambiguous: Set<String> = []
        let codes = sources.mapValues { SwiftCode($0) }
        for (path, code) in codes {
            let directory = Self.directory(of: path)
            directories.insert(directory)
            for type in code.types {
                if let other = home[type], other != directory { ambiguous.insert(type) }
                home[type] = directory
            }
        }
        for (path, code) in codes {
            let directory = Self.directory(of: path)
            for name in code.names.subtracting(ambiguous) {
                guard let other = home[name], other != directory else { continue }
                uses[Edge(from: directory, to: other), default: []].insert(Use(file: path, type: name))
            }
        }
    }

    private static func directory(of path: String) -> String {
        path.split(separator: "/").dropLast().first.map(String.init) ?? "(top)"
    }

    /// The cycles, each as a sentence with its directories and its weakest edge; empty without one.
    var cycles: [String] {
        var rest = directories
        var cycles: [String] = []
        while let start = rest.min() {
            // The directories that use each other are those that each can reach.
            let group = reachable(from: start).intersection(directories.filter { reachable(from: $0).contains(start) }).union([start])
            rest.subtract(group)
            guard group.count > 1 else { continue }
            let edges = uses.filter { group.contains($0.key.from) && group.contains($0.key.to) }
            guard
                let weakest = edges.min(by: { ($0.value.count, $0.key.from, $0.key.to) < ($1.value.count, $1.key.from, $1.key.to) })
            else { continue }
            let reasons = weakest.value.map { "\($0.type) in \($0.file)" }.sorted().prefix(5).joined(separator: ", ")
            cycles.append(
                "\(group.sorted().joined(separator: ", ")) use each other; the weakest edge is \(weakest.key.from) → \(weakest.key.to): \(reasons)")
        }
        return cycles
    }

    private func reachable(from start: String) -> Set<String> {
        var found: Set<String> = []
        var waiting = [start]
        while let next = waiting.popLast() {
            for edge in uses.keys where edge.from == next && found.insert(edge.to).inserted { waiting.append(edge.to) }
        }
        return found
    }
}
