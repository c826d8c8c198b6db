internal import Dispatch
internal import Foundation
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import Synchronization
internal import WorkspaceModel

/// Passes ended calls to the history, asynchronously to the calls.
final class HistoryRecorder: Sendable {
    private let client: Client
    private let workspace: String?
    private let redaction: LiveRedaction
    private let queue = DispatchQueue(label: "sortie.history")
    private let opening: HistoryOpening
    /// Whether no body is left out because exchanges arrive faster than they can be written.
    private let keepsAllBodies: Bool
    private let state = Mutex(State())

    private struct State {
        var waiting: [CompletedCall] = []
        /// The calls of steps that have not ended, whose captured values are not known yet.
        var held: [RequestID: CompletedCall] = [:]
        var isScheduled = false
        /// The number of bytes of the response bodies of the waiting calls.
        let bytes = WaitableCounter(limit: 32 << 20)

        /// Adds a call to the waiting ones; returns whether they must be scheduled.
        mutating func add(_ call: CompletedCall) -> Bool {
            waiting.append(call)
            bytes.add(call.exchange.response?.body.count ?? 0)
            return !Swift.exchange(&isScheduled, with: true)
        }
    }

    /// Starts to record the calls of a client.
    ///
    /// - Parameters:
    ///   - workspace: The folder of its workspace; nil for URLs of the command line.
    ///   - redaction: the masking rules at the time of writing, when the secrets of the call are known.
    ///   - opening: The store, which is opened when the first call has ended, or by ``prepare()``, so that no command waits for it before sending.
    ///   - keepsAllBodies: Whether no body is left out because exchanges arrive faster than they can be written; the sender must call
    ///     ``waitForRoom()``, so that the waiting bodies do not use up the memory.
    init(of client: Client, workspace: String?, redaction: LiveRedaction, into opening: HistoryOpening, keepsAllBodies: Bool = false) {
        (self.client, self.workspace, self.redaction, self.opening, self.keepsAllBodies) = (client, workspace, redaction, opening, keepsAllBodies)
        client.observeCalls { [self] in take($0) }
    }

    /// Opens the store while the request is on its way, so that the command need not wait for it at its end.
    func prepare() {
        queue.async { [opening] in _ = opening.store }
    }

    private func take(_ call: CompletedCall) {
        // The request stays parked and is recorded when it has been sent.
        let exchange = call.exchange
        if exchange.error?.code == .shutDown, exchange.attempts.isEmpty || exchange.request.options.retry?.parksWhenOffline == true { return }
        let isFirst = state.withLock { state in
            guard exchange.request.origin?.isSentByRun != true else {
                state.held[exchange.id] = call
                return false
            }
            return state.add(call)
        }
        if isFirst { schedule() }
    }

    /// Records the call of a step that has ended.
    func release(_ id: RequestID) {
        let isFirst = state.withLock { state in state.held.removeValue(forKey: id).map { state.add($0) } ?? false }
        if isFirst { schedule() }
    }

    private func schedule() {
        queue.asyncAfter(deadline: .now() + TrafficCapture.delay) { [self] in handOver() }
    }

    /// Returns when few bytes wait to be recorded, so that a fast sender does not use up the memory.
    func waitForRoom() async { await state.withLock { $0.bytes }.wait() }

    private func handOver() {
        let (calls, bytes) = state.withLock { state in
            state.isScheduled = false
            return (Swift.exchange(&state.waiting, with: []), state.bytes)
        }
        record(calls)
        bytes.subtract(calls.reduce(0) { $0 + ($1.exchange.response?.body.count ?? 0) })
    }

    private func record(_ calls: [CompletedCall]) {
        guard !calls.isEmpty else { return }
        let store = opening.store
        let (redaction, folder) = (redaction.always, opening.folders.current)
        for var call in calls {
            // The working directory may be another one when the exchange is read.
            call.exchange.request.body = call.exchange.request.body.rooted(in: folder)
            store.record(
                call, workspace: workspace, redaction: redaction.learning(from: call.exchange), waitsForRoom: keepsAllBodies)
        }
    }

