public import SortieNetworking

/// The closures of a batch: `success` where every member succeeded, otherwise `failure` with `BatchResult.error`.
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

    /// Closures that call this delegate, which is held weakly.
    fileprivate func callbacks(of batch: Batch<Value>) -> BatchCallbacks<Value> {
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

extension Batch {
    /// Runs all members and waits until every one has ended.
    ///
    /// Cancelling the task cancels the batch.
    ///
    /// - Parameters:
    ///   - callbacks: The closures to call; all have been called when this method returns.
    ///   - delegate: The delegate, which is held weakly.
    ///   - actor: The actor on which both are called, one after another; nil for an actor of this batch.
    ///   - onProgress: Called after the end of each member, in order, and not after this method has returned.
    /// - Throws: `BatchError.alreadyStarted`.
    public func run(
        callbacks: BatchCallbacks<Value>, delegate: (any BatchDelegate<Value>)? = nil, on actor: (any Actor)? = nil,
        onProgress: @escaping @Sendable (BatchProgress) -> Void = { _ in }
    ) async throws(BatchError) -> BatchResult<Value> {
        typealias Delivery = LifecycleDelivery<BatchProgress, BatchResult<Value>>
        let listeners = [callbacks, delegate?.callbacks(of: self)].compactMap(\.self).map { callbacks in
            Delivery.Listener { callbacks.receive($0) { result in result.error.map { .failure($0) } ?? .success(result) } }
        }
        let delivery = Delivery(listeners, on: actor ?? CallbackQueue())
        return try await run(onProgress: onProgress) { events in
            await delivery.deliver(events) { event, _ in
                switch event {
                case .started: [.willStart]
                case .progressed(let progress): [.progressed(progress)]
                case .finished(let result): Delivery.Stage.end(result)
                case .memberStarted, .memberEnded: []
                }
            }
        }
    }

    /// Runs all members with a delegate only.
    ///
    /// - Parameters:
    ///   - delegate: The delegate, which is held weakly.
    ///   - actor: The actor on which it is called; nil for an actor of this batch.
    /// - Throws: `BatchError.alreadyStarted`.
    public func run(delegate: any BatchDelegate<Value>, on actor: (any Actor)? = nil) async throws(BatchError) -> BatchResult<Value> {
        try await run(callbacks: BatchCallbacks(), delegate: delegate, on: actor)
    }
}
