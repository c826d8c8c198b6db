public import SortieHTTP

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