    /// Waits until all ended calls are on the disk.
    ///
    /// Returns the reason why the history could not be written; nil without a problem or without a call.
    @discardableResult
    func finish() -> WorkspaceError? {
        client.observeCalls(nil)
        return queue.sync {
            // The steps of a run that was cut off do not end.
            state.withLock { state in
                for call in state.held.values.sorted(by: { $0.exchange.startedAt < $1.exchange.startedAt }) { _ = state.add(call) }
                state.held = [:]
            }
            handOver()
            guard let store = opening.opened else { return nil }
            store.flush()
            store.tidyIfDue { [opening] in .ofSettings(opening.folders) }
            store.shortenLog()
            return store.problem ?? store.failure
        }
    }
}

// MARK: Commands

extension HistoryRecorder {
    /// Creates the recorder of a command; nil with `--no-history`.
    static func begin(
        _ output: OutputOptions, of client: Client, workspace: Workspace, in program: ProgramContext, hiding redaction: LiveRedaction,
        keepsAllBodies: Bool = false
    ) -> HistoryRecorder? {
        guard !output.noHistory else { return nil }
        return HistoryRecorder(
            of: client, workspace: folder(of: workspace), redaction: redaction, into: HistoryOpening(program.folders), keepsAllBodies: keepsAllBodies)
    }

    /// The folder of a workspace as the history has it; nil for the empty workspace of URLs.
    static func folder(of workspace: Workspace) -> String? { workspace.hasFolder ? workspace.folder : nil }

    /// Ends the recording of a command, and prints a warning on stderr when it failed.
    ///
    /// The command itself does not fail.
    func end(warningOn errors: StandardError) {
        if let problem = finish() { errors.line("sortie: warning: \(problem)") }
    }
}

/// The attempts in an HTTP archive that Sortie wrote.
struct ArchivedAttempts {
    private struct Attempt: Hashable {
        let call: String
        let number: Int
    }

    private var attempts: Set<Attempt> = []

    /// The attempts of an archive without entries.
    init() {}

    /// Finds the attempts in the archive at `path`.
    ///
    /// Its entries identify them by a text that cannot occur elsewhere, because a quote within a string is escaped with a backslash.
    ///
    /// - Throws: When the file cannot be read.
    init(inFile path: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        let (call, number) = (Data("\"_call\": \"".utf8), Data("\", \"_attempt\": ".utf8))
        var rest = bytes.startIndex..<bytes.endIndex
        while let found = bytes.range(of: call, in: rest) {
            rest = found.upperBound..<bytes.endIndex
            guard let end = bytes[rest].firstIndex(of: UInt8(ascii: "\"")), bytes[end...].starts(with: number) else { continue }
            let digits = bytes[(end + number.count)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard let attempt = Int(String(decoding: digits, as: UTF8.self)) else { continue }
            attempts.insert(Attempt(call: String(decoding: bytes[rest.lowerBound..<end], as: UTF8.self), number: attempt))
        }
    }

    /// Whether the archive contains an attempt of a call.
    ///
    /// - Parameter number: The number of the attempt, from 1.
    func contains(_ number: Int, of call: RequestID) -> Bool { attempts.contains(Attempt(call: call.description, number: number)) }
}

/// Opens the history on first use.
final class HistoryOpening: Sendable {
    /// The folders of the user.
    let folders: UserFolders
    private let state = Mutex<HistoryStore?>(nil)
    private let whenOpened: @Sendable (HistoryStore) -> Void

    /// Creates an unopened history.
    ///
    /// - Parameter whenOpened: Called once with the opened store.
    init(_ folders: UserFolders, _ whenOpened: @escaping @Sendable (HistoryStore) -> Void = { _ in }) {
        (self.folders, self.whenOpened) = (folders, whenOpened)
    }

    /// The store; opens it if necessary, and blocks until it is open.
    var store: HistoryStore {
        let (store, isNew) = state.withLock { state in
            if let state { return (state, false) }
            let opened = HistoryStore.open(stateFolder: folders.state)
            state = opened
            return (opened, true)
        }
        if isNew { whenOpened(store) }
        return store
    }

    /// The store, if it is open.
    var opened: HistoryStore? { state.withLock { $0 } }
}
