public import SortieHTTP

/// Closures that are told what becomes of a call, each of which may be left out (S2.22).
///
/// They come one after the other, in this order: `willStart`; `progress` as often as there is some; `willSuspend`, `didSuspend` and, when the call goes on,
/// `willStart` again; at the end `willStop`, exactly one of `success` and `failure`, `didStop` (S2.23). A cancelled call fails as `cancelled` (S2.25). After
/// `didStop` all of them are let go, so that what they hold is free.
public struct CallCallbacks: Sendable {
    /// The call begins, or goes on after a suspension.
    public var willStart: (@Sendable () -> Void)?
    /// Somebody suspended the call.
    public var willSuspend: (@Sendable () -> Void)?
    /// The call stands still: no progress comes until it goes on.
    public var didSuspend: (@Sendable () -> Void)?
    /// Bytes went or came; coalesced.
    public var progress: (@Sendable (Progress) -> Void)?
    /// The call is over; what it came to follows.
    public var willStop: (@Sendable () -> Void)?
    /// It has a response, of whatever status.
    public var success: (@Sendable (Response) -> Void)?
    /// It has none, or one that was refused.
    public var failure: (@Sendable (NetworkError) -> Void)?
    /// The last of all.
    public var didStop: (@Sendable () -> Void)?

    /// No closures.
    public init() {}

    /// One closure for both ends (S1.21).
    public init(completion: @escaping @Sendable (Result<Response, NetworkError>) -> Void) {
        success = { completion(.success($0)) }
        failure = { completion(.failure($0)) }
    }
}
