public import SortieHTTP

/// Closures that a call invokes; each is optional (S2.22).
///
/// They are called one after another, in this order: `willStart`; `progress` any number of times; `willSuspend`, `didSuspend` and, after a
/// suspension, `willStart` again; at the end `willStop`, exactly one of `success` and `failure`, and `didStop` (S2.23). A cancelled call fails as
/// `cancelled` (S2.25). After `didStop` the closures are released.
public struct CallCallbacks: Sendable {
    /// The call starts, or continues after a suspension.
    public var willStart: (@Sendable () -> Void)?
    /// The call is about to be suspended.
    public var willSuspend: (@Sendable () -> Void)?
    /// The call is suspended; there is no progress until it continues.
    public var didSuspend: (@Sendable () -> Void)?
    /// Bytes were sent or received; coalesced.
    public var progress: (@Sendable (Progress) -> Void)?
    /// The call has ended; its result follows.
    public var willStop: (@Sendable () -> Void)?
    /// The call has a response, with any status.
    public var success: (@Sendable (Response) -> Void)?
    /// The call has no response, or one that was rejected.
    public var failure: (@Sendable (NetworkError) -> Void)?
    /// The last callback.
    public var didStop: (@Sendable () -> Void)?

    /// No closures.
    public init() {}

    /// One closure for success and failure (S1.21).
    public init(completion: @escaping @Sendable (Result<Response, NetworkError>) -> Void) {
        success = { completion(.success($0)) }
        failure = { completion(.failure($0)) }
    }
}
