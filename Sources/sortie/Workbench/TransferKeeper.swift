internal import Model
internal import Networking
internal import Storage

/// Transfers that have not ended on disk, so that the next program offers them.
enum TransferKeeper {
    /// What earlier programs left, and who keeps what has not ended from now on; nobody where the state folder cannot be written to.
    static func open(
        workspace folder: String, mailbox: Mailbox, notices: inout [String]
    ) -> ([QueuedTransfer], LatestKeeper<[QueuedTransfer]>?) {
        do throws(WorkspaceError) {
            let store = try TransferStore(workspace: folder)
            let (left, problems) = store.adopt()
            notices += problems.map(\.description)
            return (left.map(asItIs), LatestKeeper("transfers", kept: left, mailbox: mailbox) { try store.keep($0) })
        } catch {
            notices.append("\(error)")
            return ([], nil)
        }
    }

    /// How much there is of a transfer now: what counts is beside its file.
    private static func asItIs(_ transfer: QueuedTransfer) -> QueuedTransfer {
        var transfer = transfer
        let left = transfer.file.flatMap { Downloads.left(of: $0) }
        transfer.bytes = left?.received ?? 0
        transfer.total = left?.total ?? transfer.total
        return transfer
    }
}
