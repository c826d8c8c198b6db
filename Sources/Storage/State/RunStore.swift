public import Model

/// How far the runs of a workspace got, so that one that failed can go on where it failed after the program has ended, in whatever way.
///
/// One file for each run under `$XDG_STATE_HOME/sortie/runs/WORKSPACE`, removed when the run finishes. What steps captured is in it, a login's token
/// too, because later steps need it: like every file of ours it is private to the user.
public struct RunStore: Sendable {
    private let folder: String

    /// The runs of the workspace in `folder`.
    public init(workspace folder: String, stateFolder: String = StateFolder.path) {
        self.folder = "\(stateFolder)/sortie/runs/\(StateFolder.name(of: folder))"
    }

    /// How far a run got that did not finish; nil when there is nothing to go on from.
    ///
    /// - Throws: when the file is there but cannot be read; it is left alone.
    public func load(_ run: String) throws(WorkspaceError) -> RunRecord? {
        try file(run).load()?.interrupted
    }

    /// Keeps how far a run is; that of a run that has finished is removed.
    public func save(_ record: RunRecord) throws(WorkspaceError) {
        try file(record.run).save(record.state == .finished ? nil : record)
    }

    private func file(_ run: String) -> StateFile<RunRecord> {
        StateFile(path: "\(folder)/\(StateFolder.name(of: run)).json", content: "the steps of the run \(run)")
    }
}
