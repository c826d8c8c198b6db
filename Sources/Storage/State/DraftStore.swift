package import WorkspaceModel

/// Stores the unsaved edits of a workspace, so that a crash or a closed terminal does not lose them (`CONTRIBUTING.md`, rule 7).
///
/// There is one file for each workspace folder under `$XDG_STATE_HOME/sortie/drafts`, removed when no edit is unsaved.
package struct DraftStore: Sendable {
    private let file: StateFile<StoredDraft>

    /// Creates the store of the workspace in `folder`.
    ///
    /// - Parameter stateFolder: the folder for the state of programs.
    package init(workspace folder: String, stateFolder: String = StateFolder.path) {
        file = StateFile(StateFolder.path(in: "\(stateFolder)/sortie/drafts", of: folder, ending: ".json"))
    }

    /// The stored drafts; empty when no edit is unsaved.
    ///
    /// - Returns: The drafts, and what of them cannot be read; the file as it was is then kept beside the one that replaces it.
    /// - Throws: When the file exists but is no file of drafts, or one of a newer version; it is not changed.
    package func load() throws(WorkspaceError) -> (drafts: [EndpointDraft], problems: [WorkspaceError]) {
        let content = try file.load()
        return (content?.values ?? [], content?.problems ?? [])
    }

    /// Replaces the stored drafts.
    ///
    /// - Throws: also when the file is one of a newer version, which is not replaced.
    package func save(_ drafts: [EndpointDraft]) throws(WorkspaceError) {
        try file.save(drafts.isEmpty ? nil : drafts)
    }
}
