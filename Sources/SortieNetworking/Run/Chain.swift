internal import Synchronization

/// Runs steps one after the other, each with the results of the earlier ones.
///
/// A failure stops the chain and keeps the results; running it again starts at the failed step. Stopping the chain is final and drops the steps
/// that have not started.
public final class Chain<Value: Sendable>: Identifiable, Sendable {
    /// The state of a chain; the associated values are indices of steps.
    public enum State: Hashable, Sendable {
        case idle
        case running(Int)
        case failed(Int)
        case finished
        case cancelled
    }

    fileprivate typealias Step = @Sendable (_ results: [Value]) async throws -> Value

    fileprivate struct Content {
        var state = State.idle
        var steps: [Step] = []
        var results: [Value] = []
        var error: (any Error)?
        var restarts = 0
        let restartLimit: Int?
        /// The engine of the current or last run.
        var engine: RunEngine?
    }

    /// The identity of the chain.
    public let id = RequestIDs.ofGroups.next()
    fileprivate let streams = EventStreams<ChainEvent<Value>>()
    fileprivate let content: Mutex<Content>

    /// Creates a chain without steps.
    ///
    /// - Parameters:
    ///   - results: The results of steps that were completed earlier, for example in another process. Their steps must be added all the same, and are
    ///     not run.
    ///   - restartLimit: How many times the chain can be run again after a failure; nil for no limit.
    public init(resumingAfter results: [Value] = [], restartLimit: Int? = nil) {
        content = Mutex(Content(results: results, restartLimit: restartLimit))
    }

    /// The current state.
    public var state: State { content.withLock { $0.state } }

    /// The results of the completed steps, in order; kept after a failure and after a stop.
    public var results: [Value] { content.withLock { $0.results } }

    /// The error of the failed step; nil unless the chain has failed.
    public var error: (any Error)? { content.withLock { $0.error } }

    /// How many times the chain was run again after a failure.
    public var restarts: Int { content.withLock { $0.restarts } }

    /// The states of the steps, in order; after a stop, those of the completed steps.
    public var steps: [MemberState] {
        content.withLock { content in
            (0..<max(content.steps.count, content.results.count)).map { index in
                if index < content.results.count { return .succeeded }
                return switch content.state {
                case .running(index): .running
                case .failed(index): .failed
                default: .waiting
                }
            }
        }
    }

    /// The events of the current or next run, for one consumer; ends at once where the chain has finished or was stopped.
    public func events() -> AsyncStream<ChainEvent<Value>> { streams.stream() }

    /// Adds a step at the end; a running step may add further ones.
    ///
    /// - Parameter step: Computes its result from the results of all earlier steps.
    /// - Throws: ``ChainError/ended`` after the chain finished or was stopped.
    public func add(_ step: @escaping @Sendable (_ results: [Value]) async throws -> Value) throws(ChainError) {
        let hasEnded = content.withLock { content in
            if content.state == .finished || content.state == .cancelled { return true }
            content.steps.append(step)
            return false
        }
        if hasEnded { throw .ended }
    }

    /// Runs the remaining steps up to the end or the first failure, and returns the state.
    ///
    /// Cancelling the task stops the chain. The method has no effect on a chain that is running, finished or stopped, or has reached its limit of
    /// restarts.
    @discardableResult
    public func run() async -> State {
        await run(deliver: nil)
    }

    /// Runs the remaining steps as ``run()`` does.
    ///
    /// - Parameter deliver: Receives the events of this run; nil for none. The method returns after it has returned.
    @discardableResult
    package func run(deliver: (@Sendable (AsyncStream<ChainEvent<Value>>) async -> Void)?) async -> State {
        guard let (first, engine) = content.withLock({ $0.begin() }) else { return state }
        let delivered = streams.deliver(deliver)
        streams.report(.started(first))
        await withTaskCancellationHandler {
            repeat { await engine.run(ChainSteps(chain: self)) } while !content.withLock { $0.finish() }
        } onCancel: {
            stop()
        }
        let last = state
        streams.end(.finished(last), isOver: last == .finished || last == .cancelled)
        await delivered?.value
        return last
    }

