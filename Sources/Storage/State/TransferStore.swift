package import WorkspaceModel

/// Stores the unfinished transfers of a workspace, so that neither the end of the program nor a crash loses one.
///
/// Each running program has a file in `$XDG_STATE_HOME/sortie/transfers/WORKSPACE`. The next program offers the transfers of programs that have
/// ended. The data of a download is stored beside its destination file.
package final class TransferStore: Sendable {
    private let state: ProgramState<StoredTransfer>

    /// Creates a file in the store of the workspace in `folder`.
    ///
    /// - Throws: When the state folder is not writable.
    package init(workspace folder: String, stateFolder: String) throws(WorkspaceError) {
        state = try ProgramState(folder: StateFolder.path(in: "\(stateFolder)/sortie/transfers", of: folder))
    }

    /// Replaces the stored transfers, in this order; they are on disk when this returns.
    package func keep(_ transfers: [QueuedTransfer]) throws(WorkspaceError) {
        try state.keep(transfers)
    }

    /// Takes over the transfers of programs that have ended, in their order.
    ///
    /// They belong to this program when this returns. A file that cannot be read is not changed and is reported; of a transfer, what can be read is taken over.
    package func adopt() -> (transfers: [QueuedTransfer], problems: [WorkspaceError]) {
        let (found, problems) = state.adopt { found, more in
            found += more.filter { new in !found.contains { $0.isSame(as: new) || $0 == new } }
        }
        return (found, problems)
    }
}
