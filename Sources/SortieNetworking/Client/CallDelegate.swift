public import SortieHTTP

/// Receives the changes of a call's state; every method is optional.
///
/// Its methods are called after the closures of ``CallCallbacks``, on the same actor. It is held weakly.
public protocol CallDelegate: AnyObject, Sendable {
    /// The call starts, or continues after a suspension.
    func callWillStart(_ id: RequestID)
    /// The call is about to be suspended.
    func callWillSuspend(_ id: RequestID)
    /// The call is suspended.
    func callDidSuspend(_ id: RequestID)
    /// Bytes were sent or received; coalesced.
    func call(_ id: RequestID, progressed progress: CallProgress)
    /// The call has ended; its result follows.
    func callWillStop(_ id: RequestID)
    /// The call has a response, with any status.
    func call(_ id: RequestID, succeeded exchange: Exchange)
    /// The call has no response, or one that was rejected; `exchange` has its attempts and its error.
    func call(_ id: RequestID, failed error: NetworkError, exchange: Exchange)
    /// The last callback.
    func callDidStop(_ id: RequestID)
}

extension CallDelegate {
    /// Does nothing.
    public func callWillStart(_ id: RequestID) {}
    /// Does nothing.
    public func callWillSuspend(_ id: RequestID) {}
    /// Does nothing.
    public func callDidSuspend(_ id: RequestID) {}
    /// Does nothing.
    public func call(_ id: RequestID, progressed progress: CallProgress) {}
    /// Does nothing.
    public func callWillStop(_ id: RequestID) {}
    /// Does nothing.
    public func call(_ id: RequestID, succeeded exchange: Exchange) {}
    /// Does nothing.
    public func call(_ id: RequestID, failed error: NetworkError, exchange: Exchange) {}
    /// Does nothing.
    public func callDidStop(_ id: RequestID) {}
}
