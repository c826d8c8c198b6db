internal import Dispatch
internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench
internal import Synchronization
internal import WorkspaceModel

/// Writes the latest value to disk in the background; several changes in quick succession are written once.
final class LatestValueWriter<Value: Equatable & Sendable>: Sendable {
    private let mailbox: Mailbox
    private let save: @Sendable (Value) throws -> Void
    private let queue: DispatchQueue
    private let state: Mutex<State>

    private struct State {
        var kept: Value
        var isQueued = false
        /// The failure of the last write; nil where it succeeded.
        var failure: String?
    }

    /// Creates a writer; `kept` is the value on the disk.
    init(_ name: String, kept: Value, mailbox: Mailbox, save: @escaping @Sendable (Value) throws -> Void) {
        (self.mailbox, self.save) = (mailbox, save)
        queue = DispatchQueue(label: "sortie.\(name)")
        state = Mutex(State(kept: kept))
    }

    /// Stores a value.
    func keep(_ value: Value) {
        let mustQueue = state.withLock { state in
            guard value != state.kept else { return false }
            state.kept = value
            return !Swift.exchange(&state.isQueued, with: true)
        }
        if mustQueue { queue.async { self.write() } }
    }

    /// Waits until the last change is on the disk; a write that failed is tried again, because there may be space since.
    ///
    /// - Returns: The reason why it could not be written; nil where it was.
    func finish() -> String? {
        queue.sync { if state.withLock({ $0.failure != nil }) { write() } }
        return state.withLock { $0.failure }
    }

    private func write() {
        let value = state.withLock { state in
            state.isQueued = false
            return state.kept
        }
        do {
            try save(value)
            state.withLock { $0.failure = nil }
        } catch {
            let failure = "\(error)"
            // The same failure is not reported again with each key.
            let isNew = state.withLock { Swift.exchange(&$0.failure, with: failure) != failure }
            if isNew { mailbox.post(.notStored(failure)) }
        }
    }
}

/// Stores unsaved edits on disk, so that a crash does not lose them.
enum DraftWriter {
    /// Returns the unsaved edits of earlier sessions, and the writer of those of this session.
    static func open(
        of workspace: Workspace, stateFolder: String, mailbox: Mailbox, notices: inout [String]
    ) -> (UnsavedEdits, LatestValueWriter<UnsavedEdits>) {
        let store = DraftFile(workspace: workspace.identity, stateFolder: stateFolder)
        var drafts = UnsavedEdits()
        do {
            let (edits, problems) = try store.open().adopt()
            drafts = UnsavedEdits(edits)
            notices += problems.map(\.description)
        } catch {
            notices.append("\(error)")
        }
        let stored = drafts
        let (copies, services) = drafts.separate { target in
            workspace.endpoint(target) != nil || workspace.problem(of: .endpoint(EndpointID(target))) != nil
        }
        if !drafts.isEmpty { notices.append("Unsaved edits of \(drafts.text) are restored") }
        notices += copies.map { "Two windows edited \($0.target) differently; the older edits are the unsaved request \($0.copy)" }
        notices += services.map {
            "Two windows edited the service \($0.edited.folder); the older edits are restored at the next start after these are saved or discarded"
        }
        let writer = LatestValueWriter("drafts", kept: stored, mailbox: mailbox) { drafts in
            try store.open().keep(services.map(UnsavedEdit.service) + drafts.all)
        }
        return (drafts, writer)
    }
}

/// The file of the unsaved edits of this program, which is opened again where that failed at the start.
private final class DraftFile: Sendable {
    private let workspace: String
    private let stateFolder: String
    private let store = Mutex<DraftStore?>(nil)

    init(workspace: String, stateFolder: String) {
        (self.workspace, self.stateFolder) = (workspace, stateFolder)
    }

    func open() throws(WorkspaceError) -> DraftStore {
        try store.withLock { store throws(WorkspaceError) in
            if let store { return store }
            let opened = try DraftStore(workspace: workspace, stateFolder: stateFolder)
            store = opened
            return opened
        }
    }
}

/// Stores the transfers that have not ended, so that the next session offers them.
enum TransferWriter {
    /// Returns the transfers of earlier sessions, and the writer of those of this session; nil when the state folder cannot be
    /// written.
    static func open(
        workspace folder: String, in program: ProgramContext, mailbox: Mailbox, notices: inout [String]
    ) -> ([QueuedTransfer], LatestValueWriter<[QueuedTransfer]>?) {
        do throws(WorkspaceError) {
            let store = try TransferStore(workspace: folder, stateFolder: program.folders.state)
            let (left, problems) = store.adopt()
            notices += problems.map(\.description)
            return (left.map(withReceivedSize), LatestValueWriter("transfers", kept: left, mailbox: mailbox) { try store.keep($0) })
        } catch {
            notices.append("\(error)")
            return ([], nil)
        }
    }

    /// Updates the received size of a transfer from the files on the disk.
    private static func withReceivedSize(_ transfer: QueuedTransfer) -> QueuedTransfer {
        var transfer = transfer
        let left = transfer.file.flatMap { Downloads.left(of: $0) }
        transfer.bytes = left?.received ?? 0
        transfer.total = left?.total ?? transfer.total
        return transfer
    }
}
