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
