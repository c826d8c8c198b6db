public import SortieHTTP
internal import Synchronization

/// Calls the closures and the delegate of one call.
final class CallDelivery: Sendable {
    private let id: RequestID
    private let callbacks: Mutex<CallCallbacks>
    private weak let delegate: (any CallDelegate)?

    init(id: RequestID, callbacks: CallCallbacks, delegate: (any CallDelegate)?) {
        self.id = id
        self.callbacks = Mutex(callbacks)
        self.delegate = delegate
    }

    /// Delivers all signals of a call on an actor, until there are none.
    func deliver(_ signals: AsyncStream<CallSignal>, on actor: isolated any Actor) async {
        for await signal in signals { deliver(signal) }
        // Released here, because the call may live longer.
        callbacks.withLock { $0 = CallCallbacks() }
    }

    private func deliver(_ signal: CallSignal) {
        // Called outside the lock: a callback may start, suspend or cancel calls.
        let current = callbacks.withLock { $0 }
        switch signal {
        case .willStart:
            current.willStart?()
            delegate?.callWillStart(id)
        case .willSuspend:
            current.willSuspend?()
            delegate?.callWillSuspend(id)
        case .didSuspend:
            current.didSuspend?()
            delegate?.callDidSuspend(id)
        case .event(.progressed(let progress)):
            current.progress?(progress)
            delegate?.call(id, progressed: progress)
        case .event(.finished(let exchange)):
            current.willStop?()
            delegate?.callWillStop(id)
            finish(exchange, current)
            current.didStop?()
            delegate?.callDidStop(id)
        case .event:
            break
        }
    }

    private func finish(_ exchange: Exchange, _ callbacks: CallCallbacks) {
        switch exchange.result {
        case .success(let response):
            callbacks.success?(response)
            delegate?.call(id, succeeded: exchange)
        case .failure(let error):
            callbacks.failure?(error)
            delegate?.call(id, failed: error, exchange: exchange)
        }
    }
}

extension Exchange {
    /// The result of the call: its response or its error.
    public var result: Result<Response, NetworkError> {
        if let error { return .failure(error) }
        guard let response else { return .failure(NetworkError(.internalFailure, "the request ended without a response or an error")) }
        return .success(response)
    }
}

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
}
