public import SortieHTTP

extension Client {
    /// Creates a call that has not started.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - callbacks: The closures to call.
    ///   - delegate: The delegate, which is held weakly.
    ///   - actor: The actor on which both are called, one after another; nil for an actor of this client.
    ///   - plugins: Plugins of this call, after those of the client and the service.
    public func task(
        _ request: Request, callbacks: CallCallbacks = CallCallbacks(), delegate: (any CallDelegate)? = nil, on actor: (any Actor)? = nil,
        plugins: [any Plugin] = []
    ) -> CallTask {
        task(request, CallAdditions(plugins: plugins), callbacks, delegate, actor)
    }

    /// Starts a call.
    @discardableResult
    public func start(
        _ request: Request, callbacks: CallCallbacks = CallCallbacks(), delegate: (any CallDelegate)? = nil, on actor: (any Actor)? = nil,
        plugins: [any Plugin] = []
    ) -> CallTask {
        let task = task(request, callbacks: callbacks, delegate: delegate, on: actor, plugins: plugins)
        task.start()
        return task
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

    func task(
        _ request: Request, _ own: CallAdditions, _ callbacks: CallCallbacks, _ delegate: (any CallDelegate)?, _ actor: (any Actor)?,
        onEnd: (@Sendable (RequestID) -> Void)? = nil, reading: Call.Reading? = nil
    ) -> CallTask {
        let id = makeID()
        var end: (@Sendable () -> Void)?
        if let onEnd { end = { onEnd(id) } }
        return CallTask(
            id: id, request: request, own: own, reading: reading, core: core,
            delivery: CallDelivery(id: id, callbacks: callbacks, delegate: delegate), actor: actor ?? callbackQueue, onEnd: end)
    }
}
