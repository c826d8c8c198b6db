internal import WorkspaceModel

/// Tags of other tools.
enum ImportedTags {
    /// The tags as words, which those of an endpoint are; `a b` is `a-b`.
    ///
    /// Empty ones and repetitions are left out.
    static func words(of names: some Sequence<String>) -> [String] {
        var result: [String] = []
        for name in names {
            let tag = String(name.map { $0.isWhitespace || $0 == "," || $0 == "#" ? "-" : $0 })
            if Endpoint.tagProblem(tag) == nil, !result.contains(tag) { result.append(tag) }
        }
        return result
    }
}
