internal import Synchronization

/// Runs several members concurrently and ends when all have ended.
///
/// The batch ends once, after the completion of every member has been called. A batch without members ends at once.
/// A batch runs once; starting it again, or adding a member after the start, is an error.
public final class Batch<Value: Sendable>: Identifiable, Sendable {
    /// The effect of the first failure on the other members.
    public enum Policy: Hashable, Sendable {
        /// The other members are cancelled or skipped.
        case failFast
        /// The other members continue.
        case collectAll
    }

    fileprivate struct Member: Sendable {
        let work: @Sendable () async throws -> Value
        let completion: (@Sendable (BatchOutcome<Value>) -> Void)?
    }

    fileprivate struct State {
        /// The members; nil for those that have started or were skipped, so that what their closures capture is released when they end.
        var members: [Member?] = []
        var identities: Set<AnyHashable> = []
        var states: [MemberState] = []
        /// The outcomes while the batch runs; those of members that have not ended are `skipped`.
        var outcomes: [BatchOutcome<Value>] = []
        var firstFailure: Int?
        var finished = 0
        var hasStarted = false
    }

    /// The identity of the batch.
    public let id = RequestIDs.ofGroups.next()
    /// The effect of the first failure.
    public let policy: Policy
    /// The maximum number of members that run at the same time; nil for no limit.
    public let concurrency: Int?
    private let engine: RunEngine
    fileprivate let streams = EventStreams<BatchEvent<Value>>()
    fileprivate let state = Mutex(State())

    /// Creates a batch without members.
    ///
    /// - Parameters:
    ///   - policy: When the batch ends.
    ///   - concurrency: At least 1; nil for no limit besides those of the request queues.
    public init(policy: Policy = .failFast, concurrency: Int? = nil) {
        self.policy = policy
        self.concurrency = concurrency.map { max(1, $0) }
        engine = RunEngine(onFailure: policy == .failFast ? .cancel : .proceed)
    }

    /// Adds a closure as a member, unless the batch has one with the same identity.
    ///
    /// - Returns: Whether the member was added.
    /// - Parameters:
    ///   - identity: Identifies the work: of members with equal identities a batch runs only the first one; nil for work that is always run.
    ///   - completion: Called once with the outcome, before the batch counts it.
    ///   - work: The closure, which runs once: a request, a download, another batch, or any other asynchronous operation. Cancelling its task stops it.
    /// - Throws: ``BatchError/alreadyStarted``.
    @discardableResult
    public func add(
        identity: (any Hashable & Sendable)? = nil, completion: (@Sendable (BatchOutcome<Value>) -> Void)? = nil,
        _ work: @escaping @Sendable () async throws -> Value
    ) throws(BatchError) -> Bool {
        let isAdded: Bool? = state.withLock { state in
            guard !state.hasStarted else { return nil }
            if let identity, !state.identities.insert(AnyHashable(identity)).inserted { return false }
            state.members.append(Member(work: work, completion: completion))
            state.states.append(.waiting)
            return true
        }
        guard let isAdded else { throw .alreadyStarted }
        return isAdded
    }

    /// The states of all members, in the order in which they were added.
    public var members: [MemberState] { state.withLock { $0.states } }

    /// The events of the batch from now on, for one consumer; ends at once where the batch has ended.
    public func events() -> AsyncStream<BatchEvent<Value>> { streams.stream() }

    /// Runs all members and waits until every one has ended.
    ///
    /// Cancelling the task cancels the batch.
    ///
    /// - Parameter onProgress: Called after the end of each member, in order, and not after this method has returned.
    /// - Throws: ``BatchError/alreadyStarted``.
    public func run(onProgress: @escaping @Sendable (BatchProgress) -> Void = { _ in }) async throws(BatchError) -> BatchResult<Value> {
        try await run(onProgress: onProgress, deliver: nil)
    }

