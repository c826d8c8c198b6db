internal import SortieHTTP

/// Opens a WebSocket connection, and opens it again.
struct WebSocketOpener: Sendable {
    let core: ClientCore
    /// The request of the handshake.
    let request: Request
    /// The body of the request as it was given, whose content is the first message.
    let body: RequestBody
    /// The first message; nil for none.
    let first: WebSocketMessage?
    /// The GraphQL operation that the connection is for; nil for none.
    let subscription: GraphQLSubscription?
    let maximumMessageBytes: Int
    let closingLimits: WebSocketClosingLimits
    /// Called for each event of a handshake.
    let onEvent: (@Sendable (CallEvent) -> Void)?
    let makeID: @Sendable () -> RequestID

    /// The number of times that a lost connection is opened again without a message in between.
    var reconnectionLimit: Int { request.options.retry?.limit ?? 0 }

    /// The delay in seconds before a lost connection is opened again.
    func delay(before count: Int) -> Double { core.retrySource.random(0...RetryPolicy().longestDelay(before: count)) }

    /// Performs a handshake and sends the first message.
    ///
    /// - Parameters:
    ///   - id: The identity of the call.
    ///   - isFirst: Whether the end of the handshake is reported.
    func open(as id: RequestID, isFirst: Bool) async throws(NetworkError) -> (Exchange, WebSocketChannel) {
        let channel = WebSocketChannel(limit: maximumMessageBytes, closingLimits: closingLimits, isFirst: isFirst)
        let observer = Call.observer(of: onEvent) { event in
            if case .finished = event { isFirst } else { true }
        }
        let exchange = await core.runCancellably(core.register(id, request, webSocket: channel, observer: observer))
        if let error = exchange.error {
            channel.end()
            throw error
        }
        // The sequence of messages reports why the connection ended.
        if let first { do throws(NetworkError) { try await channel.send(first) } catch {} }
        return (exchange, channel)
    }
}

extension WebSocketChannel {
    /// Closes the socket at once.
    func end() {
        guard let connection else { return }
        Engine.post { connection.end(.cancelledByCaller) }
    }

    /// Sends a message; returns when the kernel has all of it.
    func send(_ message: WebSocketMessage) async throws(NetworkError) {
        guard let connection else { throw failure ?? NetworkError(.connectionLost, "the WebSocket connection is closed") }
        let error: NetworkError? = await withCheckedContinuation { continuation in
            Engine.post { connection.send(message, continuation) }
        }
        if let error { throw error }
    }
}
