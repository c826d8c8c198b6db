package import SortieHTTP

extension Client {
    /// Opens a WebSocket connection.
    ///
    /// The handshake is a GET that takes the path of every other request: trust, pins, proxy, addresses, plugins, credentials, cookies, redirects and
    /// retries apply. The total time limit applies to the handshake. The limit of connections of a service does not apply.
    ///
    /// - Parameters:
    ///   - request: The request, with the scheme http for ws and https for wss (``WebSocketURL``). `Sec-WebSocket-Protocol` requests subprotocols. Its
    ///     body is the first message that is sent.
    ///   - id: The identity of the call; nil for a new one.
    ///   - maximumMessageBytes: The largest accepted message.
    ///   - onEvent: Called for each event of the handshake, on any thread; the last one is `finished`.
    /// - Throws: The error of the handshake: `status` for another status than 101, `badResponse` for an invalid response, `invalidOption` for a request
    ///   with another method than GET, a body of files, or credentials of Digest or NTLM.
    package func webSocket(
        _ request: Request, id: RequestID? = nil, maximumMessageBytes: Int = 64 << 20, onEvent: (@Sendable (CallEvent) -> Void)? = nil
    ) async throws(NetworkError) -> WebSocket {
        guard request.method == .get else {
            throw NetworkError(.invalidOption, "a WebSocket handshake is a GET (RFC 6455 §4.1)", hint: "remove the method")
        }
        let first = try WebSocketMessage(body: request.body)
        var request = request
        request.body = .none
        if let login = request.options.login {
            throw NetworkError(
                .invalidOption, "\(login.scheme.rawValue) authentication is not available for WebSocket", hint: "use Basic or a bearer token")
        }
        let channel = WebSocketChannel(limit: maximumMessageBytes)
        var observer: (@Sendable (CallSignal) -> Void)?
        if let onEvent {
            observer = { signal in
                if case .event(let event) = signal { onEvent(event) }
            }
        }
        let call = core.register(id ?? makeID(), request, webSocket: channel, observer: observer)
        let exchange = await withTaskCancellationHandler {
            await core.run(call)
        } onCancel: {
            call.abort(.cancelledByCaller)
        }
        if let error = exchange.error {
            if let connection = channel.connection { Engine.post { connection.end(.cancelledByCaller) } }
            throw error
        }
        if channel.connection != nil || exchange.isOpenWebSocket {
            let socket = WebSocket(exchange, channel, WebSocketRecord(exchange, core))
            // The sequence of messages reports why the connection ended.
            if let first { do throws(NetworkError) { try await socket.send(first) } catch {} }
            return socket
        }
        let status = exchange.response?.status ?? 0
        throw NetworkError(.status, "the server responded with \(status) to the WebSocket handshake, which needs 101 (RFC 6455 §4.1)")
    }
}
