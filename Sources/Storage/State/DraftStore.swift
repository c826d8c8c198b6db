public import Model

/// Stores the unsaved edits of a workspace, so that a crash or a closed terminal does not lose them (`CONTRIBUTING.md`, rule 7).
///
/// There is one file for each workspace folder under `$XDG_STATE_HOME/sortie/drafts`, removed when no edit is unsaved.
public struct DraftStore: Sendable {
    private let file: StateFile<[KeptDraft]>

    /// Creates the store of the workspace in `folder`.
    ///
    /// - Parameter stateFolder: the folder for the state of programs.
    public init(workspace folder: String, stateFolder: String = StateFolder.path) {
        file = StateFile(
            path: StateFolder.path(in: "\(stateFolder)/sortie/drafts", of: folder, ending: ".json"), content: "the unsaved edits")
    }

    /// The stored drafts; empty when no edit is unsaved.
    ///
    /// - Throws: When the file exists but cannot be read; it is not changed.
    public func load() throws(WorkspaceError) -> [EndpointDraft] {
        try file.load()?.map(\.draft) ?? []
    }

    /// Replaces the stored drafts.
    public func save(_ drafts: [EndpointDraft]) throws(WorkspaceError) {
        try file.save(drafts.isEmpty ? nil : drafts.map(KeptDraft.init))
    }
}

/// A draft in the file; earlier versions wrote only the edited endpoint.
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
