public import WorkspaceModel

/// The transfers of a workspace that have not ended, kept so that neither the end of the program nor a crash loses one.
///
/// They are in `$XDG_STATE_HOME/sortie/transfers/WORKSPACE`, a file for each running program; what a program left that lives no more is offered by the
/// next one. What has come of a download is not here but beside its file.
public final class TransferStore: Sendable {
    private let state: ProgramState<QueuedTransfer>

    /// Takes a place in the store of the workspace in `folder`.
    ///
    /// - Throws: when the state folder cannot be written to.
    public init(workspace folder: String, stateFolder: String = StateFolder.path) throws(WorkspaceError) {
        state = try ProgramState(
            folder: StateFolder.path(in: "\(stateFolder)/sortie/transfers", of: folder), content: "the transfers that have not ended")
    }

    /// Keeps these transfers in this order, and only these; on disk when this returns.
    public func keep(_ transfers: [QueuedTransfer]) throws(WorkspaceError) {
        try state.keep(transfers)
    }

    /// Takes over what programs left that live no more, in the order in which it was left.
    ///
    /// They are this program's when this returns. A file that cannot be read is left alone and reported.
    public func adopt() -> (transfers: [QueuedTransfer], problems: [WorkspaceError]) {
        let (found, problems) = state.adopt { found, more in
            found += more.map(Self.plausible).filter { new in !found.contains { $0.isSame(as: new) || $0 == new } }
        }
        return (found, problems)
    }

    /// The transfer with counts that can be computed with, whatever a damaged file says.
    private static func plausible(_ transfer: QueuedTransfer) -> QueuedTransfer {
        let counts: ClosedRange<Int64> = 0...1 << 53
        var transfer = transfer
        transfer.bytes = min(max(transfer.bytes, counts.lowerBound), counts.upperBound)
        if let total = transfer.total, !counts.contains(total) { transfer.total = nil }
        return transfer
    }
}
