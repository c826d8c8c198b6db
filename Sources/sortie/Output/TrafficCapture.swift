internal import Dispatch
internal import Foundation
internal import Model
internal import Networking
internal import Storage
internal import Synchronization

/// Records what a client sends and gets into a file of HTTP Archive, away from the calls (S3.3).
final class TrafficCapture: Sendable {
    /// What is masked at the moment of writing, when the secrets of the request are known.
    typealias Masking = @Sendable () -> Redaction

    /// How long an entry waits: what a step captures from its response is known as a secret a moment after its end.
    private static let delay = DispatchTimeInterval.milliseconds(100)

    private let client: Client
    private let queue = DispatchQueue(label: "sortie.capture")
    private let state = Mutex(State())
    /// Separate from the state, because calls must not wait for the disk.
    private let output: Mutex<Output>
    private let masking: Masking
    /// Whether other users can read the file.
    let isReadableByOthers: Bool

    private struct Output {
        /// Nil once nothing is written any more.
        var file: HARFile?
        var failure: WorkspaceError?
    }

    private struct State {
        /// The attempts that wait for their entries, and how many bytes of bodies they have.
        var hops: [RecordedHop] = []
        var waiting = 0
        var isScheduled = false
    }

    /// Begins to record.
    ///
    /// - Parameters:
    ///   - onEntry: told how many entries the file has, or why nothing more is written.
    /// - Throws: when the file cannot be used.
    init(
        of client: Client, into path: String, masking: @escaping Masking,
        onEntry: @escaping @Sendable (Result<Int, WorkspaceError>) -> Void = { _ in }
    ) throws(WorkspaceError) {
        self.client = client
        self.masking = masking
        let file = try HARFile(path: HomeFolder.expanding(path), version: NetworkingVersion.current)
        isReadableByOthers = file.isReadableByOthers
        output = Mutex(Output(file: file))
        client.record { [weak self] hop in self?.take(hop, onEntry) }
    }

    /// Puts a hop into the queue; where too much waits there, the one who brings it waits, too.
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

    /// Of how many bytes of bodies the entries may wait.
    private static let mostWaiting = 64 << 20

    private func write(_ hop: RecordedHop, _ onEntry: @Sendable (Result<Int, WorkspaceError>) -> Void) {
        let entry = HAR.entry(hop, redaction: masking())
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
        if case .failure = result { client.record(with: nil) }
        if let result { onEntry(result) }
    }

    /// Ends recording when everything that ended is written; returns how many entries there are, nil when writing failed before.
    @discardableResult
    func stop() -> Int? {
        client.record(with: nil)
        return queue.sync {
            writeWaiting { _ in }
            return output.withLock { output in
                defer { output.file = nil }
                return output.file?.count
            }
        }
    }

    /// How many entries the file has.
    var count: Int { output.withLock { $0.file?.count ?? 0 } }
}

// MARK: Commands

extension TrafficCapture {
    /// The recording of a command that was given `--capture`; nil without it.
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

    /// Ends it.
    ///
    /// - Throws: when not everything was written.
    func finish() throws {
        if stop() == nil, let failure = output.withLock({ $0.failure }) { throw CommandFailure(failure) }
    }
}
