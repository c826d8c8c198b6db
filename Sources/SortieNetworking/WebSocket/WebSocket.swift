internal import CLinux
package import SortieBase
package import SortieHTTP
internal import Synchronization

internal import struct FoundationEssentials.Data
internal import struct FoundationEssentials.Date

/// An open WebSocket connection (RFC 6455), which ``Client/webSocket(_:maximumMessageBytes:)`` opens.
///
/// ```swift
/// let socket = try await client.webSocket(Request("https://shop.example/prices"))
/// try await socket.send(.text("subscribe"))
/// for try await message in socket.messages {
///     print(message)
/// }
/// ```
///
/// Pings are responded to. Releasing the connection closes the socket at once.
public final class WebSocket: Sendable {
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
    public let exchange: Exchange
    fileprivate let record: WebSocketRecord
    private let opener: WebSocketOpener
    private let state: Mutex<State>

    init(_ exchange: Exchange, _ channel: WebSocketChannel, _ opener: WebSocketOpener) {
        (self.exchange, self.opener) = (exchange, opener)
        record = WebSocketRecord(exchange, opener.core, body: opener.body)
        state = Mutex(State(channel: channel))
    }

    deinit {
        cancel()
        record.end(.cancelledByCaller)
    }

    /// The subprotocol that the server selected; nil for none.
    public var subprotocol: String? { exchange.response?.headers["Sec-WebSocket-Protocol"] }

    /// The exchange with the events that were taken from the sequence so far as its body: lines of JSON, whatever the content of the messages is.
    ///
    /// Its error is that of the end of the connection, or `closed` where the server closed it with another code than 1000 and 1001. Observers of calls get it at the end of the sequence.
    package var recordedExchange: Exchange { record.exchange }

    /// The recorded events so far.
    package var recordedBody: BodyBytes { record.body }

    /// The numbers of bytes of messages so far.
    package var progress: CallProgress { record.progress }

    /// The received messages, for one consumer.
    ///
    /// The sequence ends after both sides have sent a Close frame. It throws the error of a connection that ended otherwise, unless the retry policy
    /// of the request allows to open it again. Ending the iteration by cancelling its task closes the socket at once.
    public var messages: some AsyncSequence<WebSocketMessage, NetworkError> & Sendable { Messages(events: events) }

    /// What is sent and received, for one consumer: the sequence of ``messages`` with the other events.
    package var events: Events { Events(socket: self) }

    private struct Messages: AsyncSequence, Sendable {
        let events: Events

        struct AsyncIterator: AsyncIteratorProtocol {
            var events: Events.AsyncIterator

            mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(NetworkError) -> WebSocketMessage? {
                while let event = try await events.next(isolation: actor) {
                    if event.direction == .received, case .message(let message) = event.content { return message }
                }
                return nil
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: events.makeAsyncIterator()) }
    }

    /// The events of a connection.
    package struct Events: AsyncSequence, Sendable {
        fileprivate let socket: WebSocket

        package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: socket) }
    }
}

extension WebSocket.Events {
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
                if let event { await socket.continueSubscription(after: event) }
                return event
            } catch {
                return try await socket.reopen(after: error)
            }
        }
    }
}

extension WebSocket {
    /// Sends a message; returns when the kernel has all of it.
    ///
    /// - Throws: The error that ended the connection; `connectionLost` where it is closed.
    public func send(_ message: WebSocketMessage) async throws(NetworkError) { try await channel.send(message) }

    /// Sends a Close frame; the sequence of messages ends with that of the server, or with an error where it does not arrive in time.
    ///
    /// - Parameters:
    ///   - code: The status code (RFC 6455 §7.4).
    ///   - reason: At most 123 bytes.
    /// - Throws: `invalidOption` for a code or a reason that a Close frame must not have.
    public func close(code: UInt16 = 1000, reason: String = "") throws(NetworkError) {
        let close: WebSocketClose
        do throws(WebSocketError) { close = try WebSocketClose(code: code, reason: reason) } catch {
            throw NetworkError(.invalidOption, error.description)
        }
        self.close(close)
    }

    /// Sends a Close frame; the sequence ends with that of the server, or with an error after the time of
    /// ``WebSocketClosingLimits/closeFrame`` or 8 MiB.
    package func close(_ close: WebSocketClose) { end(with: Ending(close: close, error: nil)) }

