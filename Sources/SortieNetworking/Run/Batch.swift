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

    fileprivate struct Member: Sendable {
        let work: @Sendable () async throws -> Value
        let completion: (@Sendable (BatchOutcome<Value>) -> Void)?
        var identity: (any Hashable & Sendable)?
    }

    fileprivate struct State {
        /// The members; nil for those that have started or were skipped, so that what their closures capture is released when they end.
        var members: [Member?] = []
        var identities: [any Hashable & Sendable] = []
        var states: [MemberState] = []
        /// The outcomes while the batch runs; those of members that have not ended are `skipped`.
        var outcomes: [BatchOutcome<Value>] = []
        var firstFailure: Int?
        var finished = 0
        var hasStarted = false
    }

    fileprivate typealias Delivery = LifecycleDelivery<BatchProgress, BatchResult<Value>, any Error>

    /// The identity of the batch, by which a delegate of several batches distinguishes them.
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
    public func events() -> AsyncStream<BatchEvent<Value>> { streams.stream() }

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
        let count: Int? = state.withLock { state in
            guard !state.hasStarted else { return nil }
            state.hasStarted = true
            state.outcomes = Array(repeating: .skipped, count: state.members.count)
            return state.members.count
        }
        guard let count else { throw .alreadyStarted }
        let listeners = [callbacks, delegate?.callbacks(of: self)].compactMap(\.self)
        let delivery = listeners.isEmpty ? nil : Delivery(listeners, on: actor ?? CallbackQueue())
        streams.report(.started(total: count))
        delivery?.report(.willStart)
        let steps = BatchSteps(batch: self, total: count, delivery: delivery, onProgress: onProgress)
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
        await delivery?.end(result.error.map { .failure($0) } ?? .success(result))
        streams.end(.finished(result), isOver: true)
        return result
    }

    /// Cancels running members; members that have not started are skipped, and the batch ends as cancelled.
    public func cancel() { engine.cancel() }
}

/// The members of a batch as one group of steps.
private struct BatchSteps<Value: Sendable>: RunSteps {
    let batch: Batch<Value>
    let total: Int
    let delivery: Batch<Value>.Delivery?
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
        delivery?.report(.progressed(progress))
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

/// The closures of a batch: `success` where every member succeeded, otherwise `failure` with ``BatchResult/error``.
public typealias BatchCallbacks<Value: Sendable> = LifecycleCallbacks<BatchProgress, BatchResult<Value>, any Error>

/// Receives the stages of batches; every method is optional.
///
/// Its methods are called after the closures of ``BatchCallbacks``, on the same actor. It is held weakly.
public protocol BatchDelegate<Value>: AnyObject, Sendable {
    /// The type of the members' values.
    associatedtype Value: Sendable

    /// The batch starts.
    func batchWillStart(_ batch: Batch<Value>)
    /// More members have ended.
    func batch(_ batch: Batch<Value>, progressed progress: BatchProgress)
    /// The batch has ended; its result follows.
    func batchWillStop(_ batch: Batch<Value>)
    /// Every member succeeded.
    func batch(_ batch: Batch<Value>, succeeded result: BatchResult<Value>)
    /// Not every member succeeded.
    func batch(_ batch: Batch<Value>, failed error: any Error)
    /// The last callback.
    func batchDidStop(_ batch: Batch<Value>)
}

extension BatchDelegate {
    /// Does nothing.
    public func batchWillStart(_ batch: Batch<Value>) {}
    /// Does nothing.
    public func batch(_ batch: Batch<Value>, progressed progress: BatchProgress) {}
    /// Does nothing.
    public func batchWillStop(_ batch: Batch<Value>) {}
    /// Does nothing.
    public func batch(_ batch: Batch<Value>, succeeded result: BatchResult<Value>) {}
    /// Does nothing.
    public func batch(_ batch: Batch<Value>, failed error: any Error) {}
    /// Does nothing.
    public func batchDidStop(_ batch: Batch<Value>) {}
}

extension BatchDelegate {
    /// Closures that call this delegate, which is held weakly.
    func callbacks(of batch: Batch<Value>) -> BatchCallbacks<Value> {
        var callbacks = BatchCallbacks<Value>()
        callbacks.willStart = { [weak self] in self?.batchWillStart(batch) }
        callbacks.progress = { [weak self] in self?.batch(batch, progressed: $0) }
        callbacks.willStop = { [weak self] in self?.batchWillStop(batch) }
        callbacks.success = { [weak self] in self?.batch(batch, succeeded: $0) }
        callbacks.failure = { [weak self] in self?.batch(batch, failed: $0) }
        callbacks.didStop = { [weak self] in self?.batchDidStop(batch) }
        return callbacks
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

/// Work that a ``Batch`` can run: a request, a download, another batch, or any other asynchronous operation.
public protocol BatchMember<Output>: Sendable {
    /// The value of a success.
    associatedtype Output: Sendable

    /// Identifies the work: of members with equal identities a batch runs only the first one; nil for work that is always run.
    var identity: (any Hashable & Sendable)? { get }

    /// Performs the work; cancelling the task stops it.
    func run() async throws -> Output
}

extension BatchMember {
    /// Nil: the work is always run.
    public var identity: (any Hashable & Sendable)? { nil }
}

/// A request as a member of a batch; a 404 or 500 is a response, not a failure.
public struct SendMember: BatchMember {
    private let client: Client
    private let request: Request
    private let onEvent: (@Sendable (CallEvent) -> Void)?

    /// Creates a member that sends `request` with `client`; `onEvent` receives the request's events regardless of the batch.
    public init(_ request: Request, with client: Client, onEvent: (@Sendable (CallEvent) -> Void)? = nil) {
        self.client = client
        self.request = request
        self.onEvent = onEvent
    }

    /// Sends the request and waits for its end.
    ///
    /// - Throws: A `NetworkError` when no complete response arrived.
    public func run() async throws -> Exchange {
        let exchange = await client.exchange(request, onEvent: onEvent)
        if let error = exchange.error { throw error }
        return exchange
    }
}

/// The progress of a ``Batch`` or a ``Chain``.
public struct BatchProgress: Hashable, Sendable {
    /// The number of members that have ended, with any outcome, or of steps that have succeeded.
    public var finished: Int
    /// The number of all members or steps.
    public var total: Int
}
