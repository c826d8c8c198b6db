public import SortieNetworking

/// Work that a `Batch` can run: a request, a download, another batch, or any other asynchronous operation.
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

extension Batch {
    /// Adds a member, unless the batch has one with the same ``BatchMember/identity``.
    ///
    /// - Returns: Whether the member was added.
    /// - Parameters:
    ///   - member: The member.
    ///   - completion: Called once with the outcome, before the batch counts it.
    /// - Throws: `BatchError.alreadyStarted`.
    @discardableResult
    public func add(
        _ member: some BatchMember<Value>, completion: (@Sendable (BatchOutcome<Value>) -> Void)? = nil
    ) throws(BatchError) -> Bool {
        try add(identity: member.identity, completion: completion) { try await member.run() }
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
    /// - Throws: `BatchError.alreadyStarted`.
    @discardableResult
    public func add(any member: some BatchMember, completion: (@Sendable (BatchOutcome<Value>) -> Void)? = nil) throws(BatchError) -> Bool {
        try add(identity: member.identity, completion: completion) { try await member.run() }
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
    /// - Throws: `BatchError.membersFailed`, or `BatchError.alreadyStarted`.
    public func run() async throws -> BatchResult<Value> {
        let result = try await batch.run()
        guard result.isSuccess else { throw BatchError.membersFailed(result.outcomes.count - result.values.count) }
        return result
    }
}

/// A request as a member of a batch; a 404 or 500 is a response, not a failure.
public struct SendMember: BatchMember {
    private let client: Client
    private let request: Request
    private let onEvent: (@Sendable (CallEvent) -> Void)?

    /// Creates a member that sends `request` with `client`; `onEvent` receives the request's events regardless of the batch.
    public init(_ request: Request, with client: Client, onEvent: (@Sendable (CallEvent) -> Void)? = nil) {
        (self.client, self.request, self.onEvent) = (client, request, onEvent)
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
