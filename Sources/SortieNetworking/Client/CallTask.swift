public import SortieHTTP
internal import Synchronization

/// A call that can be started, suspended, resumed and cancelled.
///
/// Releasing it does not cancel the call.
public final class CallTask: Sendable {
    /// The identity of the call.
    public let id: RequestID
    /// The request.
    public let request: Request
    private let own: CallAdditions
    private let reading: Call.Reading?
    private let core: ClientCore
    private let content: Mutex<Content>

    /// Receives the signals of a call; the call has ended when it returns.
    typealias Delivery = @Sendable (AsyncStream<CallSignal>) async -> Void

    private struct Content {
        var run: Run?
        /// Receives the signals of the call, until it starts; then the run holds it until it ends.
        var deliver: Delivery?
    }

    private struct Run {
        let call: Call
        let task: Task<Exchange, Never>
    }

    init(
        id: RequestID, request: Request, own: CallAdditions, reading: Call.Reading? = nil, core: ClientCore, deliver: Delivery?
    ) {
        (self.id, self.request, self.own, self.reading, self.core) = (id, request, own, reading, core)
        content = Mutex(Content(deliver: deliver))
    }

    /// The state of the call; `suspended` before it starts.
    public var state: CallState {
        content.withLock { $0.run?.call.phase ?? .suspended }
    }

    /// Starts the call; has no effect on one that has started.
    public func start() {
        _ = run()
    }

    /// Suspends the call: nothing is sent or received, and time limits stop; see ``Client/suspend(_:)``.
    public func suspend() {
        content.withLock { $0.run }?.call.suspend()
    }

    /// Resumes or starts the call.
    public func resume() {
        run().call.resume()
    }

    /// Cancels the call; it ends as `cancelled`, also when it had not started.
    public func cancel() {
        run(.cancelledByCaller).call.abort(.cancelledByCaller)
    }

    /// The exchange; starts the call where necessary.
    ///
    /// Cancelling the waiting task does not cancel the call.
    public var exchange: Exchange {
        get async { await run().task.value }
    }

    /// The response or the error; starts the call where necessary.
    public var result: Result<Response, NetworkError> {
        get async { await exchange.result }
    }

    /// The response; starts the call where necessary.
    ///
    /// - Throws: The error of the call.
    public var value: Response {
        get async throws(NetworkError) { try await exchange.result.get() }
    }

    /// The run of the call; starts it where necessary.
    ///
    /// - Parameter reason: The reason for which the call ends before it starts.
    private func run(_ reason: NetworkError? = nil) -> Run {
        content.withLock { content in
            if let run = content.run { return run }
            guard let deliver = content.deliver else {
                let call = core.register(id, request, reading: reading, observer: nil)
                if let reason { call.abort(reason) }
                let run = Run(call: call, task: Task { [core, own] in await core.run(call, own) })
                content.run = run
                return run
            }
            let signals = EventBuffer.ofSignals()
            let call = core.register(id, request, reading: reading) { signals.yield($0) }
            if let reason { call.abort(reason) } else { signals.yield(.willStart) }
            let task = Task { [core, own] in
                let delivered = Task { await deliver(signals.stream()) }
                let exchange = await core.run(call, own)
                signals.finish()
                await delivered.value
                return exchange
            }
            let run = Run(call: call, task: task)
            content = Content(run: run)
            return run
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
