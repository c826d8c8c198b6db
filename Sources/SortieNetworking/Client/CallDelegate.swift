public import SortieHTTP

/// Is told what becomes of calls; every method may be left out (S2.24).
///
/// It hears of the same moments as ``CallCallbacks``, right after them, on the same actor. It is held weakly.
public protocol CallDelegate: AnyObject, Sendable {
    /// The call begins, or goes on after a suspension.
    func callWillStart(_ id: RequestID)
    /// Somebody suspended the call.
    func callWillSuspend(_ id: RequestID)
    /// The call stands still.
    func callDidSuspend(_ id: RequestID)
    /// Bytes went or came; coalesced.
    func call(_ id: RequestID, progressed progress: Progress)
    /// The call is over; what it came to follows.
    func callWillStop(_ id: RequestID)
    /// It has a response, of whatever status.
    func call(_ id: RequestID, succeeded exchange: Exchange)
    /// It has none, or one that was refused; what came of it is in `exchange`.
    func call(_ id: RequestID, failed error: NetworkError, exchange: Exchange)
    /// The last of all.
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
    public func call(_ id: RequestID, progressed progress: Progress) {}
    /// Does nothing.
    public func callWillStop(_ id: RequestID) {}
    /// Does nothing.
    public func call(_ id: RequestID, succeeded exchange: Exchange) {}
    /// Does nothing.
    public func call(_ id: RequestID, failed error: NetworkError, exchange: Exchange) {}
    /// Does nothing.
    public func callDidStop(_ id: RequestID) {}
}
