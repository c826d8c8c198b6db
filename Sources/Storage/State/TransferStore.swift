public import Model

/// Stores the unfinished transfers of a workspace, so that neither the end of the program nor a crash loses one.
///
/// Each running program has a file in `$XDG_STATE_HOME/sortie/transfers/WORKSPACE`. The next program offers the transfers of programs that have
/// ended. The data of a download is stored beside its destination file.
public final class TransferStore: Sendable {
    private let state: ProgramState<QueuedTransfer>

    /// Creates a file in the store of the workspace in `folder`.
    ///
    /// - Throws: When the state folder is not writable.
    public init(workspace folder: String, stateFolder: String = StateFolder.path) throws(WorkspaceError) {
        state = try ProgramState(
            folder: StateFolder.path(in: "\(stateFolder)/sortie/transfers", of: folder), content: "the transfers that have not ended")
    }

    /// Replaces the stored transfers, in this order; they are on disk when this returns.
    public func keep(_ transfers: [QueuedTransfer]) throws(WorkspaceError) {
        try state.keep(transfers)
    }

    /// Takes over the transfers of programs that have ended, in their order.
    ///
    /// They belong to this program when this returns. A file that cannot be read is not changed and is reported.
    public func adopt() -> (transfers: [QueuedTransfer], problems: [WorkspaceError]) {
        let (found, problems) = state.adopt { found, more in
            found += more.map(Self.plausible).filter { new in !found.contains { $0.isSame(as: new) || $0 == new } }
        }
        return (found, problems)
    }

    /// The transfer with counts limited to a range that is safe for arithmetic, because the file may be damaged.
    private static func plausible(_ transfer: QueuedTransfer) -> QueuedTransfer {
        let counts: ClosedRange<Int64> = 0...1 << 53
        var transfer = transfer
        transfer.bytes = min(max(transfer.bytes, counts.lowerBound), counts.upperBound)
        if let total = transfer.total, !counts.contains(total) { transfer.total = nil }
        return transfer
    }
}
