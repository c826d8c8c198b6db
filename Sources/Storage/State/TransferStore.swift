public import Model

/// The transfers of a workspace that have not ended, kept so that neither the end of the program nor a crash loses one.
///
/// They are in `$XDG_STATE_HOME/sortie/transfers/WORKSPACE`, a file for each running program; what a program left that lives no more is offered by the
/// next one. What has come of a download is not here but beside its file.
public final class TransferStore: Sendable {
    private let state: ProgramState<StoredTransfer>

    /// Takes a place in the store of the workspace in `folder`.
    ///
    /// - Throws: when the state folder cannot be written to.
    public init(workspace folder: String, stateFolder: String = StateFolder.path) throws(WorkspaceError) {
        state = try ProgramState(folder: StateFolder.path(in: "\(stateFolder)/sortie/transfers", of: folder))
    }

    /// Keeps these transfers in this order, and only these; on disk when this returns.
    public func keep(_ transfers: [QueuedTransfer]) throws(WorkspaceError) {
        try state.keep(transfers)
    }

    /// Takes over what programs left that live no more, in the order in which it was left.
    ///
    /// They are this program's when this returns. A file that cannot be read is left alone and reported; of a transfer, what can be read is taken over.
    public func adopt() -> (transfers: [QueuedTransfer], problems: [WorkspaceError]) {
        let (found, problems) = state.adopt { found, more in
            found += more.filter { new in !found.contains { $0.isSame(as: new) || $0 == new } }
        }
        return (found, problems)
    }
}
