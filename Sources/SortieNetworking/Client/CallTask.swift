public import SortieHTTP
internal import Synchronization

/// A call that can be started, suspended, resumed and cancelled.
///
/// Releasing it does not cancel the call; a ``CallScope`` does that.
public final class CallTask: Sendable {
    /// The identity of the call.
    public let id: RequestID
    /// The request.
    public let request: Request
    private let own: CallAdditions
    private let reading: Call.Reading?
    private let core: ClientCore
    private let state: Mutex<State>

    private struct State {
        var run: Run?
        /// The callbacks, until the call starts; then the run holds them until it ends.
        var delivery: CallDelivery?
        var actor: (any Actor)?
        var onEnd: (@Sendable () -> Void)?
    }

    private struct Run {
        let call: Call
        let task: Task<Exchange, Never>
    }

    init(
        id: RequestID, request: Request, own: CallAdditions, reading: Call.Reading?, core: ClientCore, delivery: CallDelivery, actor: any Actor,
        onEnd: (@Sendable () -> Void)?
    ) {
        self.id = id
        self.request = request
        self.own = own
        self.reading = reading
        self.core = core
        state = Mutex(State(delivery: delivery, actor: actor, onEnd: onEnd))
    }

    /// The state of the call; `suspended` before it starts.
    public var phase: CallState {
        state.withLock { $0.run?.call.phase ?? .suspended }
    }

    /// Starts the call; has no effect on one that has started.
    public func start() {
        _ = run()
    }

    /// Suspends the call: nothing is sent or received, and time limits stop; see ``Client/suspend(_:)``.
    public func suspend() {
        state.withLock { $0.run }?.call.suspend()
    }

    /// Resumes or starts the call.
    public func resume() {
        run().call.resume()
    }

    /// Cancels the call; it ends as `cancelled`, also when it had not started.
    public func cancel() {
        run(.cancelledByCaller).call.abort(.cancelledByCaller)
    }

    /// The exchange, after every callback has been called; starts the call where necessary.
    ///
    /// Cancelling the waiting task does not cancel the call.
    public var exchange: Exchange {
        get async { await run().task.value }
    }

    /// The response or the error, after every callback has been called; starts the call where necessary.
    public var result: Result<Response, NetworkError> {
        get async { await exchange.result }
    }

    /// The response, after every callback has been called; starts the call where necessary.
    ///
    /// - Throws: The error of the call.
    public var value: Response {
        get async throws(NetworkError) { try await exchange.result.get() }
    }

    /// The run of the call; starts it where necessary.
    ///
    /// - Parameter reason: The reason for which the call ends before it starts.
    private func run(_ reason: NetworkError? = nil) -> Run {
        state.withLock { state in
            if let run = state.run { return run }
            let signals = EventBuffer.ofSignals()
            let call = core.register(id, request, reading: reading) { signals.yield($0) }
            if let reason { call.abort(reason) } else { signals.yield(.willStart) }
            let (delivery, actor, onEnd) = (state.delivery, state.actor, state.onEnd)
            let task = Task { [core, own] in
                let delivered = Task {
                    if let delivery, let actor { await delivery.deliver(signals.stream(), on: actor) }
                }
                let exchange = await core.run(call, own)
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

extension Result where Failure == NetworkError {
    /// Calls `use` with the value of a success, and returns the result for further calls.
    @discardableResult
    public func withValue(_ use: (Success) throws -> Void) rethrows -> Self {
        if case .success(let value) = self { try use(value) }
        return self
    }

    /// Calls `use` with the error of a failure, and returns the result for further calls.
    @discardableResult
    public func withError(_ use: (NetworkError) throws -> Void) rethrows -> Self {
        if case .failure(let error) = self { try use(error) }
        return self
    }
}

extension Result where Success == Response, Failure == NetworkError {
    /// The value at a path of the JSON in the body; fails as `badBody` where the body is no JSON, and as `noData` where the path has no value.
    public func value(at path: JSONPath) -> Result<JSONValue, NetworkError> {
        flatMap { response in
            let body: JSONValue
            do throws(BodyProblem) { body = try JSONValue(parsing: response.utf8Body) } catch {
                return .failure(NetworkError(.badBody, "the body is not JSON: \(error.message)"))
            }
            guard let value = path.first(in: body) else { return .failure(NetworkError(.noData, "the body has no value at \(path)")) }
            return .success(value)
        }
    }
}
