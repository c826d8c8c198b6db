internal import Synchronization

/// Runs several members concurrently and ends when all have ended (S2.39–S2.43, S4.13, S1.33–S1.37, X2).
///
/// The batch ends once, after the completion of every member has been called. A batch without members ends at once.
/// A batch runs once; starting it again, or adding a member after the start, is an error.
public final class Batch<Value: Sendable>: Sendable {
    /// The effect of the first failure on the other members (X2).
    public enum Policy: Hashable, Sendable {
        /// The other members are cancelled or skipped.
        case failFast
        /// The other members continue.
        case collectAll
    }

    private typealias Work = @Sendable () async throws -> Value

    private struct Member: Sendable {
        let work: Work
        let completion: (@Sendable (BatchOutcome<Value>) -> Void)?
        var identity: (any Hashable & Sendable)?
    }

    private struct State {
        var members: [Member] = []
        var identities: [any Hashable & Sendable] = []
        var hasStarted = false
        var isCancelled = false
        var task: Task<BatchResult<Value>, Never>?
    }

    /// The effect of the first failure.
    public let policy: Policy
    /// The maximum number of members that run at the same time; nil for no limit.
    public let concurrency: Int?
    private let state = Mutex(State())

    /// Creates a batch without members.
    ///
    /// - Parameters:
    ///   - policy: When the batch ends.
    ///   - concurrency: At least 1; nil for no limit besides those of the request queues.
    public init(policy: Policy = .failFast, concurrency: Int? = nil) {
        self.policy = policy
        self.concurrency = concurrency.map { max(1, $0) }
    }

    /// Adds a member, unless the batch has one with the same ``BatchMember/identity`` (S1.33).
    ///
    /// - Returns: Whether the member was added.
    /// - Parameters:
    ///   - member: The member.
    ///   - completion: Called once with the outcome, before the batch counts it.
    /// - Throws: ``BatchError/alreadyStarted``.
    @discardableResult
    public func add(
        _ member: some BatchMember<Value>, completion: (@Sendable (BatchOutcome<Value>) -> Void)? = nil
    ) throws(BatchError) -> Bool {
        try add(Member(work: { try await member.run() }, completion: completion, identity: member.identity))
    }

    /// Adds a closure as a member.
    ///
    /// - Parameters:
    ///   - completion: Called once with the outcome, before the batch counts it.
    ///   - work: The closure, which runs once.
    /// - Throws: ``BatchError/alreadyStarted``.
    public func add(
        completion: (@Sendable (BatchOutcome<Value>) -> Void)? = nil, _ work: @escaping @Sendable () async throws -> Value
    ) throws(BatchError) {
        try add(Member(work: work, completion: completion))
    }

    @discardableResult
    private func add(_ member: Member) throws(BatchError) -> Bool {
        let isAdded: Bool? = state.withLock { state in
            guard !state.hasStarted else { return nil }
            if let identity = member.identity {
                guard !state.identities.contains(where: { AnyHashable($0) == AnyHashable(identity) }) else { return false }
                state.identities.append(identity)
            }
            state.members.append(member)
            return true
        }
        guard let isAdded else { throw .alreadyStarted }
        return isAdded
    }

    /// Runs all members and waits until every one has ended.
    ///
    /// Cancelling the task cancels the batch.
    ///
    /// - Parameter onProgress: Called after the end of each member, in order, and not after this method has returned.
    /// - Throws: ``BatchError/alreadyStarted``.
    public func run(onProgress: @escaping @Sendable (BatchProgress) -> Void = { _ in }) async throws(BatchError) -> BatchResult<Value> {
        let task: Task<BatchResult<Value>, Never>? = state.withLock { state in
            guard !state.hasStarted else { return nil }
            state.hasStarted = true
            let members = state.members
            let task = Task { await self.run(members, onProgress) }
            if state.isCancelled { task.cancel() }
            state.task = task
            // Releases what the members' closures capture as soon as they have ended.
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

    /// Cancels running members; members that have not started are skipped, and the batch ends as cancelled.
    public func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.task?.cancel()
        }
    }

    private func run(_ members: [Member], _ onProgress: @Sendable (BatchProgress) -> Void) async -> BatchResult<Value> {
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
                onProgress(BatchProgress(finished: finished, total: members.count))
                if let next = waiting.next() { start(next) }
            }
        }
        return BatchResult(outcomes: outcomes, firstFailure: firstFailure, isCancelled: state.withLock { $0.isCancelled })
    }

    /// Runs a member and calls its completion; skips it when the batch is already stopped.
    private static func outcome(of member: Member) async -> BatchOutcome<Value> {
        let outcome: BatchOutcome<Value>
        if Task.isCancelled {
            outcome = .skipped
        } else {
            do { outcome = .succeeded(try await member.work()) } catch {
                // A failure after the stop counts as cancelled, so that only the first failure is reported.
                outcome = Task.isCancelled ? .cancelled : .failed(error)
            }
        }
        member.completion?(outcome)
        return outcome
    }
}

extension Batch where Value == any Sendable {
    /// Adds a member with any output, so that one batch can hold requests, transfers and other batches (S1.37), unless it has one with the same
    /// identity.
    ///
    /// - Returns: Whether the member was added.
    /// - Parameters:
    ///   - member: The member.
    ///   - completion: Called once with the outcome, before the batch counts it.
    /// - Throws: ``BatchError/alreadyStarted``.
    @discardableResult
    public func add(any member: some BatchMember, completion: (@Sendable (BatchOutcome<Value>) -> Void)? = nil) throws(BatchError) -> Bool {
        try add(Member(work: { try await member.run() }, completion: completion, identity: member.identity))
    }
}

/// A batch as a member of another one; it fails when any of its own members did not succeed.
public struct NestedBatch<Value: Sendable>: BatchMember {
    private let batch: Batch<Value>

    /// The batch itself, which can run only once.
    public var identity: (any Hashable & Sendable)? { ObjectIdentifier(batch) }

    /// Creates a member from a batch that has not started.
    public init(_ batch: Batch<Value>) {
        self.batch = batch
    }

    /// Runs the batch.
    ///
    /// - Throws: ``BatchError/membersFailed(_:)``, or ``BatchError/alreadyStarted``.
    public func run() async throws -> BatchResult<Value> {
        let result = try await batch.run()
        guard result.isSuccess else { throw BatchError.membersFailed(result.outcomes.count - result.values.count) }
        return result
    }
}
