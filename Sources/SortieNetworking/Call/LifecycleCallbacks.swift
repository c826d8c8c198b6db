/// Closures that report how a call, a download, a batch or a chain proceeds; each is optional.
///
/// They are called one after another, in this order: `willStart`; `progress` any number of times; `willSuspend`, `didSuspend` and, after a
/// suspension, `willStart` again; at the end `willStop`, exactly one of `success` and `failure`, and `didStop`. After `didStop` the closures
/// are released.
public struct LifecycleCallbacks<Progressed: Sendable, Value: Sendable, Failure: Error>: Sendable {
    /// The operation starts, or continues after a suspension.
    public var willStart: (@Sendable () -> Void)?
    /// The operation is about to be suspended.
    public var willSuspend: (@Sendable () -> Void)?
    /// The operation is suspended; there is no progress until it continues.
    public var didSuspend: (@Sendable () -> Void)?
    /// The operation has advanced; coalesced where that happens often.
    public var progress: (@Sendable (Progressed) -> Void)?
    /// The operation has ended; its result follows.
    public var willStop: (@Sendable () -> Void)?
    /// The operation succeeded.
    public var success: (@Sendable (Value) -> Void)?
    /// The operation failed or was cancelled.
    public var failure: (@Sendable (Failure) -> Void)?
    /// The last callback.
    public var didStop: (@Sendable () -> Void)?

    /// No closures.
    public init() {}

    /// One closure for success and failure.
    public init(completion: @escaping @Sendable (Result<Value, Failure>) -> Void) {
        success = { completion(.success($0)) }
        failure = { completion(.failure($0)) }
    }
}