    /// Runs all members and waits until every one has ended.
    ///
    /// - Parameters:
    ///   - onProgress: Called after the end of each member, in order, and not after this method has returned.
    ///   - deliver: Receives the events of the batch; nil for none. The method returns after it has returned.
    /// - Throws: ``BatchError/alreadyStarted``.
    package func run(
        onProgress: @escaping @Sendable (BatchProgress) -> Void, deliver: (@Sendable (AsyncStream<BatchEvent<Value>>) async -> Void)?
    ) async throws(BatchError) -> BatchResult<Value> {
        let count: Int? = state.withLock { state in
            guard !state.hasStarted else { return nil }
            state.hasStarted = true
            state.outcomes = Array(repeating: .skipped, count: state.members.count)
            return state.members.count
        }
        guard let count else { throw .alreadyStarted }
        let delivered = streams.deliver(deliver)
        streams.report(.started(total: count))
        let steps = BatchSteps(batch: self, total: count, onProgress: onProgress)
        await withTaskCancellationHandler {
            await engine.run(steps)
        } onCancel: {
            cancel()
        }
        // The engine skips after a failure only.
        for index in 0..<count { steps.skip(index) }
        let result = state.withLock { state in
            defer { state.outcomes = [] }
            return BatchResult(outcomes: state.outcomes, firstFailure: state.firstFailure, isCancelled: engine.isCancelled)
        }
        streams.end(.finished(result), isOver: true)
        await delivered?.value
        return result
    }

    /// Cancels running members; members that have not started are skipped, and the batch ends as cancelled.
    public func cancel() { engine.cancel() }
}

/// The members of a batch as one group of steps.
private struct BatchSteps<Value: Sendable>: RunSteps {
    let batch: Batch<Value>
    let total: Int
    let onProgress: @Sendable (BatchProgress) -> Void

    func place(of index: Int) -> RunEngine.Place? { index < total ? RunEngine.Place(group: 0, concurrency: batch.concurrency) : nil }

    func isWaiting(_ index: Int) -> Bool { batch.state.withLock { $0.states[index] == .waiting } }

    func isComplete(_ index: Int) -> Bool { batch.state.withLock { $0.states[index] == .succeeded } }

    func run(_ index: Int) async {
        guard let member = begin(index, as: .running) else { return }
        batch.streams.report(.memberStarted(index))
        let outcome: BatchOutcome<Value>
        do { outcome = .succeeded(try await member.work()) } catch { outcome = self.outcome(of: error, of: index) }
        end(index, outcome, member.completion)
    }

    func count(_ index: Int) {
        let finished = batch.state.withLock { state in
            state.finished += 1
            return state.finished
        }
        let progress = BatchProgress(finished: finished, total: total)
        onProgress(progress)
        batch.streams.report(.progressed(progress))
    }

    func skip(_ index: Int) {
        guard let member = begin(index, as: .skipped) else { return }
        end(index, .skipped, member.completion)
        count(index)
    }

    /// Takes a waiting member out of the batch; nil where it does not wait.
    private func begin(_ index: Int, as new: MemberState) -> Batch<Value>.Member? {
        batch.state.withLock { state in
            guard state.states[index] == .waiting else { return nil }
            state.states[index] = new
            return state.members[index].take()
        }
    }

    /// The outcome of a member that threw an error.
    private func outcome(of error: any Error, of index: Int) -> BatchOutcome<Value> {
        batch.state.withLock { state in
            // A failure after the stop counts as cancelled, so that only the first failure is reported.
            if Task.isCancelled || batch.policy == .failFast && state.firstFailure != nil { return .cancelled }
            if state.firstFailure == nil { state.firstFailure = index }
            return .failed(error)
        }
    }

    private func end(_ index: Int, _ outcome: BatchOutcome<Value>, _ completion: (@Sendable (BatchOutcome<Value>) -> Void)?) {
        completion?(outcome)
        batch.state.withLock { state in
            state.states[index] = outcome.memberState
            state.outcomes[index] = outcome
        }
        batch.streams.report(.memberEnded(index, outcome))
    }
}

/// An event of one batch; numbers are the positions of members in the order in which they were added.
///
/// Events are in order, and exactly one ``finished(_:)`` is the last.
public enum BatchEvent<Value: Sendable>: Sendable {
    /// The batch starts.
    case started(total: Int)
    /// A member starts.
    case memberStarted(Int)
    /// A member has ended, or was skipped.
    case memberEnded(Int, BatchOutcome<Value>)
    /// More members have ended.
    case progressed(BatchProgress)
    /// The end.
    case finished(BatchResult<Value>)
}

/// The progress of a ``Batch`` or a ``Chain``.
public struct BatchProgress: Hashable, Sendable {
    /// The number of members that have ended, with any outcome, or of steps that have succeeded.
    public var finished: Int
    /// The number of all members or steps.
    public var total: Int
}
