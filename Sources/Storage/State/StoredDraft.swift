internal import SortieBase
internal import WorkspaceModel

/// A draft as it is stored.
struct StoredDraft: StateRecord {
    static let format = StateFormat(key: "drafts", content: "the unsaved edits", migrations: [migrateFromVersion1])

    var edited: StoredEndpoint
    /// The endpoint in its file when the edits began; absent in drafts of 0.1.0.
    var original: StoredPart<StoredEndpoint>?

    init(_ draft: EndpointDraft) {
        edited = StoredEndpoint(draft.edited)
        original = draft.original.map { StoredPart(StoredEndpoint($0)) }
    }

    func value(_ problems: inout [String]) -> EndpointDraft? {
        guard let edited = edited.endpoint(&problems) else { return nil }
        if let problem = original?.problem { problems.append("what the file had: \(problem)") }
        return EndpointDraft(original: original?.value?.endpoint(&problems), edited: edited)
    }

    /// 0.1.0 wrote the edited endpoint alone.
    private static func migrateFromVersion1(_ record: JSONValue) -> JSONValue {
        guard record["edited"] == nil else {
            return EndpointMigration.migrated(EndpointMigration.migrated(record, key: "edited"), key: "original")
        }
        guard case .object = record else { return record }
        return .object([.init("edited", EndpointMigration.migrated(record))])
    }
}
