internal import Synchronization

/// Several pieces of work at the same time, as one (S2.39–S2.43, S4.13, S1.33–S1.37, X2).
///
/// It ends once: strictly after each member's own end was told, counted by those ends and by nothing else. A batch without members ends at once.
/// It runs once; adding to it after its start is an error, as is starting it again.
public final class Batch<Value: Sendable>: Sendable {
    /// What the first failure means for the rest (X2).
    public enum Policy: Hashable, Sendable {
        /// The others are stopped.
        case failFast
        /// They go on: a task group.
        case collectAll
    }

    /// How far a batch is.
    public struct Progress: Hashable, Sendable {
        /// How many members have ended, in whatever way.
        public var finished: Int
        /// How many there are.
        public var total: Int
    }

    private typealias Work = @Sendable () async throws -> Value

    private struct Member: Sendable {
        let work: Work
        let completion: (@Sendable (BatchOutcome<Value>) -> Void)?
    }

    private struct State {
        var members: [Member] = []
        var hasStarted = false
        var isCancelled = false
        var task: Task<BatchResult<Value>, Never>?
    }

    /// What the first failure means.
    public let policy: Policy
    /// How many members run at the same time; nil for all of them.
    public let concurrency: Int?
    private let state = Mutex(State())

    /// A batch without members.
    ///
    /// - Parameter concurrency: at least 1; nil for no limit beside those of the channels.
    public init(policy: Policy = .failFast, concurrency: Int? = nil) {
        self.policy = policy
        self.concurrency = concurrency.map { max(1, $0) }
    }

    /// Adds a member.
    ///
    /// - Parameter completion: is told what came of it, once, before the batch counts it.
    /// - Throws: ``BatchError/alreadyStarted``.
    public func add(
        _ member: some BatchMember<Value>, completion: (@Sendable (BatchOutcome<Value>) -> Void)? = nil
    ) throws(BatchError) {
        try add(Member(work: { try await member.run() }, completion: completion))
    }

    /// Adds work that is no type of its own.
    ///
    /// - Throws: ``BatchError/alreadyStarted``.
    public func add(
        completion: (@Sendable (BatchOutcome<Value>) -> Void)? = nil, _ work: @escaping @Sendable () async throws -> Value
    ) throws(BatchError) {
        try add(Member(work: work, completion: completion))
    }

    private func add(_ member: Member) throws(BatchError) {
        let isTooLate = state.withLock { state in
            if !state.hasStarted { state.members.append(member) }
            return state.hasStarted
        }
        if isTooLate { throw .alreadyStarted }
    }

    /// Runs all members and waits until every one has ended.
    ///
    /// Cancelling the task cancels the batch.
    ///
    /// - Parameter onProgress: is told after each member's end, in order, and never after the last.
    /// - Throws: ``BatchError/alreadyStarted``.
    public func run(onProgress: @escaping @Sendable (Progress) -> Void = { _ in }) async throws(BatchError) -> BatchResult<Value> {
        let task: Task<BatchResult<Value>, Never>? = state.withLock { state in
            guard !state.hasStarted else { return nil }
            state.hasStarted = true
            let members = state.members
            let task = Task { await self.run(members, onProgress) }
            if state.isCancelled { task.cancel() }
            state.task = task
            // What the members hold is not needed once they have ended.
            state.members = []
            return task
        }
        guard let task else { throw .alreadyStarted }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            cancel()
        }
        state.withLock { $0.task = nil }
        return result
    }

    /// Stops what runs; members that wait for their turn are skipped, and the batch ends as cancelled.
    public func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.task?.cancel()
        }
    }

    private func run(_ members: [Member], _ onProgress: @Sendable (Progress) -> Void) async -> BatchResult<Value> {
        var outcomes = [BatchOutcome<Value>](repeating: .skipped, count: members.count)
        var firstFailure: Int?
        var finished = 0
        await withTaskGroup(of: (Int, BatchOutcome<Value>).self) { group in
            var waiting = members.indices.makeIterator()
            func start(_ index: Int) {
                let member = members[index]
                group.addTask { (index, await Self.outcome(of: member)) }
            }
            for _ in 0..<(concurrency ?? members.count) {
                guard let index = waiting.next() else { break }
                start(index)
            }
            for await (index, outcome) in group {
                outcomes[index] = outcome
                finished += 1
                if case .failed = outcome, firstFailure == nil {
                    firstFailure = index
                    if policy == .failFast { group.cancelAll() }
                }
                onProgress(Progress(finished: finished, total: members.count))
                if let next = waiting.next() { start(next) }
            }
        }
        return BatchResult(outcomes: outcomes, firstFailure: firstFailure, isCancelled: state.withLock { $0.isCancelled })
    }

    /// Runs a member to its end and tells it; one whose turn comes after the stop is not begun.
    private static func outcome(of member: Member) async -> BatchOutcome<Value> {
        let outcome: BatchOutcome<Value>
        if Task.isCancelled {
            outcome = .skipped
        } else {
            do { outcome = .succeeded(try await member.work()) } catch {
                // Ended by the stop, or failed after it: the first failure stays the only one.
                outcome = Task.isCancelled ? .cancelled : .failed(error)
            }
        }
        member.completion?(outcome)
        return outcome
    }
}

extension Batch where Value == any Sendable {
    /// Adds a member of any kind, so that requests, transfers and whole batches can be one (S1.37).
    ///
    /// - Throws: ``BatchError/alreadyStarted``.
    public func add(any member: some BatchMember, completion: (@Sendable (BatchOutcome<Value>) -> Void)? = nil) throws(BatchError) {
        try add(completion: completion) { try await member.run() }
    }
}

/// A batch as a member of another one; it counts as failed when not every member of it succeeded.
public struct NestedBatch<Value: Sendable>: BatchMember {
    private let batch: Batch<Value>

    /// A batch that has not started.
    public init(_ batch: Batch<Value>) {
        self.batch = batch
    }

    /// Runs the batch.
    ///
    /// - Throws: ``BatchError/membersFailed(_:)``.
    public func run() async throws -> BatchResult<Value> {
        let result = try await batch.run()
        guard result.isSuccess else { throw BatchError.membersFailed(result.outcomes.count - result.values.count) }
        return result
    }
}
