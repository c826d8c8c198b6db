internal import WorkspaceModel

/// A cache of facts about the files that requests name.
struct FileFacts: Hashable, Sendable {
    /// The facts by absolute path.
    var facts: [String: FileFact] = [:]
    /// The paths that were inspected or are being inspected.
    private var asked: Set<String> = []
    /// The endpoint and the tab whose files were inspected.
    private var place: Place?

    struct Place: Hashable, Sendable {
        var target: EndpointID?
        var tab: RequestTab
    }

    /// Returns the paths that have to be inspected.
    ///
    /// A change of the endpoint or tab inspects all paths again.
    mutating func missing(of paths: [String], at place: Place) -> [String] {
        if self.place != place { forget() }
        self.place = place
        let new = Set(paths).subtracting(asked).sorted()
        asked.formUnion(new)
        return new
    }

    /// Inspects all paths again; until then the previous facts are shown.
    mutating func forget() {
        asked = []
        // Facts about files that are not shown any more only take memory.
        if facts.count > 1000 { facts = [:] }
    }
}
