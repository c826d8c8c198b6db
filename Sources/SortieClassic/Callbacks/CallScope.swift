public import SortieNetworking
internal import Synchronization

/// The calls of one owner, for example a screen: they end when the owner is released, and can be cancelled together.
public final class CallScope: Sendable {
    private let client: Client
    private let running = Mutex<Set<RequestID>>([])

    /// Creates a scope whose calls are sent by `client`.
    public init(_ client: Client) {
        self.client = client
    }

    deinit {
        cancelAll()
    }

    /// Sends a request and waits for its whole response, as `Client.send(_:plugins:)` does.
    ///
    /// - Throws: A `NetworkError` when no complete response arrived; `cancelled` when the task or the scope was cancelled.
    public func send(_ request: Request) async throws(NetworkError) -> Response {
        let id = client.makeID()
        running.withLock { _ = $0.insert(id) }
        defer { running.withLock { _ = $0.remove(id) } }
        return try await client.exchange(request, id: id).result.get()
    }

    /// Starts a call; see `Client.start(_:callbacks:delegate:on:plugins:)`.
    @discardableResult
    public func start(
        _ request: Request, callbacks: CallCallbacks = CallCallbacks(), delegate: (any CallDelegate)? = nil, on actor: (any Actor)? = nil
    ) -> CallTask {
        let task = client.task(request, callbacks, delegate, on: actor, plugins: []) { [weak self] id in
            self?.running.withLock { _ = $0.remove(id) }
        }
        running.withLock { _ = $0.insert(task.id) }
        task.start()
        return task
    }

    /// The identities of its calls that have not ended.
    public var calls: Set<RequestID> { running.withLock { $0 } }

    /// Cancels the calls with these identities that belong to this scope.
    public func cancel(_ ids: some Sequence<RequestID>) {
        client.cancel(running.withLock { $0.intersection(ids) })
    }

    /// Cancels all calls of this scope.
    public func cancelAll() {
        client.cancel(running.withLock { $0 })
    }
}
