public import SortieHTTP

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
