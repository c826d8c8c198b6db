internal import Glibc
public import SortieHTTP
internal import Synchronization

/// Uploads of independent files: the batch continues after a failure, and sends what is left when it runs again.
///
/// Each run sends the uploads that no earlier run completed. Local files are removed only where ``removesConfirmedFiles`` is set, and only after the
/// server confirmed them.
public final class UploadBatch: Sendable {
    /// Checks the end of an upload, also of one that failed; throws where the server did not confirm it.
    private typealias Confirmation = @Sendable (_ index: Int, _ exchange: Exchange) async throws -> Void
    /// Receives the events of one upload.
    fileprivate typealias Observer = @Sendable (_ index: Int, _ event: CallEvent) -> Void

    private struct State {
        var outcomes: [UploadOutcome]
        var isRunning = false
    }

    /// The uploads, usually one for each file.
    public let requests: [Request]
    /// The maximum number of uploads at the same time.
    public let concurrency: Int
    /// Whether no further upload starts after a failure; running ones end.
    public let stopsAtFailure: Bool
    /// Whether each local file is removed when the server has confirmed all uploads of the batch that contain it.
    ///
    /// A file is kept when it changed since its upload started, when it is a symbolic link, and when the status is not accepted.
    public let removesConfirmedFiles: Bool
    private let client: Client
    private let confirmation: Confirmation
    private let state: Mutex<State>

    /// Creates a batch that has sent nothing.
    ///
    /// - Parameters:
    ///   - requests: The uploads, usually one for each file.
    ///   - client: The client that sends them.
    ///   - concurrency: The maximum number of uploads at the same time, at least 1.
    ///   - stopsAtFailure: Whether no further upload starts after a failure.
    ///   - removesConfirmedFiles: Whether local files that the server confirmed are removed.
    ///   - confirmation: Throws for an upload that the server did not confirm; nil for ``requireSuccess(_:)``.
    public init(
        _ requests: [Request], with client: Client, concurrency: Int = 1, stopsAtFailure: Bool = false, removesConfirmedFiles: Bool = false,
        confirmation: (@Sendable (_ index: Int, _ exchange: Exchange) async throws -> Void)? = nil
    ) {
        (self.requests, self.client) = (requests, client)
        self.concurrency = max(1, concurrency)
        (self.stopsAtFailure, self.removesConfirmedFiles) = (stopsAtFailure, removesConfirmedFiles)
        self.confirmation = confirmation ?? { _, exchange in try Self.requireSuccess(exchange) }
        state = Mutex(State(outcomes: requests.map { _ in UploadOutcome() }))
    }

    /// The outcome of each upload so far, in the order of ``requests``.
    public var outcomes: [UploadOutcome] { state.withLock { $0.outcomes } }

    /// The indices of the uploads that the server has not confirmed, which the next run sends.
    public var remaining: [Int] { outcomes.indices.filter { !outcomes[$0].isConfirmed } }

    /// Sends the uploads that are left, and returns those that are left afterwards.
    ///
    /// Cancelling the task cancels the running uploads and starts no further ones.
    ///
    /// - Parameter onEvent: Receives the events of all uploads, on any thread.
    /// - Throws: ``BatchError/alreadyStarted`` while an earlier run has not ended.
    @discardableResult
    public func run(onEvent: (@Sendable (_ index: Int, _ event: CallEvent) -> Void)? = nil) async throws(BatchError) -> [Int] {
        let mayRun = !state.withLock { Swift.exchange(&$0.isRunning, with: true) }
        guard mayRun else { throw .alreadyStarted }
        defer { state.withLock { $0.isRunning = false } }
        let engine = RunEngine(onFailure: stopsAtFailure ? .stop : .proceed)
        await withTaskCancellationHandler {
            await engine.run(UploadSteps(batch: self, onEvent: onEvent))
        } onCancel: {
            engine.cancel()
        }
        return remaining
    }

    /// Throws the error of an exchange, or `status` where the request does not accept its status (by default 200 to 299).
    ///
    /// - Parameter exchange: The end of an upload.
    /// - Throws: The error of the exchange, `emptyResponse`, or `status`.
    public static func requireSuccess(_ exchange: Exchange) throws(NetworkError) {
        if let error = exchange.error { throw error }
        guard let response = exchange.response else { throw NetworkError(.emptyResponse, "the server sent no response") }
        guard accepts(exchange, response) else { throw .status(of: response) }
    }

