public import SortieHTTP

extension Client {
    /// Opens a WebSocket connection.
    ///
    /// The handshake is a GET that takes the path of every other request: trust, pins, proxy, addresses, plugins, credentials, cookies, redirects and
    /// retries apply. The total time limit applies to the handshake. The limit of connections of a service does not apply. Where the retry policy allows
    /// retries, a connection that is lost without a Close frame is opened again, at most as often without a message in between.
    ///
    /// - Parameters:
    ///   - request: The request, with the scheme http for ws and https for wss. `Sec-WebSocket-Protocol` requests subprotocols. Its
    ///     body is the first message that is sent, also when the connection is opened again.
    ///   - maximumMessageBytes: The largest accepted message.
    /// - Throws: The error of the handshake: `status` for another status than 101, `badResponse` for an invalid response, `invalidOption` for a request
    ///   with another method than GET, a body of files, or credentials of Digest or NTLM.
    public func webSocket(_ request: Request, maximumMessageBytes: Int = 16 << 20) async throws(NetworkError) -> WebSocket {
        try await webSocket(request, id: nil, maximumMessageBytes: maximumMessageBytes)
    }

    /// Opens a WebSocket connection as ``webSocket(_:maximumMessageBytes:)`` does.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - id: The identity of the call; nil for a new one.
    ///   - maximumMessageBytes: The largest accepted message.
    ///   - closingLimits: How long the end of the connection may take.
    ///   - onEvent: Called for each event of the handshake, on any thread; the last one is `finished`.
    package func webSocket(
        _ request: Request, id: RequestID? = nil, maximumMessageBytes: Int = 16 << 20,
        closingLimits: WebSocketClosingLimits = WebSocketClosingLimits(), onEvent: (@Sendable (CallEvent) -> Void)? = nil
    ) async throws(NetworkError) -> WebSocket {
        guard request.method == .get else {
            throw NetworkError(.invalidOption, "a WebSocket handshake is a GET (RFC 6455 §4.1)", hint: "remove the method")
        }
        let body = request.body
        let subscription = GraphQLSubscription(request, body: body)
        let first = subscription == nil ? try WebSocketMessage(body: body) : .text(GraphQLSubscription.opening)
        var request = request
        request.body = .none
        if request.options.credential.login != nil, let scheme = request.options.credential.challengeScheme {
            throw NetworkError(
                .invalidOption, "\(scheme) authentication is not available for WebSocket", hint: "use Basic or a bearer token")
        }
        let opener = WebSocketOpener(
            core: core, request: request, body: body, first: first, subscription: subscription, maximumMessageBytes: maximumMessageBytes,
            closingLimits: closingLimits,
            onEvent: onEvent, makeID: { [self] in makeID() })
        let (exchange, channel) = try await opener.open(as: id ?? makeID(), isFirst: true)
        return WebSocket(exchange, channel, opener)
    }
}
