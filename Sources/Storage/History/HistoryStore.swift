internal import Dispatch
internal import Foundation
internal import GRDB
package import HistoryModel
package import SortieHTTP
internal import Synchronization

/// Stores every exchange in `$XDG_STATE_HOME/sortie/history.sqlite`, with bodies as files beside it.
///
/// All programs of the user share it.
///
/// Secrets are masked before anything is written. Recording costs the caller little: exchanges are collected for 200 ms and written
/// together on the store's queue.
package final class HistoryStore: Sendable {
    /// The reason why the history is in memory or read-only, with the remedy; nil when the file can be written.
    package let problem: WorkspaceError?

    let database: HistoryDatabase
    let path: String
    let bodies: BodyFolder
    let retention: HistoryRetention
    /// Serialises writes, except those of large bodies.
    let queue = DispatchQueue(label: "sortie.history", qos: .utility)
    /// Writes large bodies, so that short exchanges do not wait for them.
    let bodyQueue = DispatchQueue(label: "sortie.history.bodies", qos: .utility)
    let state = Mutex(State())

    /// An exchange that waits to be written.
    struct Pending: Sendable {
        var call: CompletedCall
        var workspace: String?
        var redaction: Redaction
        /// The reason why its bodies are left out.
        var leftOut: String?
        /// The sizes in bytes of the bodies that are left out.
        var leftOutRequest = 0
        var leftOutAnswer = 0
        /// The bytes of its bodies that are in memory.
        var bytes: Int
        /// The bytes of its response body that are in a spool file of the engine.
        var spooled: Int
    }

    struct State: Sendable {
        var pending: [Pending] = []
        var isScheduled = false
        /// The bytes of waiting bodies, in memory and in spool files.
        var bytes = 0
        var spooled = 0
        /// The number of waiting exchanges, those included that are being written.
        var count = 0
        /// Rows that could not be written, to be tried again.
        var unwritten: [HistoryRow] = []
        var watchers: [@Sendable (HistoryChange) -> Void] = []
        /// Failures that were reported.
        var reported: Set<WorkspaceError> = []
        var watch: FileWatch?
        var isLookScheduled = false
        /// The number of looks after writes; later looks belong to the last one.
        var looks = 0
        var dataVersion: Int?
        /// Whether enough exchanges were written since the last pruning to prune again.
        var isTidyDue = false

        /// Whether an exchange can wait with its bodies.
        func hasRoom(for pending: Pending) -> Bool {
            count < HistoryStore.waitingCount && bytes + pending.bytes <= HistoryStore.waitingBytes
                && spooled + pending.spooled <= HistoryStore.waitingSpooled
        }
    }

    /// The limits of waiting bodies in memory, of waiting bodies in spool files, and of waiting exchanges.
    ///
    /// Beyond a limit, bodies are left out.
    static let waitingBytes = 64 << 20
    static let waitingSpooled = 2 << 30
    static let waitingCount = 10_000
    /// The number of unwritten rows that are kept in memory.
    static let unwrittenLimit = 1000
    /// The number of exchanges between two prunings.
    static let tidyInterval: Int64 = 500

    /// The path of the history below `stateFolder`.
    package static func path(stateFolder: String) -> String { "\(stateFolder)/sortie/history.sqlite" }

    /// Opens the history below `stateFolder`, creating it if necessary.
    ///
    /// This never fails. When the file cannot be written, it is opened read-only, or a database in memory replaces it; ``problem``
    /// has the reason. Existing data is neither removed nor overwritten.
    package static func open(stateFolder: String, retention: HistoryRetention = .standard) -> HistoryStore {
        let path = path(stateFolder: stateFolder)
        let store = HistoryStore(path: path, database: .open(path), retention: retention)
        store.begin()
        return store
    }

    /// - Parameter patience: The time to wait for the lock of the bodies, in seconds.
    init(path: String, database: HistoryDatabase, retention: HistoryRetention, patience: Double = 5) {
        self.path = path
        self.database = database
        self.retention = retention
        problem = database.problem
        bodies = BodyFolder(path: HistoryDatabase.bodyFolder(of: path), identity: database.identity, patience: patience)
    }

    /// Removes what a crash left, unless a sweep ran recently.
    private func begin() {
        guard database.mode == .file, bodies.needsSweep else { return }
        DispatchQueue.global(qos: .background).async { [weak self] in _ = self?.sweep() }
    }

    /// Whether bodies are written to files.
    var keepsFiles: Bool { database.mode == .file }

    // MARK: Recording

    /// Records a call with its secrets masked.
    ///
    /// Returns immediately, however large the store is, unless `waitsForRoom` is set.
    ///
    /// When exchanges arrive faster than they can be written, they are stored without their bodies.
    ///
    /// - Parameters:
    ///   - workspace: The folder of the workspace that the call belongs to.
    ///   - redaction: The names and values that are masked, including the values of secrets that were used.
    ///   - waitsForRoom: Whether the caller is blocked until the waiting exchanges are written, in place of leaving bodies out.
    package func record(_ call: CompletedCall, workspace: String?, redaction: Redaction, waitsForRoom: Bool = false) {
        guard database.writer != nil else { return }
        let answer = call.exchange.response?.body.count ?? 0
        let isSpooled = answer > Self.spooledSize
        var pending = Pending(
            call: call, workspace: workspace, redaction: redaction,
            bytes: StoredRequestBody.count(of: call.exchange.request.body) + (isSpooled ? 0 : answer), spooled: isSpooled ? answer : 0)
        if waitsForRoom, state.withLock({ !$0.hasRoom(for: pending) }) { flush() }
        let (isFirst, isFull) = state.withLock { state in
            if !state.hasRoom(for: pending) { pending.leaveOutBodies() }
            state.bytes += pending.bytes
            state.spooled += pending.spooled
            state.count += 1
            state.pending.append(pending)
            defer { state.isScheduled = true }
            return (!state.isScheduled, state.pending.count == 200)
        }
        if isFull { queue.async { self.write() } }
        if isFirst { queue.asyncAfter(deadline: .now() + .milliseconds(200)) { self.write() } }
    }

    /// Blocks until all recorded exchanges are on the disk.
    package func flush() {
        queue.sync { write() }
        bodyQueue.sync {}
    }

    // MARK: Watching

    /// Registers an observer of changes by this program or another one.
    ///
    /// It is called on an arbitrary thread, for the lifetime of the store.
    package func watch(_ changed: @escaping @Sendable (HistoryChange) -> Void) {
        state.withLock { $0.watchers.append(changed) }
        guard database.mode == .file else { return }
        queue.async { self.watchFile() }
    }

    func tell(_ change: HistoryChange) {
        for watcher in state.withLock({ $0.watchers }) { watcher(change) }
    }

    /// Reports a failure, unless it was reported already.
    func tellOnce(_ error: WorkspaceError) {
        if state.withLock({ $0.reported.insert(error).inserted }) { tell(.failed(error)) }
    }

    /// A failure to store something that has not succeeded since; nil without one.
    ///
    /// A program that observes no changes reports it at its end.
    package var failure: WorkspaceError? {
        state.withLock { $0.reported.min { $0.description < $1.description } }
    }

    /// Records that writing to this path succeeded, so that the next failure there is reported again.
    func itWorks(_ place: String) {
        state.withLock { state in state.reported = state.reported.filter { $0.file != place } }
    }
}

extension HistoryStore.Pending {
    /// Removes the bodies, so that a waiting exchange takes little memory.
    mutating func leaveOutBodies() {
        guard bytes + spooled > 0 else { return }
        leftOut = "exchanges arrived faster than they could be written"
        leftOutRequest = StoredRequestBody.count(of: call.exchange.request.body)
        leftOutAnswer = call.exchange.response?.body.count ?? 0
        bytes = 0
        spooled = 0
        call.exchange.response?.body = .empty
        switch call.exchange.request.body {
        case .none, .file: break
        case .bytes(_, let type): call.exchange.request.body = .bytes([], contentType: type)
        case .multipart(let parts):
            call.exchange.request.body = .multipart(
                parts.map { part in
                    var part = part
                    if case .bytes = part.content { part.content = .bytes([]) }
                    return part
                })
        }
    }
}
