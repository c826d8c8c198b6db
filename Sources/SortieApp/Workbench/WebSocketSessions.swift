internal import SortieHTTP
internal import SortieNetworking
internal import SortieWorkbench
internal import Synchronization

internal import struct Foundation.Date

/// The WebSocket connections of the workbench.
final class WebSocketSessions: Sendable {
    private let client: Client
    private let mailbox: Mailbox
    private let state = Mutex(State())

    private struct State {
        var open: [CallID: WebSocket] = [:]
        /// The number of connections that have not ended, including those that are being opened.
        var running = 0
        /// Whether the program ends.
        var isEnding = false
        /// Continued when no connection is left.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    init(client: Client, mailbox: Mailbox) {
        self.client = client
        self.mailbox = mailbox
    }

    /// Opens a connection, reports its messages until it is closed, and returns its exchange.
    func run(_ id: CallID, _ request: Request, as number: RequestID) async -> Exchange {
        state.withLock { $0.running += 1 }
        defer { ended(id) }
        let handshake = Mutex<Exchange?>(nil)
        let socket: WebSocket
        do throws(NetworkError) {
            socket = try await client.webSocket(
                request, id: number,
                onEvent: { [mailbox] event in
                    if case .finished(let exchange) = event {
                        handshake.withLock { $0 = exchange }
                    } else {
                        mailbox.post(.call(id, event))
                    }
                })
        } catch {
            var exchange = handshake.withLock { $0 } ?? Exchange(id: number, request: request, startedAt: Date())
            exchange.error = error
            return exchange
        }
        let isEnding = state.withLock { state in
            state.open[id] = socket
            return state.isEnding
        }
        if isEnding { Self.end([socket]) }
        if let response = socket.exchange.response { mailbox.post(.call(id, .responded(response))) }
        let updates = Throttle(interval: .milliseconds(50)) { [mailbox] in
            mailbox.post(.call(id, .progressed(socket.progress)))
            mailbox.post(.call(id, .grew(socket.recordedBody)))
        }
        do throws(NetworkError) {
            for try await _ in socket { updates.note() }
        } catch {
            // The exchange has the error.
        }
        return socket.recordedExchange
    }

    /// Sends a message over the connection of a call.
    func send(_ message: WebSocketMessage, _ id: CallID) async throws(NetworkError) {
        guard let socket = state.withLock({ $0.open[id] }) else { throw NetworkError(.connectionLost, "the connection is closed") }
        try await socket.send(message)
    }

    /// Begins to close the connection of a call; returns false where none is open.
    func close(_ id: CallID) -> Bool {
        guard let socket = state.withLock({ $0.open[id] }) else { return false }
        socket.close(.normalClosure)
        return true
    }

    /// The time that servers may take at the end of the program to receive what was sent and to respond to the Close frame.
    ///
    /// Shorter than the time to wait for calls at exit, which includes recording the connections.
    private static let closePatience = Duration.milliseconds(500)

    /// Closes all connections, also those that are being opened, with a Close frame, and their sockets a short time later.
    func endAll() {
        let sockets = state.withLock { state in
            state.isEnding = true
            return Array(state.open.values)
        }
        Self.end(sockets)
    }

    private static func end(_ sockets: [WebSocket]) {
        guard !sockets.isEmpty else { return }
        for socket in sockets { socket.cancel(sending: .goingAwayClosure) }
        Task {
            do { try await Task.sleep(for: Self.closePatience) } catch {
                // Nothing cancels this task.
            }
            for socket in sockets { socket.cancel() }
        }
    }

    /// Waits until all connections have ended; observers of calls then have their messages.
    func waitUntilEnded() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.running > 0 { state.waiting.append(continuation) }
                return state.running == 0
            }
            if isIdle { continuation.resume() }
        }
    }

    private func ended(_ id: CallID) {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.open[id] = nil
            state.running -= 1
            guard state.running == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
