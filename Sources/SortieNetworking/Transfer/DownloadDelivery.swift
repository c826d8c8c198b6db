public import SortieHTTP

/// Translates the changes of a download into the stages that its closures and its delegate receive.
final class DownloadDelivery: Sendable {
    private let delivery: LifecycleDelivery<DownloadProgress, DownloadResult, NetworkError>

    init(_ id: RequestID, callbacks: DownloadCallbacks?, delegate: (any DownloadDelegate)?, on actor: any Actor) {
        delivery = LifecycleDelivery([callbacks, delegate.map { Self.callbacks(of: $0, id) }].compactMap(\.self), on: actor)
    }

    /// Reports the stages that a change of the state means; returns at once.
    func report(_ next: TransferState, after previous: TransferState) {
        if next == .paused {
            delivery.report(.willSuspend)
            delivery.report(.didSuspend)
        } else if !next.isTerminal, previous == .idle || previous == .paused {
            delivery.report(.willStart)
        }
    }

    /// Reports progress; returns at once.
    func report(_ progress: DownloadProgress) { delivery.report(.progressed(progress)) }

    /// Reports the end, and waits until every callback has been called.
    func end(_ result: DownloadResult) async {
        await delivery.end(result.error.map { .failure($0) } ?? .success(result))
    }

    /// Closures that call a delegate, which is held weakly.
    private static func callbacks(of delegate: any DownloadDelegate, _ id: RequestID) -> DownloadCallbacks {
        var callbacks = DownloadCallbacks()
        callbacks.willStart = { [weak delegate] in delegate?.downloadWillStart(id) }
        callbacks.willSuspend = { [weak delegate] in delegate?.downloadWillSuspend(id) }
        callbacks.didSuspend = { [weak delegate] in delegate?.downloadDidSuspend(id) }
        callbacks.progress = { [weak delegate] in delegate?.download(id, progressed: $0) }
        callbacks.willStop = { [weak delegate] in delegate?.downloadWillStop(id) }
        callbacks.success = { [weak delegate] in delegate?.download(id, succeeded: $0) }
        callbacks.failure = { [weak delegate] in delegate?.download(id, failed: $0) }
        callbacks.didStop = { [weak delegate] in delegate?.downloadDidStop(id) }
        return callbacks
    }
}

/// The closures of a download: `success` receives the result with the file; a cancelled or superseded download fails.
public typealias DownloadCallbacks = LifecycleCallbacks<DownloadProgress, DownloadResult, NetworkError>

/// Receives the stages of downloads; every method is optional.
///
/// Its methods are called after the closures of ``DownloadCallbacks``, on the same actor. It is held weakly.
public protocol DownloadDelegate: AnyObject, Sendable {
    /// The download starts, or continues after a pause.
    func downloadWillStart(_ id: RequestID)
    /// The download is about to be paused.
    func downloadWillSuspend(_ id: RequestID)
    /// The download is paused.
    func downloadDidSuspend(_ id: RequestID)
    /// Bytes arrived; coalesced.
    func download(_ id: RequestID, progressed progress: DownloadProgress)
    /// The download has ended; its result follows.
    func downloadWillStop(_ id: RequestID)
    /// The file is complete.
    func download(_ id: RequestID, succeeded result: DownloadResult)
    /// There is no file.
    func download(_ id: RequestID, failed error: NetworkError)
    /// The last callback.
    func downloadDidStop(_ id: RequestID)
}

extension DownloadDelegate {
    /// Does nothing.
    public func downloadWillStart(_ id: RequestID) {}
    /// Does nothing.
    public func downloadWillSuspend(_ id: RequestID) {}
    /// Does nothing.
    public func downloadDidSuspend(_ id: RequestID) {}
    /// Does nothing.
    public func download(_ id: RequestID, progressed progress: DownloadProgress) {}
    /// Does nothing.
    public func downloadWillStop(_ id: RequestID) {}
    /// Does nothing.
    public func download(_ id: RequestID, succeeded result: DownloadResult) {}
    /// Does nothing.
    public func download(_ id: RequestID, failed error: NetworkError) {}
    /// Does nothing.
    public func downloadDidStop(_ id: RequestID) {}
}
