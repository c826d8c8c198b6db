package import SortieBase
package import SortieHTTP
internal import Synchronization

internal import struct FoundationEssentials.Date

/// An open WebSocket connection (RFC 6455): a sequence of what is sent and received, for one consumer.
///
/// The sequence ends after both sides have sent a Close frame. It throws the error of a connection that ended otherwise, unless the retry policy of the
/// request allows to open it again. Ending the iteration by cancelling its task, and releasing the connection, closes the socket at once. Pings are
/// responded to.
package final class WebSocket: AsyncSequence, Sendable {
    package typealias Element = WebSocketEvent
    package typealias Failure = NetworkError

    private struct State {
        var channel: WebSocketChannel
        /// Whether the connection was closed by this side, and is not opened again.
        var isClosing = false
        /// How to close a connection that is being opened again meanwhile; nil closes its socket at once.
        var ending: Ending?
        /// The number of times that it was opened again since the last received message.
        var reconnections = 0
        /// The delay before it is opened again.
        var pause: Task<Void, Never>?
    }

    /// A Close frame, and the error with which the connection then ends.
    private struct Ending {
        let close: WebSocketClose
        let error: NetworkError?
    }

    /// The exchange of the first handshake.
    package let exchange: Exchange
    private let record: WebSocketRecord
    private let opener: WebSocketOpener
    private let state: Mutex<State>

    init(_ exchange: Exchange, _ channel: WebSocketChannel, _ opener: WebSocketOpener) {
        self.exchange = exchange
        self.opener = opener
        record = WebSocketRecord(exchange, opener.core, body: opener.body)
        state = Mutex(State(channel: channel))
    }

    deinit {
        cancel()
        record.end(.cancelledByCaller)
    }

    /// The subprotocol that the server selected; nil for none.
    package var subprotocol: String? { exchange.response?.headers["Sec-WebSocket-Protocol"] }

    /// The exchange with the events that were taken from the sequence so far as its body: lines of JSON, whatever the content of the messages is.
    ///
    /// Its error is that of the end of the connection, or `closed` where the server closed it with another code than 1000 and 1001. Observers of calls get it at the end of the sequence.
    package var recordedExchange: Exchange { record.exchange }

    /// The recorded events so far.
    package var recordedBody: BodyBytes { record.body }

    /// The numbers of bytes of messages so far.
    package var progress: CallProgress { record.progress }

    /// Reads the events.
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let socket: WebSocket

        /// The next event; nil after the end.
        ///
        /// - Throws: The error that ended the connection: `badResponse` for a violation of the protocol, `connectionLost` without a Close frame,
        ///   `cancelled` where the task was cancelled, and the error of a handshake that opened it again.
        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(NetworkError) -> WebSocketEvent? {
            let socket = socket
            let channel = socket.channel
            let result = await withTaskCancellationHandler {
                await channel.next()
            } onCancel: {
                socket.cancel()
            }
            do throws(NetworkError) {
                let event = try result.get()
                if let event { socket.note(event) } else { socket.record.end(nil) }
                return event
            } catch {
                return try await socket.reopen(after: error)
            }
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: self) }

    /// Sends a message; returns when the kernel has all of it.
    ///
    /// - Throws: The error that ended the connection; `connectionLost` where it is closed.
    package func send(_ message: WebSocketMessage) async throws(NetworkError) { try await channel.send(message) }

    /// Sends a Close frame; the sequence ends with that of the server, or with an error after the time of
    /// ``WebSocketClosingLimits/closeFrame`` or 8 MiB.
    package func close(_ close: WebSocketClose) { end(with: Ending(close: close, error: nil)) }

    /// Sends a Close frame as ``close(_:)`` does; the sequence then ends with the error `cancelled`.
    package func cancel(sending close: WebSocketClose) { end(with: Ending(close: close, error: .cancelledByCaller)) }

    /// Closes the socket at once; messages that wait are discarded.
    package func cancel() {
        let channel = begin(nil)
        channel.discard()
        guard let connection = channel.connection else { return }
        Engine.post { connection.end(.cancelledByCaller) }
    }

    private var channel: WebSocketChannel { state.withLock { $0.channel } }

    private func end(with ending: Ending) {
        guard let connection = begin(ending).connection else { return }
        Self.close(connection, ending)
    }

    private static func close(_ connection: WebSocketConnection, _ ending: Ending) {
        Engine.post { connection.close(ending.close, as: ending.error) }
    }

    /// Records the end, so that the connection is not opened again, and returns the channel of the current connection.
    private func begin(_ ending: Ending?) -> WebSocketChannel {
        state.withLock { state in
            state.isClosing = true
            state.ending = ending
            state.pause?.cancel()
            return state.channel
        }
    }

    private func note(_ event: WebSocketEvent) {
        if case .message = event.content, event.direction == .received { state.withLock { $0.reconnections = 0 } }
        record.note(event)
    }

    /// Opens the connection again after it was lost, and returns the event that tells it.
    ///
    /// - Throws: The error where it is not opened again.
    private func reopen(after error: NetworkError) async throws(NetworkError) -> WebSocketEvent {
        // The time at which the handshake was complete: messages may be sent and received before this task continues.
        let time: Date
        do throws(NetworkError) {
            guard error.code == .connectionLost, await pause() else { throw error }
            let (_, channel) = try await opener.open(as: opener.makeID(), isFirst: false)
            let (isClosing, ending) = state.withLock { state in
                state.channel = channel
                return (state.isClosing, state.ending)
            }
            if let ending {
                // The server has an open connection, which ends as another one does.
                if let connection = channel.connection { Self.close(connection, ending) }
            } else if isClosing {
                cancel()
                throw error
            }
            time = channel.openedAt ?? Date()
        } catch {
            record.end(error)
            throw error
        }
        let event = WebSocketEvent(direction: .sent, time: time, content: .reconnected(after: error.message))
        note(event)
        return event
    }

    /// Waits before the connection is opened again; returns false where it must not be.
    private func pause() async -> Bool {
        let pause = state.withLock { state -> Task<Void, Never>? in
            guard !state.isClosing, !Task.isCancelled, state.reconnections < opener.reconnectionLimit else { return nil }
            let seconds = opener.delay(before: state.reconnections)
            state.reconnections += 1
            state.pause = Task {
                do { try await Task.sleep(for: .seconds(seconds)) } catch {
                    // The connection is closed.
                }
            }
            return state.pause
        }
        guard let pause else { return false }
        await withTaskCancellationHandler {
            await pause.value
        } onCancel: {
            pause.cancel()
        }
        return !Task.isCancelled && !state.withLock { $0.isClosing }
    }
}
