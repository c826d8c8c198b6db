internal import WorkspaceModel

/// A draft as it is stored.
struct StoredDraft: StateRecord {
    static let format = StateFormat(key: "drafts", content: "the unsaved edits", version: 2)

    var edited: StoredEndpoint
    /// The endpoint in its file when the edits began; absent where that is not known.
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
}
