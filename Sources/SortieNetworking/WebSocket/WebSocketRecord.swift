internal import SortieBase
internal import SortieHTTP
internal import Synchronization

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