    /// Sends a Close frame as ``close(_:)`` does; the sequence then ends with the error `cancelled`.
    package func cancel(sending close: WebSocketClose) { end(with: Ending(close: close, error: .cancelledByCaller)) }

    /// Closes the socket at once; messages that wait are discarded.
    public func cancel() {
        let channel = begin(nil)
        channel.discard()
        guard let connection = channel.connection else { return }
        Engine.post { connection.end(.cancelledByCaller) }
    }

    fileprivate var channel: WebSocketChannel { state.withLock { $0.channel } }

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

    /// Sends what the protocol of a GraphQL subscription requires after a message of the server.
    ///
    /// A failure is that of the connection, which the sequence reports.
    fileprivate func continueSubscription(after event: WebSocketEvent) async {
        guard let subscription = opener.subscription, event.direction == .received, case .message(.text(let text)) = event.content else { return }
        switch subscription.reply(to: text) {
        case .message(let reply): do throws(NetworkError) { try await channel.send(.text(reply)) } catch {}
        case .close: do throws(NetworkError) { try close() } catch {}
        case nil: break
        }
    }

    fileprivate func note(_ event: WebSocketEvent) {
        if case .message = event.content, event.direction == .received { state.withLock { $0.reconnections = 0 } }
        record.note(event)
    }

