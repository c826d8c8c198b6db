package import SortieBase
package import SortieHTTP

/// An open WebSocket connection (RFC 6455): a sequence of what is sent and received, for one consumer.
///
/// The sequence ends after both sides have sent a Close frame. It throws the error of a connection that ended otherwise. Ending the iteration by
/// cancelling its task, and releasing the connection, closes the socket at once. Pings are responded to.
package final class WebSocket: AsyncSequence, Sendable {
    package typealias Element = WebSocketEvent
    package typealias Failure = NetworkError

    /// The exchange of the handshake.
    package let exchange: Exchange
    private let channel: WebSocketChannel
    private let record: WebSocketRecord

    init(_ exchange: Exchange, _ channel: WebSocketChannel, _ record: WebSocketRecord) {
        self.exchange = exchange
        self.channel = channel
        self.record = record
    }

    deinit {
        cancel()
        record.end(.cancelledByCaller)
    }

    /// The exchange with the events that were taken from the sequence so far as its body: lines of JSON, whatever the content of the messages is.
    ///
    /// Its error is that of the end of the connection. Observers of calls get it at the end of the sequence.
    package var recordedExchange: Exchange { record.exchange }

    /// The recorded events so far.
    package var recordedBody: BodyBytes { record.body }

    /// The numbers of bytes of messages so far.
    package var progress: CallProgress { record.progress }

    /// The subprotocol that the server selected; nil for none.
    package var subprotocol: String? { exchange.response?.headers["Sec-WebSocket-Protocol"] }

    /// Reads the events.
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let socket: WebSocket

        /// The next event; nil after the end.
        ///
        /// - Throws: The error that ended the connection: `badResponse` for a violation of the protocol, `connectionLost` without a Close frame,
        ///   `cancelled` where the task was cancelled.
        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(NetworkError) -> WebSocketEvent? {
            let socket = socket
            let result = await withTaskCancellationHandler {
                await socket.channel.next()
            } onCancel: {
                socket.cancel()
            }
            switch result {
            case .success(let event?): socket.record.note(event)
            case .success(nil): socket.record.end(nil)
            case .failure(let error): socket.record.end(error)
            }
            return try result.get()
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: self) }

    /// Sends a message; returns when the kernel has all of it.
    ///
    /// - Throws: The error that ended the connection; `connectionLost` where it is closed.
    package func send(_ message: WebSocketMessage) async throws(NetworkError) {
        let channel = channel
        guard let connection = channel.connection else {
            throw channel.failure ?? NetworkError(.connectionLost, "the WebSocket connection is closed")
        }
        let error: NetworkError? = await withCheckedContinuation { continuation in
            Engine.post { connection.send(message, continuation) }
        }
        if let error { throw error }
    }

    /// Sends a Close frame; the sequence ends with that of the server, or with an error after 5 seconds.
    package func close(_ close: WebSocketClose) {
        guard let connection = channel.connection else { return }
        Engine.post { connection.close(close) }
    }

    /// Closes the socket at once.
    package func cancel() {
        guard let connection = channel.connection else { return }
        Engine.post { connection.end(.cancelledByCaller) }
    }
}
