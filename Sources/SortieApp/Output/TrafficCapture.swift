internal import Dispatch
internal import Foundation
internal import HistoryModel
internal import SortieNetworking
internal import SortieStorage
internal import Synchronization
internal import WorkspaceModel

/// Records the requests and responses of a client in an HTTP Archive file, asynchronously to the calls.
final class TrafficCapture: Sendable {
    /// The masking rules at the moment of writing, when the secrets of the request are known.
    typealias Masking = @Sendable () -> Redaction

    /// The delay before an exchange is recorded: a received token becomes known as a secret shortly after the call ends.
    static let delay = DispatchTimeInterval.milliseconds(100)

    private let client: Client
    private let queue = DispatchQueue(label: "sortie.capture")
    private let state = Mutex(State())
    /// Separate from the state, because calls must not wait for the disk.
    private let output: Mutex<Output>
    private let masking: Masking
    /// Whether other users can read the file.
    let isReadableByOthers: Bool

    private struct Output {
        /// Nil after the end of writing.
        var file: HARFile?
        var failure: WorkspaceError?
    }

    private struct State {
        /// The exchanges whose last attempts are to be written.
        var exchanges: [Exchange] = []
        /// Those of steps that have not ended, whose captured values are not known yet.
        var held: [RequestID: [Exchange]] = [:]
        /// The number of bytes of the bodies of both.
        var waiting = 0
        var isScheduled = false

        /// Adds exchanges to those that are to be written; returns whether they must be scheduled.
        mutating func add(_ added: [Exchange]) -> Bool {
            exchanges += added
            return !Swift.exchange(&isScheduled, with: true)
        }
    }

    private let onEntry: @Sendable (Result<Int, WorkspaceError>) -> Void

    /// Begins recording.
    ///
    /// - Parameters:
    ///   - onEntry: called with the number of entries in the file, or with the error that ends writing.
    /// - Throws: When the file cannot be used.
    init(
        of client: Client, into path: String, masking: @escaping Masking,
        onEntry: @escaping @Sendable (Result<Int, WorkspaceError>) -> Void = { _ in }
    ) throws(WorkspaceError) {
        (self.client, self.masking, self.onEntry) = (client, masking, onEntry)
        let file = try HARFile(path: path, version: NetworkingVersion.current)
        isReadableByOthers = file.isReadableByOthers
        output = Mutex(Output(file: file))
        client.observeAttempts { [weak self] exchange in self?.take(exchange) }
    }

    /// Queues the last attempt of an exchange; waits when too many bytes are queued.
    private func take(_ exchange: Exchange) {
        let (isFull, isFirst) = state.withLock { state in
            state.waiting += exchange.response?.body.count ?? 0
            guard exchange.request.origin?.isSentByRun != true else {
                state.held[exchange.id, default: []].append(exchange)
                return (state.waiting > Self.mostWaiting, false)
            }
            return (state.waiting > Self.mostWaiting, state.add([exchange]))
        }
        if isFull {
            queue.sync { writeWaiting(onEntry) }
        } else if isFirst {
            schedule()
        }
    }

    /// Writes the exchanges of a step that has ended.
    func release(_ id: RequestID) {
        let isFirst = state.withLock { state in state.held.removeValue(forKey: id).map { state.add($0) } ?? false }
        if isFirst { schedule() }
    }

    private func schedule() {
        queue.asyncAfter(deadline: .now() + Self.delay) { [self] in writeWaiting(onEntry) }
    }

    private func writeWaiting(_ onEntry: (Result<Int, WorkspaceError>) -> Void) {
        let exchanges = state.withLock { state in
            defer { state.exchanges = [] }
            state.waiting -= state.exchanges.reduce(0) { $0 + ($1.response?.body.count ?? 0) }
            state.isScheduled = false
            return state.exchanges
        }
        for exchange in exchanges { write(exchange, onEntry) }
    }

    /// The maximum number of body bytes of waiting entries.
    private static let mostWaiting = 64 << 20

    private func write(_ exchange: Exchange, _ onEntry: (Result<Int, WorkspaceError>) -> Void) {
        let entry = HAR.entry(of: exchange, attempt: exchange.attempts.count - 1, redaction: masking())
        let result: Result<Int, WorkspaceError>? = output.withLock { output in
            guard let file = output.file else { return nil }
            do throws(WorkspaceError) {
                try file.append(entry)
                return .success(file.count)
            } catch {
                output.file = nil
                output.failure = error
                return .failure(error)
            }
        }
        if case .failure = result { client.observeAttempts(nil) }
        if let result { onEntry(result) }
    }

    /// Ends recording after everything that has ended is written; returns the number of entries, nil when writing failed.
    @discardableResult
    func stop() -> Int? {
        client.observeAttempts(nil)
        return queue.sync {
            // The steps of a run that was cut off do not end.
            state.withLock { state in
                state.exchanges += state.held.values.joined().sorted { $0.startedAt < $1.startedAt }
                state.held = [:]
            }
            writeWaiting { _ in }
            return output.withLock { output in
                defer { output.file = nil }
                return output.file?.count
            }
        }
    }

    /// The failure that ended writing; nil without one.
    var failure: WorkspaceError? { output.withLock { $0.failure } }

    /// The number of entries in the file.
    var count: Int { output.withLock { $0.file?.count ?? 0 } }
}
