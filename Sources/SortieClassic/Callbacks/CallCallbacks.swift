public import SortieNetworking

/// The closures of a call: `success` receives the response, with any status; a cancelled call fails as `cancelled`.
public typealias CallCallbacks = LifecycleCallbacks<CallProgress, Response, NetworkError>

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

    fileprivate func receive(_ stage: CallDelivery.Stage, of id: RequestID) {
        switch stage {
        case .willStart: callWillStart(id)
        case .willSuspend: callWillSuspend(id)
        case .didSuspend: callDidSuspend(id)
        case .progressed(let progress): call(id, progressed: progress)
        case .willStop: callWillStop(id)
        case .ended(let exchange):
            if case .failure(let error) = exchange.result {
                call(id, failed: error, exchange: exchange)
            } else {
                call(id, succeeded: exchange)
            }
        case .didStop: callDidStop(id)
        }
    }
}

typealias CallDelivery = LifecycleDelivery<CallProgress, Exchange>

extension CallDelivery {
    /// Delivers the signals of one call.
    func deliver(_ signals: AsyncStream<CallSignal>) async {
        await deliver(signals) { signal, _ in
            switch signal {
            case .willStart: [.willStart]
            case .willSuspend: [.willSuspend]
            case .didSuspend: [.didSuspend]
            case .event(.progressed(let progress)): [.progressed(progress)]
            case .event(.finished(let exchange)): Stage.end(exchange)
            case .event: []
            }
        }
    }
}

extension Client {
    /// Creates a call that has not started.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - callbacks: The closures to call; all have been called when `CallTask.result` is there.
    ///   - delegate: The delegate, which is held weakly.
    ///   - actor: The actor on which both are called, one after another; nil for an actor of this client.
    ///   - plugins: Plugins of this call, after those of the client and the service.
    public func task(
        _ request: Request, callbacks: CallCallbacks, delegate: (any CallDelegate)? = nil, on actor: (any Actor)? = nil,
        plugins: [any Plugin] = []
    ) -> CallTask {
        task(request, callbacks, delegate, on: actor, plugins: plugins) { _ in }
    }

    /// Creates a call that has not started, with a delegate only.
    public func task(
        _ request: Request, delegate: any CallDelegate, on actor: (any Actor)? = nil, plugins: [any Plugin] = []
    ) -> CallTask {
        task(request, callbacks: CallCallbacks(), delegate: delegate, on: actor, plugins: plugins)
    }

    /// Starts a call; see `task(_:callbacks:delegate:on:plugins:)`.
    @discardableResult
    public func start(
        _ request: Request, callbacks: CallCallbacks, delegate: (any CallDelegate)? = nil, on actor: (any Actor)? = nil, plugins: [any Plugin] = []
    ) -> CallTask {
        let task = task(request, callbacks: callbacks, delegate: delegate, on: actor, plugins: plugins)
        task.start()
        return task
    }

    /// Starts a call with a delegate only.
    @discardableResult
    public func start(_ request: Request, delegate: any CallDelegate, on actor: (any Actor)? = nil, plugins: [any Plugin] = []) -> CallTask {
        start(request, callbacks: CallCallbacks(), delegate: delegate, on: actor, plugins: plugins)
    }

    /// Starts a call that calls one closure exactly once, when it has ended.
    @discardableResult
    public func start(
        _ request: Request, on actor: (any Actor)? = nil, completion: @escaping @Sendable (Result<Response, NetworkError>) -> Void
    ) -> CallTask {
        start(request, callbacks: CallCallbacks(completion: completion), on: actor)
    }

    /// Starts a call whose closures are called on the main actor.
    @discardableResult
    public func startForMain(
        _ request: Request, progress: (@MainActor @Sendable (CallProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<Response, NetworkError>) -> Void
    ) -> CallTask {
        var callbacks = CallCallbacks { result in MainActor.assumeIsolated { completion(result) } }
        if let progress { callbacks.progress = { value in MainActor.assumeIsolated { progress(value) } } }
        return start(request, callbacks: callbacks, on: MainActor.shared)
    }

    /// Creates a call of a typed endpoint that has not started, with callbacks that receive the output.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - server: The server; nil for that of the endpoint's service, else that of the client.
    ///   - callbacks: The closures to call; `success` receives the output.
    ///   - actor: The actor on which they are called, one after another; nil for an actor of this client.
    ///   - plugins: Plugins of this call, after those of the endpoint.
    ///   - options: The options of this call, above those of the endpoint.
    /// - Throws: `invalidURL`, `badBody` or `invalidOption` when no request can be made of the endpoint.
    public func task<Target: TypedEndpoint>(
        _ endpoint: Target, to server: Server? = nil, callbacks: LifecycleCallbacks<CallProgress, Target.Output, NetworkError>,
        on actor: (any Actor)? = nil, plugins: [any Plugin] = [], options: RequestOptions = RequestOptions()
    ) throws(NetworkError) -> CallTask {
        let actor = actor ?? callbackQueue
        return try task(endpoint, to: server, plugins: plugins, options: options) { signals, output in
            let listener = CallDelivery.Listener { callbacks.receive($0) { output($0.result) } }
            await CallDelivery([listener], on: actor).deliver(signals)
        }
    }

    /// Creates a call that calls `onEnd` after its last callback.
    func task(
        _ request: Request, _ callbacks: CallCallbacks, _ delegate: (any CallDelegate)?, on actor: (any Actor)?, plugins: [any Plugin],
        onEnd: @escaping @Sendable (RequestID) -> Void
    ) -> CallTask {
        let actor = actor ?? callbackQueue
        return task(request, plugins: plugins) { [weak delegate] id, signals in
            let listeners = [
                CallDelivery.Listener { callbacks.receive($0) { $0.result } },
                CallDelivery.Listener { [weak delegate] in delegate?.receive($0, of: id) },
            ]
            await CallDelivery(listeners, on: actor).deliver(signals)
            onEnd(id)
        }
    }
}

extension Request {
    /// Starts a call; see `Client.start(_:callbacks:delegate:on:plugins:)`.
    @discardableResult
    public func start(
        with client: Client = .shared, callbacks: CallCallbacks = CallCallbacks(), delegate: (any CallDelegate)? = nil, on actor: (any Actor)? = nil
    ) -> CallTask {
        client.start(self, callbacks: callbacks, delegate: delegate, on: actor)
    }
}