    /// Opens the connection again after it was lost, and returns the event that reports it.
    ///
    /// - Throws: The error where it is not opened again.
    fileprivate func reopen(after error: NetworkError) async throws(NetworkError) -> WebSocketEvent {
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

/// The messages of a WebSocket connection as lines of JSON: the body of its exchange.
///
/// `{"received": "12:03:04.120", "bytes": 12, "data": {"price": 42}}` has the direction with the local time, the size of the content in bytes, and
/// the content: a text that is an object or an array of JSON as a value, another text as a string, bytes as `base64`, and the code of a Close frame as
/// `close` with its `reason`. With `reconnected` in place of the direction, the reason is why the connection was opened again.
struct WebSocketLog {
    private var buffer: BodyBuffer
    private var isFull = false
    /// The number of bytes of received messages.
    private(set) var receivedBytes: Int64 = 0
    /// The number of bytes of sent messages.
    private(set) var sentBytes: Int64 = 0

    /// Creates a log of at most `limit` bytes, which is stored in `folder` where it is large.
    init(folder: String, limit: Int64?) {
        buffer = BodyBuffer(folder: folder, limit: limit)
    }

    /// The lines.
    ///
    /// Waits until a large log is on the disk.
    var view: BodyBytes {
        mutating get {
            waitUntilWritten()
            return buffer.view
        }
    }

    /// Adds an event; nothing once the log is full or cannot be stored.
    ///
    /// - Throws: `bodyTooLarge` and `storage`, once.
    mutating func append(_ event: WebSocketEvent) throws(NetworkError) {
        let size = Int64(event.contentBytes)
        if event.direction == .sent { sentBytes += size } else { receivedBytes += size }
        guard !isFull else { return }
        do throws(NetworkError) {
            let line = Array(Self.line(of: event).utf8)
            let mustWait = try line.withUnsafeBufferPointer { (bytes) throws(NetworkError) in try buffer.append(UnsafeRawBufferPointer(bytes)) {} }
            // The messages arrive faster than the disk stores them.
            if mustWait { buffer.waitUntilWritten() }
            // While the disk is busy, the lines are collected for one write.
            if !buffer.isBehind { buffer.flush() }
        } catch {
            isFull = true
            throw error
        }
    }

    /// Waits until a large log is on the disk.
    mutating func waitUntilWritten() {
        buffer.flush()
        buffer.waitUntilWritten()
    }

    /// The line of an event, with its line break.
    static func line(of event: WebSocketEvent) -> String {
        var kind = event.direction.rawValue
        if case .reconnected = event.content { kind = "reconnected" }
        let head = "{\"\(kind)\":\"\(localTime(of: event.time))\",\"bytes\":\(event.contentBytes),"
        let content =
            switch event.content {
            case .message(.text(let text)): "\"data\":\(value(of: text))"
            case .message(.binary(let bytes)): "\"base64\":\"\(Data(bytes).base64EncodedString())\""
            case .reconnected(let reason): "\"reason\":\"\(JSONText.escaped(reason))\""
            case .close(let close):
                "\"close\":\(close.code.map { String($0) } ?? "null"),\"reason\":\"\(JSONText.escaped(close.reason))\""
            }
        return head + content + "}\n"
    }

    /// A text as JSON: the value without line breaks where it is an object or an array, else a string.
    private static func value(of text: String) -> String {
        let start = text.utf8.first { $0 > 0x20 }
        let mayBeValue = start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
        return (mayBeValue ? JSONText.compact(text) : nil) ?? "\"\(JSONText.escaped(text))\""
    }

    private static func localTime(of date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        let offset = clinux_utc_offset(Int64(seconds.rounded(.down)))
        let clock = CalendarTime(secondsSince1970: seconds, utcOffset: offset).iso8601.dropFirst(11).prefix(8)
        let milliseconds = String(1000 + Int((seconds - seconds.rounded(.down)) * 1000)).dropFirst()
        return "\(clock).\(milliseconds)"
    }
}

extension WebSocketEvent {
    /// The size of the content in bytes: of a Close frame, that of its payload.
    fileprivate var contentBytes: Int {
        switch content {
        case .message(.text(let text)): text.utf8.count
        case .message(.binary(let bytes)): bytes.count
        case .close(let close): close.payload.count
        case .reconnected: 0
        }
    }
}

/// The exchange of a WebSocket connection: its handshake, and the messages as the body of the response.
///
/// Observers of calls get it when the connection has ended.
final class WebSocketRecord: Sendable {
    private struct State {
        var exchange: Exchange
        var log: WebSocketLog
        var isEnded = false
        /// Whether this side sent a Close frame first.
        var isClosing = false
        /// The failure that a Close frame of the server reports.
        var failure: NetworkError?
    }

    private let core: ClientCore
    private let kind: RequestKind = .webSocket
    private let openedAt = MonotonicClock.now
    private let state: Mutex<State>

    /// Creates the record of an open connection.
    ///
    /// - Parameter body: The body of the request, whose content is the first message.
    init(_ handshake: Exchange, _ core: ClientCore, body: RequestBody) {
        self.core = core
        var handshake = handshake
        handshake.request.body = body
        let limit = handshake.request.options.maximumBodyBytes
        state = Mutex(State(exchange: handshake, log: WebSocketLog(folder: core.configuration.spoolFolder, limit: limit)))
    }

    /// The messages so far.
    var body: BodyBytes { state.withLock { $0.log.view } }

    /// The numbers of bytes of messages so far.
    var progress: CallProgress { state.withLock { CallProgress(sent: $0.log.sentBytes, received: $0.log.receivedBytes) } }

    /// The exchange as it is now; complete after the end.
    var exchange: Exchange {
        state.withLock { state in
            var exchange = state.exchange
            exchange.response?.body = state.log.view
            exchange.response?.wireBytes = state.log.receivedBytes
            if !state.isEnded { exchange.duration += MonotonicClock.seconds(from: openedAt) }
            return exchange
        }
    }

    /// Adds a message or a Close frame.
    func note(_ event: WebSocketEvent) {
        state.withLock { state in
            guard !state.isEnded else { return }
            do throws(NetworkError) { try state.log.append(event) } catch {
                state.exchange.notices.append("later messages are not recorded: \(error.message)")
            }
            guard case .close(let close) = event.content else { return }
            if event.direction == .sent { state.isClosing = true }
            if event.direction == .received, !state.isClosing { state.failure = NetworkError(of: close) }
        }
    }

    /// Ends the record; only the first end has an effect.
    func end(_ error: NetworkError?) {
        let isFirst = state.withLock { state in
            guard !state.isEnded else { return false }
            state.isEnded = true
            state.exchange.duration += MonotonicClock.seconds(from: openedAt)
            // The socket may break after a Close frame, which is the reason then.
            state.exchange.error = state.failure ?? error
            state.log.waitUntilWritten()
            return true
        }
        guard isFirst, core.archive.isOn else { return }
        core.archive.note(CompletedCall(exchange, kind: kind))
    }
}

extension NetworkError {
    /// The failure that a Close frame of the server reports; nil for the end of a connection that has fulfilled its purpose.
    fileprivate init?(of close: WebSocketClose) {
        guard let code = close.code, code != WebSocketClose.normal, code != WebSocketClose.goingAway else { return nil }
        let reason = close.reason.isEmpty ? "" : ": \(close.reason)"
        self.init(.closed, "the server closed the connection with \(code)\(reason)")
    }
}
