internal import SortieBase
internal import WorkspaceModel

/// What the requests of a collection have in common while they are imported: identities, the report, and variables that stand for values of the tool.
struct CollectionImport {
    /// The file of the source, for places.
    let file: String
    /// What was imported, changed and omitted.
    var report = ImportReport()
    /// The variables of the result.
    var variables: [String: String] = [:]
    private var ids: [String: Int] = [:]

    /// - Parameter previous: the import of another file whose identities are taken; nil for the first one.
    init(file: String, following previous: CollectionImport? = nil) {
        self.file = file
        ids = previous?.ids ?? [:]
    }

    /// An identity that no other item has; the second item with the same text gets a number.
    mutating func identity(_ text: String) -> String {
        ids[text, default: 0] += 1
        return ids[text] == 1 ? text : "\(text) \(ids[text] ?? 0)"
    }

    mutating func note(_ outcome: ImportReport.Outcome, _ item: String, _ reason: String, _ node: SourceNode?, id: String? = nil) {
        report.add(outcome, item, reason, place: node?.place(in: file), id: id)
    }

    /// Adds a variable; returns false where it has another value already.
    mutating func add(variable name: String, _ value: String) -> Bool {
        if let known = variables[name] { return known == value }
        variables[name] = value
        return true
    }
}
