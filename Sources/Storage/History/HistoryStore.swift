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
        /// The bytes of waiting bodies, in memory and in spool files, and the limit of the first ones.
        var bytes = 0
        var spooled = 0
        var byteLimit = HistoryStore.waitingBytes
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
            count < HistoryStore.waitingCount && bytes + pending.bytes <= byteLimit
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
        let bodySize = call.exchange.response?.body.count ?? 0
        let isSpooled = bodySize > Self.spooledSize
        var pending = Pending(
            call: call, workspace: workspace, redaction: redaction,
            bytes: StoredRequestBody.count(of: call.exchange.request.body) + (isSpooled ? 0 : bodySize), spooled: isSpooled ? bodySize : 0)
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

    func notify(_ change: HistoryChange) {
        for watcher in state.withLock({ $0.watchers }) { watcher(change) }
    }

    /// Reports a failure, unless it was reported already.
    func notifyOnce(_ error: WorkspaceError) {
        if state.withLock({ $0.reported.insert(error).inserted }) { notify(.failed(error)) }
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

extension HistoryStore {
    /// Pins exchanges, which exempts them from pruning, or unpins them.
    ///
    /// - Throws: `unwritable` when the history cannot be written.
    package func setPinned(_ numbers: [Int64], _ isPinned: Bool) throws(WorkspaceError) {
        try changing { db in
            for number in numbers {
                try db.execute(sql: "UPDATE exchange SET isPinned = ? WHERE number = ?", arguments: [isPinned, number])
            }
        }
    }

    /// Replaces the tags of an exchange.
    ///
    /// A tag that contains whitespace is split.
    ///
    /// - Throws: `unwritable` when the history cannot be written.
    package func setTags(_ number: Int64, _ tags: [String]) throws(WorkspaceError) {
        var seen: Set<String> = []
        let words = tags.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map(String.init).filter { seen.insert($0).inserted }
        try changing { db in
            try db.execute(sql: "UPDATE exchange SET tags = ? WHERE number = ?", arguments: [words.joined(separator: " "), number])
        }
    }

    /// Replaces the user's note on an exchange.
    ///
    /// - Throws: `unwritable` when the history cannot be written.
    package func setNote(_ number: Int64, _ note: String) throws(WorkspaceError) {
        try changing { db in try db.execute(sql: "UPDATE exchange SET note = ? WHERE number = ?", arguments: [note, number]) }
    }

    /// Deletes exchanges, and bodies that no other exchange has.
    ///
    /// - Throws: `unwritable` when the history cannot be written.
    package func delete(_ numbers: [Int64]) throws(WorkspaceError) {
        _ = try changing { db in try self.remove(numbers, db) }
        _ = removeUnnamedBodies()
    }

    /// Changes rows on the store's queue, after the pending exchanges are written.
    ///
    /// - Parameter notifies: Whether observers are notified.
    @discardableResult
    func changing<Value>(notifies: Bool = true, _ work: (Database) throws -> Value) throws(WorkspaceError) -> Value {
        guard let writer = database.writer else {
            throw problem ?? WorkspaceError(.unwritable, file: path, "the history can only be read")
        }
        let result = queue.sync {
            write()
            return Result { try writer.write(work) }
        }
        do {
            let value = try result.get()
            if notifies { notify(.written) }
            return value
        } catch { throw HistoryTrouble.working(path, error, whileWriting: true) }
    }

    /// Removes rows and returns their number.
    ///
    /// The files of their bodies stay.
    func remove(_ numbers: [Int64], _ db: Database) throws -> Int {
        var rows = 0
        for number in numbers {
            try db.cachedStatement(sql: "DELETE FROM search WHERE rowid = ?").execute(arguments: [number])
            try db.cachedStatement(sql: "DELETE FROM exchange WHERE number = ?").execute(arguments: [number])
            rows += db.changesCount
        }
        return rows
    }
}

/// Detection of writes by other programs, on the store's queue.
extension HistoryStore {
    /// The time from a write to a look at the version, and those to the looks after it.
    ///
    /// SQLite writes to the WAL file before other connections see the change, and a program that is interrupted between both publishes it later,
    /// without another write. The end of that program is noticed as well, because it closes the file.
    private static let delay = DispatchTimeInterval.milliseconds(100)
    private static let lateDelays = [DispatchTimeInterval.seconds(1), .seconds(10)]

    /// Starts to watch the WAL file, which every write goes to.
    func watchFile() {
        guard state.withLock({ $0.watch == nil }) else { return }
        let version = dataVersion()
        let watch = FileWatch(path + "-wal", queue: queue) { [weak self] in self?.noticeWriting() }
        state.withLock { state in
            state.dataVersion = version
            state.watch = watch
        }
        // A write before the watch began is not reported by it.
        noticeWriting()
    }

    /// Schedules a check 100 ms after the first of several writes.
    private func noticeWriting() {
        let isFirst = !state.withLock { Swift.exchange(&$0.isLookScheduled, with: true) }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + Self.delay) { [weak self] in
            guard let self else { return }
            let number = state.withLock { state in
                state.isLookScheduled = false
                state.looks += 1
                return state.looks
            }
            look()
            lookLater(Self.lateDelays[...], after: number)
        }
    }

    /// Looks again after each of the delays, until a look after another write.
    private func lookLater(_ delays: ArraySlice<DispatchTimeInterval>, after number: Int) {
        guard let delay = delays.first else { return }
        queue.asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self, state.withLock({ $0.looks == number }) else { return }
            look()
            lookLater(delays.dropFirst(), after: number)
        }
    }

    private func look() {
        let version = dataVersion()
        let isOther = state.withLock { state in
            defer { state.dataVersion = version }
            return version != nil && state.dataVersion != version
        }
        if isOther { notify(.written) }
    }

    /// `PRAGMA data_version`, which changes when another connection writes.
    private func dataVersion() -> Int? {
        do { return try database.writer?.writeWithoutTransaction { db in try Int.fetchOne(db, sql: "PRAGMA data_version") } } catch { return nil }
    }
}

/// Reports writes to a file by any process, and that one which can write closes it, with inotify instead of polling.
final class FileWatch: Sendable {
    private let events: FileEvents

    /// Watches the file at `path`; nil when the file does not exist, or the system cannot add a watch.
    ///
    /// - Parameter changed: Called on `queue`, once for several writes in quick succession.
    init?(_ path: String, queue: DispatchQueue, changed: @escaping @Sendable () -> Void) {
        guard let events = FileEvents(queue: queue), events.add(path, Int(IN_MODIFY | IN_CLOSE_WRITE)) >= 0 else { return nil }
        self.events = events
        events.start { _ in changed() }
    }
}

/// A change of the history, for its observers.
package enum HistoryChange: Sendable {
    /// Exchanges were added, changed or removed, by this program or another one.
    case written
    /// Something could not be stored. Each kind of failure is reported once, until storing succeeds again.
    case failed(WorkspaceError)
}
