internal import DequeModule
package import FoundationEssentials
package import SortieHTTP
internal import Synchronization

/// Connects a WebSocket connection on the engine's thread with its consumer.
///
/// Received messages wait in memory up to ``budget``; the socket is not read meanwhile, so that the server has to wait.
final class WebSocketChannel: Sendable {
    private struct State {
        var connection: WebSocketConnection?
        /// When the handshake was complete.
        var openedAt: Date?
        var events = Deque<WebSocketEvent>()
        var waitingBytes = 0
        var waiter: CheckedContinuation<Result<WebSocketEvent?, NetworkError>, Never>?
        var end: Result<Void, NetworkError>?
        /// Whether the consumer needs no further events.
        var isDiscarding = false
    }

    /// The largest accepted message, in bytes.
    let limit: Int
    let closingLimits: WebSocketClosingLimits
    /// Whether the connection is opened for the first time; an attempt to open it again belongs to the call of the first time.
    let isFirst: Bool
    /// The number of bytes of unread messages from which on nothing more is read.
    static let budget = 8 << 20
    private let state = Mutex(State())

    init(limit: Int, closingLimits: WebSocketClosingLimits, isFirst: Bool) {
        (self.limit, self.closingLimits, self.isFirst) = (limit, closingLimits, isFirst)
    }

    // MARK: The connection's side

    /// Stores the connection after the handshake.
    func open(_ connection: WebSocketConnection) {
        state.withLock { state in
            state.connection = connection
            state.openedAt = Date()
        }
    }

    /// Adds an event; returns false when the connection should pause reading.
    func add(_ event: WebSocketEvent) -> Bool {
        let (waiter, goesOn) = state.withLock { state -> (CheckedContinuation<Result<WebSocketEvent?, NetworkError>, Never>?, Bool) in
            guard state.end == nil, !state.isDiscarding else { return (nil, true) }
            if let waiter = state.waiter.take() { return (waiter, true) }
            state.events.append(event)
            state.waitingBytes += event.size
            return (nil, state.waitingBytes < Self.budget)
        }
        waiter?.resume(returning: .success(event))
        return goesOn
    }

    /// Whether further messages are needed, and can wait without exceeding the budget.
    var hasRoom: Bool { state.withLock { !$0.isDiscarding && $0.waitingBytes < Self.budget } }

    /// Ends the sequence after the events that wait; only the first end has an effect.
    func finish(_ end: Result<Void, NetworkError>) {
        let waiter = state.withLock { state -> CheckedContinuation<Result<WebSocketEvent?, NetworkError>, Never>? in
            guard state.end == nil else { return nil }
            state.end = end
            state.connection = nil
            return state.waiter.take()
        }
        waiter?.resume(returning: end.map { nil })
    }

    // MARK: The consumer's side

    var connection: WebSocketConnection? { state.withLock { $0.connection } }
    /// When the handshake was complete, before the first event; nil before.
    var openedAt: Date? { state.withLock { $0.openedAt } }

    /// Discards the events that wait and all further ones, so that the end of the connection follows at once.
    func discard() {
        let resumed = state.withLock { state -> WebSocketConnection? in
            state.isDiscarding = true
            state.events.removeAll()
            defer { state.waitingBytes = 0 }
            return state.waitingBytes >= Self.budget ? state.connection : nil
        }
        if let resumed { Engine.post { resumed.resume() } }
    }

    /// Why the connection ended; nil while it is open, and after a normal end.
    var failure: NetworkError? {
        state.withLock { state in
            if case .failure(let error)? = state.end { error } else { nil }
        }
    }

    /// The next event; nil after the end.
    func next() async -> Result<WebSocketEvent?, NetworkError> {
        await withCheckedContinuation { continuation in
            var resumed: WebSocketConnection?
            let result = state.withLock { state -> Result<WebSocketEvent?, NetworkError>? in
                if let event = state.events.popFirst() {
                    let wasFull = state.waitingBytes >= Self.budget
                    state.waitingBytes -= event.size
                    if wasFull, state.waitingBytes < Self.budget { resumed = state.connection }
                    return .success(event)
                }
                if let end = state.end { return end.map { nil } }
                guard state.waiter == nil else {
                    return .failure(NetworkError(.internalFailure, "two tasks read the messages of one WebSocket connection"))
                }
                state.waiter = continuation
                return nil
            }
            if let resumed { Engine.post { resumed.resume() } }
            if let result { continuation.resume(returning: result) }
        }
    }
}

extension WebSocketEvent {
    /// The approximate size in memory, in bytes.
    fileprivate var size: Int {
        switch content {
        case .message(.text(let text)): text.utf8.count + WebSocketReader.overhead
        case .message(.binary(let bytes)): bytes.count + WebSocketReader.overhead
        case .close, .reconnected: WebSocketReader.overhead
        }
    }
}

/// How long the end of a WebSocket connection may take.
package struct WebSocketClosingLimits: Sendable {
    /// The time that the server may take to respond to a Close frame, and to receive what is sent before the end.
    package var closeFrame = Duration.seconds(5)
    /// The time that the server may take to close the socket after the last frame.
    ///
    /// Closing it first, with unread bytes, would reset the connection, and the server could lose the Close frame.
    package var socket = Duration.seconds(1)

    package init() {}

    /// Both limits with the same value.
    package init(_ limit: Duration) {
        closeFrame = limit
        socket = limit
    }
}

/// A message, a Close frame or a new beginning of a WebSocket connection.
package struct WebSocketEvent: Hashable, Sendable {
    package enum Direction: String, Hashable, Sendable {
        case sent, received
    }

    package enum Content: Hashable, Sendable {
        case message(WebSocketMessage)
        case close(WebSocketClose)
        /// The connection was opened again after it was lost.
        case reconnected(after: String)
    }

    package let direction: Direction
    /// When the last byte was received, or when the program passed it to the connection.
    package let time: Date
    package let content: Content
}
