public import SortieNetworking

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

    fileprivate func receive(_ stage: DownloadDelivery.Stage, of id: RequestID) {
        switch stage {
        case .willStart: downloadWillStart(id)
        case .willSuspend: downloadWillSuspend(id)
        case .didSuspend: downloadDidSuspend(id)
        case .progressed(let progress): download(id, progressed: progress)
        case .willStop: downloadWillStop(id)
        case .ended(let result):
            if let error = result.error { download(id, failed: error) } else { download(id, succeeded: result) }
        case .didStop: downloadDidStop(id)
        }
    }
}

private typealias DownloadDelivery = LifecycleDelivery<DownloadProgress, DownloadResult>

extension Downloads {
    /// Starts or continues a download; see `start(_:id:destination:)`.
    ///
    /// - Parameters:
    ///   - download: The download.
    ///   - id: The identity of the download; nil for a new one.
    ///   - destination: Returns the path of the finished file; nil for the destination of the download.
    ///   - callbacks: The closures to call; all have been called when `DownloadTask.result` is there.
    ///   - delegate: The delegate, which is held weakly.
    ///   - actor: The actor on which both are called, one after another; nil for an actor of this client.
    public func start(
        _ download: Download, id: RequestID? = nil, destination: DownloadDestination? = nil, callbacks: DownloadCallbacks,
        delegate: (any DownloadDelegate)? = nil, on actor: (any Actor)? = nil
    ) -> DownloadTask {
        let actor = actor ?? callbackQueue
        return start(download, id: id, destination: destination) { [weak delegate] id, events in
            let listeners = [
                DownloadDelivery.Listener { callbacks.receive($0) { $0.error.map { .failure($0) } ?? .success($0) } },
                DownloadDelivery.Listener { [weak delegate] in delegate?.receive($0, of: id) },
            ]
            await DownloadDelivery(listeners, on: actor).deliver(events) { event, isRunning in
                switch event {
                case .changed(.paused):
                    isRunning = false
                    return [.willSuspend, .didSuspend]
                case .changed(let next) where !next.isTerminal:
                    defer { isRunning = true }
                    return isRunning ? [] : [.willStart]
                case .progressed(let progress): return [.progressed(progress)]
                case .finished(let result): return DownloadDelivery.Stage.end(result)
                case .changed, .placed, .saved, .decided: return []
                }
            }
        }
    }

    /// Starts or continues a download with a delegate only.
    public func start(
        _ download: Download, id: RequestID? = nil, destination: DownloadDestination? = nil, delegate: any DownloadDelegate,
        on actor: (any Actor)? = nil
    ) -> DownloadTask {
        start(download, id: id, destination: destination, callbacks: DownloadCallbacks(), delegate: delegate, on: actor)
    }
}

extension Download {
    /// Starts or continues the download; see `Downloads.start(_:id:destination:callbacks:delegate:on:)`.
    @discardableResult
    public func start(
        with client: Client = .shared, callbacks: DownloadCallbacks = DownloadCallbacks(), delegate: (any DownloadDelegate)? = nil,
        on actor: (any Actor)? = nil
    ) -> DownloadTask {
        client.downloads.start(self, callbacks: callbacks, delegate: delegate, on: actor)
    }
}