    /// Cancels the running step and drops the remaining ones; ``results`` is kept.
    public func stop() {
        let (state, engine) = content.withLock { ($0.stop(), $0.engine) }
        switch state {
        case .running: engine?.cancel()
        // No run reports the end.
        case .idle, .failed: streams.end(.finished(.cancelled), isOver: true)
        case .finished, .cancelled: break
        }
    }
}

/// The steps of a chain, each with the results of those before it.
private struct ChainSteps<Value: Sendable>: RunSteps {
    let chain: Chain<Value>

    func place(of index: Int) -> RunEngine.Place? { chain.content.withLock { index < $0.steps.count ? RunEngine.Place() : nil } }

    func isWaiting(_ index: Int) -> Bool { !isComplete(index) }

    func isComplete(_ index: Int) -> Bool { chain.content.withLock { index < $0.results.count } }

    func run(_ index: Int) async {
        guard let (step, results) = chain.content.withLock({ $0.start(index) }) else { return }
        chain.streams.report(.stepStarted(index))
        let result: Result<Value, any Error>
        do { result = .success(try await step(results)) } catch { result = .failure(error) }
        let progress = chain.content.withLock { $0.take(result) }
        if case .success(let value) = result { chain.streams.report(.stepEnded(index, value)) }
        if let progress { chain.streams.report(.progressed(progress)) }
    }
}

extension Chain.Content {
    /// Changes the state from idle or failed to running; returns the first step to run, and what runs it; nil where the chain cannot run.
    fileprivate mutating func begin() -> (Int, RunEngine)? {
        switch state {
        case .idle: break
        case .failed:
            if let restartLimit, restarts >= restartLimit { return nil }
            restarts += 1
        case .running, .finished, .cancelled: return nil
        }
        state = .running(results.count)
        error = nil
        let engine = RunEngine(onFailure: .stop)
        self.engine = engine
        return (results.count, engine)
    }

    /// Starts a step; nil where the chain was stopped.
    ///
    /// The state changes before the step starts, so that a step that fails at once finds it.
    fileprivate mutating func start(_ index: Int) -> (Chain.Step, [Value])? {
        guard case .running = state else { return nil }
        state = .running(index)
        return (steps[index], results)
    }

    /// Records the end of the running step; returns the progress after a success.
    fileprivate mutating func take(_ result: Result<Value, any Error>) -> BatchProgress? {
        switch (result, state) {
        case (.success(let value), .running), (.success(let value), .cancelled):
            results.append(value)
            return BatchProgress(finished: results.count, total: max(steps.count, results.count))
        case (.failure(let error), .running(let index)):
            self.error = error
            state = .failed(index)
        default: break
        }
        return nil
    }

    /// Drops the steps of a chain that has not finished; returns the state before.
    fileprivate mutating func stop() -> Chain.State {
        defer {
            if state != .finished {
                state = .cancelled
                steps.removeAll()
            }
        }
        return state
    }

    /// Ends a run without further steps; returns false where a step was added after the last one had ended.
    fileprivate mutating func finish() -> Bool {
        guard case .running = state else { return true }
        if results.count < steps.count { return false }
        state = .finished
        return true
    }
}

/// An error of a chain.
public enum ChainError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The chain has finished or was stopped.
    case ended
    /// The chain was stopped before its last step had ended.
    case stopped

    /// The message for the user.
    public var description: String {
        switch self {
        case .ended: "the chain has ended; create a new one"
        case .stopped: "the chain was stopped"
        }
    }
}

/// An event of one run of a chain; numbers are the positions of steps.
///
/// Events are in order, and exactly one ``finished(_:)`` is the last.
public enum ChainEvent<Value: Sendable>: Sendable {
    /// The run starts at this step.
    case started(Int)
    /// A step starts.
    case stepStarted(Int)
    /// A step has ended with a value.
    case stepEnded(Int, Value)
    /// More steps have succeeded.
    case progressed(BatchProgress)
    /// The end of the run, with the state of the chain.
    case finished(Chain<Value>.State)
}
