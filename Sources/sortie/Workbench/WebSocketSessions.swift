internal import SortieHTTP
internal import SortieNetworking
internal import SortieWorkbench
internal import Synchronization

internal import struct Foundation.Date

/// The WebSocket connections of the workbench.
final class WebSocketSessions: Sendable {
    private let client: Client
    private let mailbox: Mailbox
    private let open = Mutex<[CallID: WebSocket]>([:])

    init(client: Client, mailbox: Mailbox) {
        self.client = client
        self.mailbox = mailbox
    }

    /// Opens a connection, reports its messages until it is closed, and returns its exchange.
    func run(_ id: CallID, _ request: Request, as number: RequestID) async -> Exchange {
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
        open.withLock { $0[id] = socket }
        defer { open.withLock { $0[id] = nil } }
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
        guard let socket = open.withLock({ $0[id] }) else { throw NetworkError(.connectionLost, "the connection is closed") }
        try await socket.send(message)
    }

    /// Begins to close the connection of a call; returns false where none is open.
    func close(_ id: CallID) -> Bool {
        guard let socket = open.withLock({ $0[id] }) else { return false }
        socket.close(.normalClosure)
        return true
    }

    /// Closes all sockets at once.
    func endAll() {
        for socket in open.withLock({ Array($0.values) }) { socket.cancel() }
    }
}
