internal import Dispatch
internal import Foundation
internal import Model
internal import Networking
internal import Storage
internal import Synchronization

/// Records the requests and responses of a client in an HTTP Archive file, asynchronously to the calls (S3.3).
final class TrafficCapture: Sendable {
    /// The masking rules at the moment of writing, when the secrets of the request are known.
    typealias Masking = @Sendable () -> Redaction

    /// The delay of an entry: values that a step captures from its response become known as secrets shortly after its end.
    private static let delay = DispatchTimeInterval.milliseconds(100)

    private let client: Client
    private let queue = DispatchQueue(label: "sortie.capture")
    private let state: Mutex<State>
    private let masking: Masking
    /// Whether other users can read the file.
    let isReadableByOthers: Bool

    private struct State {
        /// Nil after the end of writing.
        var file: HARFile?
        var failure: WorkspaceError?
        /// The attempts that wait to be written, and the number of their body bytes.
        var hops: [RecordedHop] = []
        var waiting = 0
        var isScheduled = false
    }

    /// Begins recording.
    ///
    /// - Parameters:
    ///   - onEntry: called with the number of entries in the file, or with the error that ends writing.
    /// - Throws: When the file cannot be used.
    init(
        of client: Client, into path: String, masking: @escaping Masking,
        onEntry: @escaping @Sendable (Result<Int, WorkspaceError>) -> Void = { _ in }
    ) throws(WorkspaceError) {
        self.client = client
        self.masking = masking
        let file = try HARFile(path: HomeFolder.expanding(path), version: NetworkingVersion.current)
        isReadableByOthers = file.isReadableByOthers
        state = Mutex(State(file: file))
        client.record { [weak self] hop in self?.take(hop, onEntry) }
    }

    /// Adds an attempt to the queue; blocks the caller while the queue is full.
    private func take(_ hop: RecordedHop, _ onEntry: @escaping @Sendable (Result<Int, WorkspaceError>) -> Void) {
        let (isFull, isFirst) = state.withLock { state in
            state.hops.append(hop)
            state.waiting += hop.response?.body.count ?? 0
            defer { state.isScheduled = true }
            return (state.waiting > Self.mostWaiting, !state.isScheduled)
        }
        if isFull {
            queue.sync { writeWaiting(onEntry) }
        } else if isFirst {
            queue.asyncAfter(deadline: .now() + Self.delay) { [self] in writeWaiting(onEntry) }
        }
    }

    private func writeWaiting(_ onEntry: @Sendable (Result<Int, WorkspaceError>) -> Void) {
        let hops = state.withLock { state in
            defer { (state.hops, state.waiting) = ([], 0) }
            state.isScheduled = false
            return state.hops
        }
        for hop in hops { write(hop, onEntry) }
    }

    /// The maximum number of body bytes of waiting entries.
    private static let mostWaiting = 64 << 20

    private func write(_ hop: RecordedHop, _ onEntry: @Sendable (Result<Int, WorkspaceError>) -> Void) {
        let entry = HAR.entry(hop, redaction: masking())
        let result: Result<Int, WorkspaceError>? = state.withLock { state in
            guard let file = state.file else { return nil }
            do throws(WorkspaceError) {
                try file.append(entry)
                return .success(file.count)
            } catch {
                state.file = nil
                state.failure = error
                return .failure(error)
            }
        }
        if case .failure = result { client.record(with: nil) }
        if let result { onEntry(result) }
    }

    /// Ends recording after everything that has ended is written; returns the number of entries, nil when writing failed.
    @discardableResult
    func stop() -> Int? {
        client.record(with: nil)
        return queue.sync {
            writeWaiting { _ in }
            return state.withLock { state in
                defer { state.file = nil }
                return state.file?.count
            }
        }
    }

    /// The number of entries in the file.
    var count: Int { state.withLock { $0.file?.count ?? 0 } }
}

// MARK: Commands

extension TrafficCapture {
    /// The recording of a command with `--capture`; nil without it.
    static func begin(_ path: String?, of client: Client, masking redaction: LiveRedaction) throws -> TrafficCapture? {
        guard let path else { return nil }
        guard path != "-" else {
            throw CommandFailure(.usage, "--capture writes to a file, not to stdout", hint: "sortie history export --har - writes to stdout")
        }
        do {
            let capture = try TrafficCapture(of: client, into: path, masking: { redaction.current })
            if capture.isReadableByOthers { StandardError.warnReadable(path) }
            return capture
        } catch { throw CommandFailure(error) }
    }

    /// Ends the recording.
    ///
    /// - Throws: When not everything was written.
    func finish() throws {
        if stop() == nil, let failure = state.withLock({ $0.failure }) { throw CommandFailure(failure) }
    }
}
