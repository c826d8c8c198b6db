public import SortieNetworking

/// The closures of one run of a chain: `success` receives the results of all steps; a stopped chain fails as `ChainError.stopped`.
public typealias ChainCallbacks<Value: Sendable> = LifecycleCallbacks<BatchProgress, [Value], any Error>

/// Receives the stages of chains; every method is optional.
///
/// Its methods are called after the closures of ``ChainCallbacks``, on the same actor. It is held weakly.
public protocol ChainDelegate<Value>: AnyObject, Sendable {
    /// The type of the steps' results.
    associatedtype Value: Sendable

    /// The chain starts, or restarts at the failed step.
    func chainWillStart(_ chain: Chain<Value>)
    /// A step has succeeded.
    func chain(_ chain: Chain<Value>, progressed progress: BatchProgress)
    /// The run has ended; its result follows.
    func chainWillStop(_ chain: Chain<Value>)
    /// Every step succeeded.
    func chain(_ chain: Chain<Value>, succeeded results: [Value])
    /// A step failed, or the chain was stopped.
    func chain(_ chain: Chain<Value>, failed error: any Error)
    /// The last callback.
    func chainDidStop(_ chain: Chain<Value>)
}

extension ChainDelegate {
    /// Does nothing.
    public func chainWillStart(_ chain: Chain<Value>) {}
    /// Does nothing.
    public func chain(_ chain: Chain<Value>, progressed progress: BatchProgress) {}
    /// Does nothing.
    public func chainWillStop(_ chain: Chain<Value>) {}
    /// Does nothing.
    public func chain(_ chain: Chain<Value>, succeeded results: [Value]) {}
    /// Does nothing.
    public func chain(_ chain: Chain<Value>, failed error: any Error) {}
    /// Does nothing.
    public func chainDidStop(_ chain: Chain<Value>) {}

    /// Closures that call this delegate, which is held weakly.
    fileprivate func callbacks(of chain: Chain<Value>) -> ChainCallbacks<Value> {
        var callbacks = ChainCallbacks<Value>()
        callbacks.willStart = { [weak self] in self?.chainWillStart(chain) }
        callbacks.progress = { [weak self] in self?.chain(chain, progressed: $0) }
        callbacks.willStop = { [weak self] in self?.chainWillStop(chain) }
        callbacks.success = { [weak self] in self?.chain(chain, succeeded: $0) }
        callbacks.failure = { [weak self] in self?.chain(chain, failed: $0) }
        callbacks.didStop = { [weak self] in self?.chainDidStop(chain) }
        return callbacks
    }
}

extension Chain {
    /// Runs the remaining steps up to the end or the first failure, and returns the state; see `run()`.
    ///
    /// - Parameters:
    ///   - callbacks: The closures to call in this run; all have been called when this method returns.
    ///   - delegate: The delegate, which is held weakly.
    ///   - actor: The actor on which both are called, one after another; nil for an actor of this run.
    @discardableResult
    public func run(
        callbacks: ChainCallbacks<Value>, delegate: (any ChainDelegate<Value>)? = nil, on actor: (any Actor)? = nil
    ) async -> State {
        typealias Delivery = LifecycleDelivery<BatchProgress, Chain<Value>.State>
        let listeners = [callbacks, delegate?.callbacks(of: self)].compactMap(\.self).map { callbacks in
            Delivery.Listener { [self] in
                callbacks.receive($0) { $0 == .finished ? .success(results) : .failure(error ?? ChainError.stopped) }
            }
        }
        let delivery = Delivery(listeners, on: actor ?? CallbackQueue())
        return await run { events in
            await delivery.deliver(events) { event, _ in
                switch event {
                case .started: [.willStart]
                case .progressed(let progress): [.progressed(progress)]
                case .finished(let state): Delivery.Stage.end(state)
                case .stepStarted, .stepEnded: []
                }
            }
        }
    }

    /// Runs the remaining steps with a delegate only.
    @discardableResult
    public func run(delegate: any ChainDelegate<Value>, on actor: (any Actor)? = nil) async -> State {
        await run(callbacks: ChainCallbacks(), delegate: delegate, on: actor)
    }
}
