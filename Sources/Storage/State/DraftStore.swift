public import Model

/// Unsaved edits of a workspace, so that a crash or a closed terminal loses nothing that was typed (`CONTRIBUTING.md`, rule 7).
///
/// One file for each workspace folder under `$XDG_STATE_HOME/sortie/drafts`, removed when nothing is unsaved.
public struct DraftStore: Sendable {
    private let file: StateFile<StoredDraft>

    /// The drafts of the workspace in `folder`.
    ///
    /// - Parameter stateFolder: where programs keep their state.
    public init(workspace folder: String, stateFolder: String = StateFolder.path) {
        file = StateFile(StateFolder.path(in: "\(stateFolder)/sortie/drafts", of: folder, ending: ".json"))
    }

    /// The drafts as they were left; none when nothing is unsaved.
    ///
    /// - Returns: The drafts, and what of them cannot be read; the file as it was is then kept beside the one that replaces it.
    /// - Throws: when the file is there but is no file of drafts, or one of a newer version; it is left alone.
    public func load() throws(WorkspaceError) -> (drafts: [EndpointDraft], problems: [WorkspaceError]) {
        let content = try file.load()
        return (content?.values ?? [], content?.problems ?? [])
    }

    /// Keeps these drafts, and only these.
    ///
    /// - Throws: also when the file is one of a newer version, which is not replaced.
    public func save(_ drafts: [EndpointDraft]) throws(WorkspaceError) {
        try file.save(drafts.isEmpty ? nil : drafts)
    }
}
