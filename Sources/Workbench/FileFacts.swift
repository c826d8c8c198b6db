/// What is known of the files that requests name, and what was asked.
struct FileFacts: Hashable, Sendable {
    /// By absolute path.
    var facts: [String: FileFact] = [:]
    /// Paths that need not be asked for again.
    private var asked: Set<String> = []
    /// The endpoint and the tab that they were asked for.
    private var place: Place?

    struct Place: Hashable, Sendable {
        var target: String?
        var tab: RequestTab
    }

    /// The paths that have to be looked at; coming to another place looks at all of them anew.
    mutating func missing(of paths: [String], at place: Place) -> [String] {
        if self.place != place { forget() }
        self.place = place
        let new = Set(paths).subtracting(asked).sorted()
        asked.formUnion(new)
        return new
    }

    /// Has everything looked at again; until then what was known is shown.
    mutating func forget() {
        asked = []
        // What is known of files that are not looked at any more is only in the way.
        if facts.count > 1000 { facts = [:] }
    }
}
