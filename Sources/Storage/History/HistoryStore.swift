internal import Dispatch
internal import Foundation
internal import GRDB
public import Model
internal import Synchronization

/// Every exchange that was made, kept in `$XDG_STATE_HOME/sortie/history.sqlite` with bodies as files beside it, and shared by all programs of this user.
///
/// Secrets are masked before anything is written. Recording costs the caller next to nothing: exchanges are collected for a moment and written together
/// on a queue of the store's own.
public final class HistoryStore: Sendable {
    /// Why the history is not kept, or only to be read, with the way out; nil when all is well.
    public let problem: WorkspaceError?

    let database: HistoryDatabase
    let path: String
    let bodies: BodyFolder
    let retention: HistoryRetention
    /// Where everything is written, one after the other.
    let queue = DispatchQueue(label: "sortie.history", qos: .utility)
    /// Where large bodies are written, so that short exchanges do not wait for them.
    let bodyQueue = DispatchQueue(label: "sortie.history.bodies", qos: .utility)
    let state = Mutex(State())

    /// What waits to be written.
    struct Pending: Sendable {
        var call: FinishedCall
        var workspace: String?
        var redaction: Redaction
        /// Why its bodies are left out.
        var leftOut: String?
        /// How many bytes the bodies that are left out had.
        var leftOutRequest = 0
        var leftOutAnswer = 0
        /// Bytes of its bodies that are in memory.
        var bytes: Int
        /// Bytes of its body that are in a file of the engine.
        var spooled: Int
    }

    struct State: Sendable {
        var pending: [Pending] = []
        var isScheduled = false
        /// Bodies that wait, in memory and in files.
        var bytes = 0
        var spooled = 0
        /// Records that wait, those included that are being written.
        var count = 0
        /// Rows that could not be written, to be tried again.
        var unwritten: [HistoryRow] = []
        var watchers: [@Sendable (HistoryChange) -> Void] = []
        /// Failures that were told.
        var told: Set<WorkspaceError> = []
        var watch: FileWatch?
        var isLookScheduled = false
        var dataVersion: Int?
        /// Whether so many came that some may have to go.
        var isTidyDue = false
    }

    /// The most bytes of bodies that wait in memory, those that wait in files, and the most records whose bodies are kept.
    static let waitingBytes = 64 << 20
    static let waitingSpooled = 2 << 30
    static let waitingCount = 10_000
    /// The most rows that are kept in memory because they cannot be written.
    static let unwrittenLimit = 1000
    /// After how many exchanges it is time to look what has to go.
    static let tidyInterval: Int64 = 500

    /// Opens the history below `stateFolder`, making it where there is none.
    ///
    /// This never fails: where the file cannot be used, this program's exchanges are kept in memory, or what is there can be read and nothing is added;
    /// ``problem`` says so. Nothing that is there is removed or overwritten.
    public static func open(stateFolder: String = StateFolder.path, retention: HistoryRetention = .standard) -> HistoryStore {
        let path = "\(stateFolder)/sortie/history.sqlite"
        let store = HistoryStore(path: path, database: .open(path), retention: retention)
        store.begin()
        return store
    }

    /// - Parameter patience: how many seconds the lock of the bodies is waited for.
    init(path: String, database: HistoryDatabase, retention: HistoryRetention, patience: Double = 5) {
        self.path = path
        self.database = database
        self.retention = retention
        problem = database.problem
        bodies = BodyFolder(path: HistoryDatabase.bodyFolder(of: path), identity: database.identity, patience: patience)
    }

    /// Removes what a crash left, if nobody did for a while.
    private func begin() {
        guard database.mode == .file, bodies.needsSweep else { return }
        DispatchQueue.global(qos: .background).async { [weak self] in _ = self?.sweep() }
    }

    /// Whether bodies go into files.
    var keepsFiles: Bool { database.mode == .file }

    // MARK: Recording

    /// Keeps a call, secrets masked; returns at once, and is never slower for what is in the store.
    ///
    /// When far more comes than can be written, rows are kept without their bodies.
    ///
    /// - Parameters:
    ///   - workspace: the folder of the workspace that it belongs to.
    ///   - redaction: what is secret, with the values of secrets that were used.
    public func record(_ call: FinishedCall, workspace: String?, redaction: Redaction) {
        guard database.writer != nil else { return }
        let answer = call.exchange.response?.body.count ?? 0
        let isSpooled = answer > Self.spooledSize
        var pending = Pending(
            call: call, workspace: workspace, redaction: redaction,
            bytes: KeptRequestBody.count(of: call.exchange.request.body) + (isSpooled ? 0 : answer), spooled: isSpooled ? answer : 0)
        let (isFirst, isFull) = state.withLock { state in
            if state.count >= Self.waitingCount || state.bytes + pending.bytes > Self.waitingBytes
                || state.spooled + pending.spooled > Self.waitingSpooled
            {
                pending.leaveOutBodies()
            }
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

    /// Blocks until everything that was recorded before is on the disk.
    public func flush() {
        queue.sync { write() }
        bodyQueue.sync {}
    }

    // MARK: Watching

    /// Tells of changes, by this program or another one, on no particular thread; for as long as the store exists.
    public func watch(_ changed: @escaping @Sendable (HistoryChange) -> Void) {
        state.withLock { $0.watchers.append(changed) }
        guard database.mode == .file else { return }
        queue.async { self.watchFile() }
    }

    func tell(_ change: HistoryChange) {
        for watcher in state.withLock({ $0.watchers }) { watcher(change) }
    }

    /// Tells of a failure, unless it was told already.
    func tellOnce(_ error: WorkspaceError) {
        if state.withLock({ $0.told.insert(error).inserted }) { tell(.failed(error)) }
    }

    /// Notes that what lies at this place could be written, so that the next failure there is told again.
    func itWorks(_ place: String) {
        state.withLock { state in state.told = state.told.filter { $0.file != place } }
    }
}

extension HistoryStore.Pending {
    /// Leaves the bodies out, so that what waits takes little memory.
    mutating func leaveOutBodies() {
        guard bytes + spooled > 0 else { return }
        leftOut = "more came than could be written at that time"
        leftOutRequest = KeptRequestBody.count(of: call.exchange.request.body)
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
