/// Assembles the messages of a server from received bytes, and enforces the rules of RFC 6455 for a client.
package struct WebSocketReader {
    /// What the server sent.
    package enum Event: Hashable, Sendable {
        case message(WebSocketMessage)
        case ping([UInt8])
        case pong([UInt8])
        case close(WebSocketClose)
    }

    /// The largest accepted message, in bytes.
    package let limit: Int
    private let decompressor: (any WebSocketDecompressor)?
    private var parser: WebSocketFrameParser
    /// The type of the incomplete message; nil between messages.
    private var type: WebSocketOpcode?
    private var isCompressed = false
    private var payload: [UInt8] = []
    private var validation = UTF8Validation()
    private var isClosed = false

    /// - Parameter decompressor: What decompresses messages; nil where permessage-deflate was not agreed on.
    package init(limit: Int, decompressor: (any WebSocketDecompressor)? = nil) {
        self.limit = limit
        self.decompressor = decompressor
        parser = WebSocketFrameParser(allowsCompression: decompressor != nil)
    }

    /// Adds received bytes; bytes after a Close frame are discarded (RFC 6455 §1.4).
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if !isClosed { parser.append(bytes) }
    }

    /// The next event; nil until more bytes arrive, and after a Close frame.
    ///
    /// - Throws: The violated rule; the connection must be closed with its ``WebSocketError/closeCode``.
    package mutating func next() throws(WebSocketError) -> Event? {
        while !isClosed, let part = try parser.next() {
            switch part.opcode {
            case .ping: return .ping(Array(part.payload))
            case .pong: return .pong(Array(part.payload))
            case .close:
                isClosed = true
                return .close(try WebSocketClose(parsing: Array(part.payload)))
            case .text, .binary, .continuation:
                if part.isFirst { try begin(part) }
                if let message = try take(part) { return .message(message) }
            }
        }
        return nil
    }

    /// Checks the beginning of a data frame, before its payload is received.
    private mutating func begin(_ part: WebSocketFramePart) throws(WebSocketError) {
        if part.opcode == .continuation {
            guard type != nil else { throw WebSocketError(.loneContinuation) }
        } else {
            guard type == nil else { throw WebSocketError(.interruptedMessage) }
            type = part.opcode
            isCompressed = part.isCompressed
        }
        // The limit is that of the decompressed message, which the decompressor enforces.
        if isCompressed { return }
        guard part.length <= limit else { throw WebSocketError(.frameLimit, "the frame has \(part.length) bytes, the limit is \(limit)") }
        guard payload.count + part.length <= limit else { throw WebSocketError(.messageLimit, "the message has more than \(limit) bytes") }
        // The system provides the memory only when it is written, so an announced size costs nothing.
        if payload.isEmpty { payload.reserveCapacity(part.length) }
    }

    /// Adds a part of the message; returns the message when it is complete.
    private mutating func take(_ part: WebSocketFramePart) throws(WebSocketError) -> WebSocketMessage? {
        let start = payload.count
        if isCompressed, let decompressor {
            try decompressor.decompress(part.payload, isLast: part.isFinal && part.isLast, into: &payload, limit: limit)
        } else {
            payload += part.payload
        }
        if type == .text, !validation.append(payload[start...]) { throw WebSocketError(.textEncoding) }
        guard part.isFinal, part.isLast else { return nil }
        guard validation.isComplete else { throw WebSocketError(.textEncoding, "the message ends within a character") }
        defer {
            type = nil
            payload = []
        }
        return type == .text ? .text(String(decoding: payload, as: UTF8.self)) : .binary(payload)
    }
}
