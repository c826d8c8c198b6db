/// The closures of a batch: `success` where every member succeeded, otherwise `failure` with ``BatchResult/error``.
public typealias BatchCallbacks<Value: Sendable> = LifecycleCallbacks<BatchProgress, BatchResult<Value>, any Error>

/// Receives the stages of batches; every method is optional.
///
/// Its methods are called after the closures of ``BatchCallbacks``, on the same actor. It is held weakly.
public protocol BatchDelegate<Value>: AnyObject, Sendable {
    /// The type of the members' values.
    associatedtype Value: Sendable

    /// The batch starts.
    func batchWillStart(_ batch: Batch<Value>)
    /// More members have ended.
    func batch(_ batch: Batch<Value>, progressed progress: BatchProgress)
    /// The batch has ended; its result follows.
    func batchWillStop(_ batch: Batch<Value>)
    /// Every member succeeded.
    func batch(_ batch: Batch<Value>, succeeded result: BatchResult<Value>)
    /// Not every member succeeded.
    func batch(_ batch: Batch<Value>, failed error: any Error)
    /// The last callback.
    func batchDidStop(_ batch: Batch<Value>)
}

extension BatchDelegate {
    /// Does nothing.
    public func batchWillStart(_ batch: Batch<Value>) {}
    /// Does nothing.
    public func batch(_ batch: Batch<Value>, progressed progress: BatchProgress) {}
    /// Does nothing.
    public func batchWillStop(_ batch: Batch<Value>) {}
    /// Does nothing.
    public func batch(_ batch: Batch<Value>, succeeded result: BatchResult<Value>) {}
    /// Does nothing.
    public func batch(_ batch: Batch<Value>, failed error: any Error) {}
    /// Does nothing.
    public func batchDidStop(_ batch: Batch<Value>) {}
}

extension BatchDelegate {
    /// Closures that call this delegate, which is held weakly.
    func callbacks(of batch: Batch<Value>) -> BatchCallbacks<Value> {
        var callbacks = BatchCallbacks<Value>()
        callbacks.willStart = { [weak self] in self?.batchWillStart(batch) }
        callbacks.progress = { [weak self] in self?.batch(batch, progressed: $0) }
        callbacks.willStop = { [weak self] in self?.batchWillStop(batch) }
        callbacks.success = { [weak self] in self?.batch(batch, succeeded: $0) }
        callbacks.failure = { [weak self] in self?.batch(batch, failed: $0) }
        callbacks.didStop = { [weak self] in self?.batchDidStop(batch) }
        return callbacks
    }
}