    private static func accepts(_ exchange: Exchange, _ response: Response) -> Bool {
        exchange.request.options.answer.accepts(status: response.status) ?? response.isSuccess
    }

    fileprivate func isConfirmed(_ index: Int) -> Bool { state.withLock { $0.outcomes[index].isConfirmed } }

    fileprivate func upload(_ index: Int, _ onEvent: Observer?) async {
        let request = requests[index]
        let files = removesConfirmedFiles ? request.localFiles.map { UploadedFile(path: $0) } : []
        let exchange = await client.exchange(request) { event in onEvent?(index, event) }
        do { try await confirmation(index, exchange) } catch {
            state.withLock { $0.outcomes[index] = UploadOutcome(exchange: exchange, error: error) }
            return
        }
        state.withLock { $0.outcomes[index] = UploadOutcome(exchange: exchange, isConfirmed: true) }
        guard !files.isEmpty else { return }
        await BlockingExecutor.shared.run { [self] in
            for file in files { remove(file, after: exchange, index) }
        }
    }

    /// Removes a file, unless another upload of the batch still needs it.
    private func remove(_ file: UploadedFile, after exchange: Exchange, _ index: Int) {
        let isNeeded = remaining.contains { requests[$0].localFiles.contains(file.path) }
        guard !isNeeded else { return }
        let reason: String?
        if let response = exchange.response, exchange.error == nil, Self.accepts(exchange, response) {
            reason = file.remove()
        } else {
            reason = "the server did not accept it"
        }
        state.withLock { state in
            if let reason {
                state.outcomes[index].keptFiles[file.path] = reason
            } else {
                state.outcomes[index].removedFiles.append(file.path)
            }
        }
    }
}

/// The uploads of one run of a batch as one group of steps.
private struct UploadSteps: RunSteps {
    let batch: UploadBatch
    let onEvent: UploadBatch.Observer?

    func place(of index: Int) -> RunEngine.Place? {
        index < batch.requests.count ? RunEngine.Place(group: 0, concurrency: batch.concurrency) : nil
    }

    func isWaiting(_ index: Int) -> Bool { !batch.isConfirmed(index) }

    func isComplete(_ index: Int) -> Bool { batch.isConfirmed(index) }

    func run(_ index: Int) async { await batch.upload(index, onEvent) }
}

/// The outcome of one upload of an ``UploadBatch``.
public struct UploadOutcome: Sendable {
    /// The last exchange; nil for an upload that was never sent.
    public internal(set) var exchange: Exchange?
    /// Whether the server confirmed the upload.
    public internal(set) var isConfirmed = false
    /// Why the server has not confirmed the upload; nil for a confirmed one, and for one that was never sent.
    public internal(set) var error: (any Error)?
    /// The local files that were removed.
    public internal(set) var removedFiles: [String] = []
    /// The files that were not removed although it was requested, with the reasons.
    public internal(set) var keptFiles: [String: String] = [:]
}

/// A local file before its upload, so that only the file that was sent is removed afterwards.
struct UploadedFile: Sendable {
    private struct Identity: Equatable {
        let device: dev_t
        let number: ino_t
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    let path: String
    private let identity: Identity?

    init(path: String) {
        self.path = path
        identity = Self.identity(of: path)
    }

    /// The identity of a regular file; nil for anything else, such as a symbolic link or a pipe.
    private static func identity(of path: String) -> Identity? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Identity(
            device: status.st_dev, number: status.st_ino, size: status.st_size, seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }

    /// Removes the file; returns the reason where it is kept.
    func remove() -> String? {
        guard let identity else { return "it is not a regular file" }
        guard Self.identity(of: path) == identity else { return "it changed since the upload started" }
        guard unlink(path) == 0 else { return String(cString: strerror(errno)) }
        return nil
    }
}

extension Request {
    /// The paths of the files that the body contains, without standard input.
    var localFiles: [String] {
        switch body {
        case .none, .bytes: return []
        case .file(let path, _): return path == Request.standardInput ? [] : [path]
        case .multipart(let parts):
            return parts.compactMap { part in
                guard case .file(let path) = part.content, path != Request.standardInput else { return nil }
                return path
            }
        }
    }
}
