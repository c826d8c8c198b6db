/// Assembles the messages of a server from received bytes, and enforces the rules of RFC 6455 for a client.
package struct WebSocketReader: Sendable {
    /// What the server sent.
    package enum Event: Hashable, Sendable {
        case message(WebSocketMessage)
        case ping([UInt8])
        case pong([UInt8])
        case close(WebSocketClose)
    }

    /// The largest accepted message, in bytes.
    package let limit: Int
    private var parser: WebSocketFrameParser
    /// The type of the fragmented message; nil between messages.
    private var type: WebSocketOpcode?
    private var payload: [UInt8] = []
    private var validation = UTF8Validation()
    private var isClosed = false

    package init(limit: Int) {
        self.limit = limit
        parser = WebSocketFrameParser(limit: limit)
    }

    /// Adds received bytes.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        parser.append(bytes)
    }

    /// The next event; nil until more bytes arrive.
    ///
    /// - Throws: The violated rule; the connection must be closed with its ``WebSocketError/closeCode``.
    package mutating func next() throws(WebSocketError) -> Event? {
        if isClosed {
            if parser.hasRest { throw WebSocketError(.dataAfterClose) }
            return nil
        }
        while let frame = try parser.next() {
            switch frame.opcode {
            case .ping: return .ping(frame.payload)
            case .pong: return .pong(frame.payload)
            case .close:
                isClosed = true
                return .close(try WebSocketClose(parsing: frame.payload))
            case .text, .binary:
                guard type == nil else { throw WebSocketError(.interruptedMessage) }
                type = frame.opcode
            case .continuation:
                guard type != nil else { throw WebSocketError(.loneContinuation) }
            }
            if let message = try take(frame) { return .message(message) }
        }
        return nil
    }

    /// Adds a fragment; returns the message when it is complete.
    private mutating func take(_ frame: WebSocketFrame) throws(WebSocketError) -> WebSocketMessage? {
        guard payload.count + frame.payload.count <= limit else {
            throw WebSocketError(.messageLimit, "the message has more than \(limit) bytes")
        }
        if type == .text, !validation.append(frame.payload) { throw WebSocketError(.textEncoding) }
        if payload.isEmpty { payload = frame.payload } else { payload += frame.payload }
        guard frame.isFinal else { return nil }
        guard validation.isComplete else { throw WebSocketError(.textEncoding, "the message ends within a character") }
        defer {
            type = nil
            payload = []
        }
        return type == .text ? .text(String(decoding: payload, as: UTF8.self)) : .binary(payload)
    }
}
