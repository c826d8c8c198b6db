public import SortieHTTP
internal import Synchronization

/// One call in the hands of who makes it: it can be started, suspended, resumed and cancelled (S2.1, S4.14).
///
/// Letting go of it does not stop the call; a ``CallScope`` does that.
public final class CallTask: Sendable {
    /// The call's identity.
    public let id: RequestID
    /// What is asked.
    public let request: Request
    private let core: ClientCore
    private let state: Mutex<State>

    private struct State {
        var run: Run?
        /// Who is told, until it starts; then the run holds them, and no longer than it lasts.
        var delivery: CallDelivery?
        var actor: (any Actor)?
        var onEnd: (@Sendable () -> Void)?
    }

    private struct Run {
        let call: Call
        let task: Task<Exchange, Never>
    }

    init(
        id: RequestID, request: Request, core: ClientCore, delivery: CallDelivery, actor: any Actor, onEnd: (@Sendable () -> Void)?
    ) {
        self.id = id
        self.request = request
        self.core = core
        state = Mutex(State(delivery: delivery, actor: actor, onEnd: onEnd))
    }

    /// Where it is in its life; `suspended` before it starts (S2.26).
    public var phase: CallState {
        state.withLock { $0.run?.call.phase ?? .suspended }
    }

    /// Begins; one that has begun is left alone.
    public func start() {
        _ = run()
    }

    /// Lets it stand still: nothing is sent or taken, and no limit of time runs; see ``Client/suspend(_:)``.
    public func suspend() {
        state.withLock { $0.run }?.call.suspend()
    }

    /// Lets it go on, or begin.
    public func resume() {
        run().call.resume()
    }

    /// Stops it; it ends as `cancelled`, also when it had not begun (S0.9).
    public func cancel() {
        run(.cancelledByCaller).call.abort(.cancelledByCaller)
    }

    /// All that came of it, once every callback has been called; begins it where that was not done.
    ///
    /// Cancelling the task that waits here does not stop the call.
    public var exchange: Exchange {
        get async { await run().task.value }
    }

    /// Its response, once every callback has been called; begins it where that was not done.
    ///
    /// - Throws: why there is none that counts.
    public var value: Response {
        get async throws(NetworkError) { try await exchange.result.get() }
    }

    /// The run of it, begun now if it was not before.
    ///
    /// - Parameter reason: why it is over before it begins.
    private func run(_ reason: NetworkError? = nil) -> Run {
        state.withLock { state in
            if let run = state.run { return run }
            let signals = EventBuffer.ofSignals()
            let call = core.register(id, request) { signals.yield($0) }
            if let reason { call.abort(reason) } else { signals.yield(.willStart) }
            let (delivery, actor, onEnd) = (state.delivery, state.actor, state.onEnd)
            let task = Task { [core] in
                let delivered = Task {
                    if let delivery, let actor { await delivery.deliver(signals.stream(), on: actor) }
                }
                let exchange = await core.run(call)
                signals.finish()
                await delivered.value
                onEnd?()
                return exchange
            }
            let run = Run(call: call, task: task)
            state = State(run: run)
            return run
        }
    }
}
