public import WorkspaceModel

/// Unsaved edits of a workspace, so that a crash or a closed terminal loses nothing that was typed (`CONTRIBUTING.md`, rule 7).
///
/// One file for each workspace folder under `$XDG_STATE_HOME/sortie/drafts`, removed when nothing is unsaved.
public struct DraftStore: Sendable {
    private let file: StateFile<[KeptDraft]>

    /// The drafts of the workspace in `folder`.
    ///
    /// - Parameter stateFolder: where programs keep their state.
    public init(workspace folder: String, stateFolder: String = StateFolder.path) {
        file = StateFile(
            path: StateFolder.path(in: "\(stateFolder)/sortie/drafts", of: folder, ending: ".json"), content: "the unsaved edits")
    }

    /// The drafts as they were left; none when nothing is unsaved.
    ///
    /// - Throws: when the file is there but cannot be read; it is left alone.
    public func load() throws(WorkspaceError) -> [EndpointDraft] {
        try file.load()?.map(\.draft) ?? []
    }

    /// Keeps these drafts, and only these.
    public func save(_ drafts: [EndpointDraft]) throws(WorkspaceError) {
        try file.save(drafts.isEmpty ? nil : drafts.map(KeptDraft.init))
    }
}

/// A draft as it is written; earlier versions wrote the edited endpoint alone.
private struct KeptDraft: Codable {
    let draft: EndpointDraft

    init(_ draft: EndpointDraft) { self.draft = draft }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: EndpointDraft.CodingKeys.self)
        draft =
            container.contains(.edited)
            ? try EndpointDraft(from: decoder) : EndpointDraft(original: nil, edited: try Endpoint(from: decoder))
    }

    func encode(to encoder: any Encoder) throws { try draft.encode(to: encoder) }
}
