internal import Synchronization

/// Runs steps one after the other, each with the results of the earlier ones (S2.44–S2.46).
///
/// A failure stops the chain and keeps the results; running it again starts at the failed step. Stopping the chain is final and drops the steps
/// that have not started.
public final class Chain<Value: Sendable>: Sendable {
    /// The state of a chain; the associated values are indices of steps.
    public enum State: Hashable, Sendable {
        case idle
        case running(Int)
        case failed(Int)
        case finished
        case cancelled
    }

    /// One step: computes its result from the results of all earlier steps.
    public typealias Step = @Sendable (_ results: [Value]) async throws -> Value

    fileprivate struct Content {
        var state = State.idle
        var steps: [Step] = []
        var results: [Value] = []
        var error: (any Error)?
        var task: Task<Value, any Error>?
    }

    private let content: Mutex<Content>

    /// Creates a chain without steps.
    ///
    /// - Parameter results: The results of steps that were completed earlier, for example in another process. Their steps must be added all the same,
    ///   and are not run.
    public init(resumingAfter results: [Value] = []) {
        content = Mutex(Content(results: results))
    }

    /// The current state.
    public var state: State { content.withLock { $0.state } }

    /// The results of the completed steps, in order; kept after a failure and after a stop.
    public var results: [Value] { content.withLock { $0.results } }

    /// The error of the failed step; nil unless the chain has failed.
    public var error: (any Error)? { content.withLock { $0.error } }

    /// Adds a step at the end; a running step may add further ones (S2.44).
    ///
    /// - Throws: ``ChainError/ended`` after the chain finished or was stopped.
    public func add(_ step: @escaping Step) throws(ChainError) {
        let hasEnded = content.withLock { content in
            if content.state == .finished || content.state == .cancelled { return true }
            content.steps.append(step)
            return false
        }
        if hasEnded { throw .ended }
    }

    /// Runs the remaining steps up to the end or the first failure, and returns the state.
    ///
    /// Cancelling the task stops the chain. The method has no effect on a chain that is running, finished or stopped.
    @discardableResult
    public func run() async -> State {
        guard content.withLock({ $0.begin() }) else { return state }
        return await withTaskCancellationHandler {
            while let task = next() {
                let result = await task.result
                content.withLock { $0.take(result) }
            }
            return state
        } onCancel: {
            stop()
        }
    }

    /// Cancels the running step and drops the remaining ones; ``results`` is kept.
    public func stop() {
        let task = content.withLock { content in
            if content.state == .finished { return nil as Task<Value, any Error>? }
            content.state = .cancelled
            content.steps.removeAll()
            return content.task
        }
        task?.cancel()
    }

    /// Starts the next step; nil when the chain is not running or has no further step.
    private func next() -> Task<Value, any Error>? {
        content.withLock { content in
            guard case .running = content.state else { return nil }
            let index = content.results.count
            guard index < content.steps.count else {
                content.state = .finished
                return nil
            }
            // The state changes before the step starts, so that a step that fails at once finds it (S2.46).
            content.state = .running(index)
            let (step, results) = (content.steps[index], content.results)
            let task = Task { try await step(results) }
            content.task = task
            return task
        }
    }
}

extension Chain.Content {
    /// Changes the state from idle or failed to running; returns false in any other state.
    fileprivate mutating func begin() -> Bool {
        switch state {
        case .idle, .failed:
            state = .running(results.count)
            error = nil
            return true
        case .running, .finished, .cancelled: return false
        }
    }

    /// Records the end of the running step.
    fileprivate mutating func take(_ result: Result<Value, any Error>) {
        task = nil
        switch (result, state) {
        case (.success(let value), .running), (.success(let value), .cancelled): results.append(value)
        case (.failure(let error), .running(let index)):
            self.error = error
            state = .failed(index)
        default: break
        }
    }
}

/// An error of a chain.
public enum ChainError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The chain has finished or was stopped.
    case ended

    /// The message for the user.
    public var description: String { "the chain has ended; create a new one" }
}
