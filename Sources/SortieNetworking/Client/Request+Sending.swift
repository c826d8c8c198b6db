public import SortieHTTP

// The shared client sends what is started without a client; any other can be chosen for each start.

extension Request {
    /// Sends the request and waits for its whole response; see ``Client/send(_:plugins:)``.
    public func send(with client: Client = .shared) async throws(NetworkError) -> Response {
        try await client.send(self)
    }

    /// Starts a call; see ``Client/start(_:callbacks:delegate:on:plugins:)``.
    @discardableResult
    public func start(
        with client: Client = .shared, callbacks: CallCallbacks = CallCallbacks(), delegate: (any CallDelegate)? = nil, on actor: (any Actor)? = nil
    ) -> CallTask {
        client.start(self, callbacks: callbacks, delegate: delegate, on: actor)
    }
}

extension Download {
    /// Starts or continues the download; see ``Downloads/start(_:id:callbacks:delegate:on:)``.
    @discardableResult
    public func start(
        with client: Client = .shared, callbacks: DownloadCallbacks? = nil, delegate: (any DownloadDelegate)? = nil, on actor: (any Actor)? = nil
    ) -> DownloadTask {
        client.downloads.start(self, callbacks: callbacks, delegate: delegate, on: actor)
    }
}
