public import SortieHTTP
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

    private typealias Work = @Sendable () async throws -> Value

    private struct Member: Sendable {
        let work: Work
        let completion: (@Sendable (BatchOutcome<Value>) -> Void)?
        var identity: (any Hashable & Sendable)?
    }

    private struct State {
        /// The members that have not been passed to the run.
        var members: [Member] = []
        var identities: [any Hashable & Sendable] = []
        var states: [MemberState] = []
        var streams: [AsyncStream<BatchEvent<Value>>.Continuation] = []
        var hasStarted = false
        var isCancelled = false
        var isOver = false
        var task: Task<BatchResult<Value>, Never>?
    }

    private typealias Delivery = LifecycleDelivery<BatchProgress, BatchResult<Value>, any Error>

    /// The identity of the batch, by which a delegate of several ones tells them apart.
    public let id = RequestIDs.ofGroups.next()
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

    /// Adds a member, unless the batch has one with the same ``BatchMember/identity``.
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
            state.states.append(.waiting)
            return true
        }
        guard let isAdded else { throw .alreadyStarted }
        return isAdded
    }

    /// The states of all members, in the order in which they were added.
    public var members: [MemberState] { state.withLock { $0.states } }

    /// The events of the batch from now on, for one consumer; ends at once where the batch has ended.
    public func events() -> AsyncStream<BatchEvent<Value>> {
        let (stream, continuation) = AsyncStream.makeStream(of: BatchEvent<Value>.self)
        let isOver = state.withLock { state in
            if !state.isOver { state.streams.append(continuation) }
            return state.isOver
        }
        if isOver { continuation.finish() }
        return stream
    }

    /// Runs all members and waits until every one has ended.
    ///
    /// Cancelling the task cancels the batch.
    ///
    /// - Parameters:
    ///   - callbacks: The closures to call; all have been called when this method returns.
    ///   - delegate: The delegate, which is held weakly.
    ///   - actor: The actor on which both are called, one after another; nil for an actor of this batch.
    ///   - onProgress: Called after the end of each member, in order, and not after this method has returned.
    /// - Throws: ``BatchError/alreadyStarted``.
    public func run(
        callbacks: BatchCallbacks<Value>? = nil, delegate: (any BatchDelegate<Value>)? = nil, on actor: (any Actor)? = nil,
        onProgress: @escaping @Sendable (BatchProgress) -> Void = { _ in }
    ) async throws(BatchError) -> BatchResult<Value> {
        let task: Task<BatchResult<Value>, Never>? = state.withLock { state in
            guard !state.hasStarted else { return nil }
            state.hasStarted = true
            let members = state.members
            let listeners = [callbacks, delegate?.callbacks(of: self)].compactMap(\.self)
            let delivery = listeners.isEmpty ? nil : Delivery(listeners, on: actor ?? CallbackQueue())
            let task = Task { await self.run(members, delivery, onProgress) }
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

    /// Changes the state of a member, and reports the event to the readers of ``events()``.
    private func report(_ event: BatchEvent<Value>) {
        let streams = state.withLock { state in
            switch event {
            case .memberStarted(let index): state.states[index] = .running
            case .memberEnded(let index, let outcome): state.states[index] = outcome.memberState
            case .started, .progressed, .finished: break
            }
            return state.streams
        }
        for stream in streams { stream.yield(event) }
    }

    private func run(
        _ members: [Member], _ delivery: Delivery?, _ onProgress: @Sendable (BatchProgress) -> Void
    ) async -> BatchResult<Value> {
        report(.started(total: members.count))
        delivery?.report(.willStart)
        var outcomes = [BatchOutcome<Value>](repeating: .skipped, count: members.count)
        var firstFailure: Int?
        var finished = 0
        await withTaskGroup(of: (Int, BatchOutcome<Value>).self) { group in
            var waiting = members.indices.makeIterator()
            func start(_ index: Int) {
                let member = members[index]
                group.addTask { (index, await self.outcome(of: member, index)) }
            }
            for _ in 0..<(concurrency ?? members.count) {
                guard let index = waiting.next() else { break }
                start(index)
            }
            for await (index, outcome) in group {
                outcomes[index] = outcome
                report(.memberEnded(index, outcome))
                finished += 1
                if case .failed = outcome, firstFailure == nil {
                    firstFailure = index
                    if policy == .failFast { group.cancelAll() }
                }
                let progress = BatchProgress(finished: finished, total: members.count)
                onProgress(progress)
                report(.progressed(progress))
                delivery?.report(.progressed(progress))
                if let next = waiting.next() { start(next) }
            }
        }
        let result = BatchResult(outcomes: outcomes, firstFailure: firstFailure, isCancelled: state.withLock { $0.isCancelled })
        if let delivery {
            if let error = result.error { delivery.report(.failed(error)) } else { delivery.report(.succeeded(result)) }
            await delivery.end()
        }
        end(result)
        return result
    }

    private func end(_ result: BatchResult<Value>) {
        let streams = state.withLock { state in
            state.isOver = true
            defer { state.streams = [] }
            return state.streams
        }
        for stream in streams {
            stream.yield(.finished(result))
            stream.finish()
        }
    }

    /// Runs a member and calls its completion; skips it when the batch is already stopped.
    private func outcome(of member: Member, _ index: Int) async -> BatchOutcome<Value> {
        let outcome: BatchOutcome<Value>
        if Task.isCancelled {
            outcome = .skipped
        } else {
            report(.memberStarted(index))
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
    /// Adds a member with any output, so that one batch can hold requests, transfers and other batches, unless it has one with the same
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

/// A batch as a member of another one; it fails when one of its members did not succeed.
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
