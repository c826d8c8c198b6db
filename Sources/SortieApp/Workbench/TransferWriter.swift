internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// Stores the transfers that have not ended, so that the next session offers them.
enum TransferWriter {
    /// Returns the transfers of earlier sessions, and the keeper of those of this session; nil when the state folder cannot be
    /// written.
    static func open(
        workspace folder: String, in program: ProgramContext, mailbox: Mailbox, notices: inout [String]
    ) -> ([QueuedTransfer], LatestValueWriter<[QueuedTransfer]>?) {
        do throws(WorkspaceError) {
            let store = try TransferStore(workspace: folder, stateFolder: program.folders.state)
            let (left, problems) = store.adopt()
            notices += problems.map(\.description)
            return (left.map(asItIs), LatestValueWriter("transfers", kept: left, mailbox: mailbox) { try store.keep($0) })
        } catch {
            notices.append("\(error)")
            return ([], nil)
        }
    }

    /// Updates the received size of a transfer from the files on the disk.
    private static func asItIs(_ transfer: QueuedTransfer) -> QueuedTransfer {
        var transfer = transfer
        let left = transfer.file.flatMap { Downloads.left(of: $0) }
        transfer.bytes = left?.received ?? 0
        transfer.total = left?.total ?? transfer.total
        return transfer
    }
}
