public import Model

/// Something that a ``Batch`` can run: a request, a download, another batch, or anything else that ends (S1.37).
public protocol BatchMember<Output>: Sendable {
    /// What comes of it.
    associatedtype Output: Sendable

    /// Does the work; cancelling the task stops it.
    func run() async throws -> Output
}

/// A request as a member of a batch; a 404 or 500 is a response.
public struct SendMember: BatchMember {
    private let client: Client
    private let request: Request
    private let onEvent: (@Sendable (CallEvent) -> Void)?

    /// A request that will be sent by `client`; its own events still arrive, whatever the batch does (S2.41).
    public init(_ request: Request, with client: Client, onEvent: (@Sendable (CallEvent) -> Void)? = nil) {
        self.client = client
        self.request = request
        self.onEvent = onEvent
    }

    /// Sends the request and waits for its end.
    ///
    /// - Throws: a ``NetworkError`` when no whole response came.
    public func run() async throws -> Exchange {
        let exchange = await client.exchange(request, onEvent: onEvent)
        if let error = exchange.error { throw error }
        return exchange
    }
}
