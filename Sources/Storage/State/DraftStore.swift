public import Model

/// Unsaved edits of a workspace, so that a crash or a closed terminal loses nothing that was typed (architecture, rule 7).
///
/// One file for each workspace folder under `$XDG_STATE_HOME/sortie/drafts`, removed when nothing is unsaved.
public struct DraftStore: Sendable {
    private let file: StateFile<[Endpoint]>

    /// The drafts of the workspace in `folder`.
    ///
    /// - Parameter stateFolder: where programs keep their state.
    public init(workspace folder: String, stateFolder: String = StateFolder.path) {
        file = StateFile(path: "\(stateFolder)/sortie/drafts/\(StateFolder.name(of: folder)).json", content: "the unsaved edits")
    }

    /// The endpoints as they were left; none when nothing is unsaved.
    ///
    /// - Throws: when the file is there but cannot be read; it is left alone.
    public func load() throws(WorkspaceError) -> [Endpoint] {
        try file.load() ?? []
    }

    /// Keeps these endpoints, and only these.
    public func save(_ endpoints: [Endpoint]) throws(WorkspaceError) {
        try file.save(endpoints.isEmpty ? nil : endpoints)
    }
}
