internal import Synchronization

/// Steps one after the other, each built from what earlier ones gave (S2.44–S2.46).
///
/// A failure stops it and keeps what is done; running it again starts at the failed step. Stopping it is the end: what waits is forgotten.
public final class Chain<Value: Sendable>: Sendable {
    /// How far a chain is; the numbers are steps from 0.
    public enum State: Hashable, Sendable {
        case idle
        case running(Int)
        case failed(Int)
        case finished
        case cancelled
    }

    /// One step: makes its value of those of all steps before it.
    public typealias Step = @Sendable (_ results: [Value]) async throws -> Value

    fileprivate struct Content {
        var state = State.idle
        var steps: [Step] = []
        var results: [Value] = []
        var error: (any Error)?
        var task: Task<Value, any Error>?
    }

    private let content: Mutex<Content>

    /// A chain without steps.
    ///
    /// - Parameter results: of steps that are done already, so that a chain can go on in another process; the steps of these are added all the same.
    public init(resumingAfter results: [Value] = []) {
        content = Mutex(Content(results: results))
    }

    /// How far it is.
    public var state: State { content.withLock { $0.state } }

    /// What the steps that are done gave, in order; kept over failures and stops.
    public var results: [Value] { content.withLock { $0.results } }

    /// Why the step failed at which it stands.
    public var error: (any Error)? { content.withLock { $0.error } }

    /// Adds a step at the end; also while it runs, by a step that finds that more is needed (S2.44).
    ///
    /// - Throws: ``ChainError/ended`` after it finished or was stopped.
    public func add(_ step: @escaping Step) throws(ChainError) {
        let hasEnded = content.withLock { content in
            if content.state == .finished || content.state == .cancelled { return true }
            content.steps.append(step)
            return false
        }
        if hasEnded { throw .ended }
    }

    /// Runs the steps that are not done, to the end or to the first failure, and says how it stands then.
    ///
    /// Cancelling the task stops the chain. Finished, stopped or running already, it does nothing.
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

    /// Stops the step that runs and forgets those that wait; what is done stays in ``results``.
    public func stop() {
        let task = content.withLock { content in
            if content.state == .finished { return nil as Task<Value, any Error>? }
            content.state = .cancelled
            content.steps.removeAll()
            return content.task
        }
        task?.cancel()
    }

    /// Begins the next step; nil when it is not running or has none.
    private func next() -> Task<Value, any Error>? {
        content.withLock { content in
            guard case .running = content.state else { return nil }
            let index = content.results.count
            guard index < content.steps.count else {
                content.state = .finished
                return nil
            }
            // The state is there before the step begins: one that fails at once finds it (S2.46).
            content.state = .running(index)
            let (step, results) = (content.steps[index], content.results)
            let task = Task { try await step(results) }
            content.task = task
            return task
        }
    }
}

extension Chain.Content {
    /// Goes from idle or failed to running; false in any other state.
    fileprivate mutating func begin() -> Bool {
        switch state {
        case .idle, .failed:
            state = .running(results.count)
            error = nil
            return true
        case .running, .finished, .cancelled: return false
        }
    }

    /// Takes the end of the step that runs.
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

/// Why a chain cannot do what it is asked for.
public enum ChainError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has finished or was stopped.
    case ended

    /// The text as a person reads it.
    public var description: String { "the chain has ended; make a new one" }
}
