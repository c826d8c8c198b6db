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
    /// What has been read so far: the bytes of all messages, or those of their compressed data where these are more, and 64 bytes for each part of a frame.
    package private(set) var work = 0
    /// Whether messages are no longer needed, so that they are neither decompressed nor events.
    ///
    /// It cannot end, because a compressed message may refer to the ones before it.
    package var discardsMessages = false

    /// - Parameter decompressor: What decompresses messages; nil where permessage-deflate was not agreed on.
    package init(limit: Int, decompressor: (any WebSocketDecompressor)? = nil) {
        (self.limit, self.decompressor) = (limit, decompressor)
        parser = WebSocketFrameParser(allowsCompression: decompressor != nil)
    }

    /// The size in memory of a message or a frame beside its content, in bytes, so that many small ones count as well.
    package static let overhead = 64

    /// Adds received bytes; bytes after a Close frame are discarded (RFC 6455 §1.4).
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if !isClosed { parser.append(bytes) }
    }

    /// The next event; nil until more bytes arrive, after a Close frame, and when ``work`` is at its limit.
    ///
    /// - Parameter limit: The value of ``work`` from which on no further part of a frame is read.
    /// - Throws: The violated rule; the connection must be closed with its ``WebSocketError/closeCode``.
    package mutating func next(untilWork limit: Int = .max) throws(WebSocketError) -> Event? {
        while !isClosed, work < limit, let part = try parser.next() {
            work += Self.overhead + part.payload.count
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
        if payload.isEmpty, !discardsMessages { payload.reserveCapacity(part.length) }
    }

    /// Adds a part of the message; returns the message when it is complete.
    private mutating func take(_ part: WebSocketFramePart) throws(WebSocketError) -> WebSocketMessage? {
        guard !discardsMessages else {
            payload = []
            if part.isFinal, part.isLast { type = nil }
            return nil
        }
        let start = payload.count
        if isCompressed, let decompressor {
            try decompressor.decompress(part.payload, isLast: part.isFinal && part.isLast, into: &payload, limit: limit)
            work += max(0, payload.count - start - part.payload.count)
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

/// Validates UTF-8 that arrives in pieces, which may end within a character (RFC 3629 §4).
package struct UTF8Validation: Hashable, Sendable {
    /// The number of missing continuation bytes, and the range of the next one.
    private var missing = 0
    private var range: ClosedRange<UInt8> = 0x80...0xbf

    package init() {}

    /// Whether the text ends between two characters.
    package var isComplete: Bool { missing == 0 }

    /// Adds bytes; returns false when the text cannot become valid any more.
    package mutating func append(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var index = 0
            while index < bytes.count {
                // Most texts are mostly ASCII, of which eight characters are skipped at once.
                if missing == 0, index + 8 <= bytes.count, bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
                    index += 8
                    continue
                }
                guard append(bytes[index]) else { return false }
                index += 1
            }
            return true
        }
    }

    private mutating func append(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard range.contains(byte) else { return false }
            range = 0x80...0xbf
            missing -= 1
            return true
        }
        switch byte {
        case ...0x7f: break
        case 0xc2...0xdf: missing = 1
        case 0xe0...0xef:
            missing = 2
            // Excludes overlong forms and surrogates.
            if byte == 0xe0 { range = 0xa0...0xbf } else if byte == 0xed { range = 0x80...0x9f }
        case 0xf0...0xf4:
            missing = 3
            // Excludes overlong forms and values above U+10FFFF.
            if byte == 0xf0 { range = 0x90...0xbf } else if byte == 0xf4 { range = 0x80...0x8f }
        default: return false
        }
        return true
    }
}

/// Parses the frames of a server from bytes that arrive in pieces (RFC 6455 §5.2).
///
/// Headers are checked before the payload is received, and the payload of a data frame is passed on as it arrives, so the buffer never has more than
/// an incomplete header or control frame and one received piece.
package struct WebSocketFrameParser: Sendable {
    private struct Header {
        let opcode: WebSocketOpcode
        let isFinal: Bool
        let isCompressed: Bool
        let size: Int
        let length: Int
    }

    /// Whether the first frame of a message may have RSV1 (RFC 7692 §6).
    private let allowsCompression: Bool
    /// The size of the largest part where messages are compressed, in bytes: it may become a thousand times larger.
    private static let largestCompressedPart = 4 << 10
    private var bytes: [UInt8] = []
    private var start = 0
    /// The data frame whose payload is incomplete, and the number of missing bytes.
    private var current: Header?
    private var missing = 0

    package init(allowsCompression: Bool = false) {
        self.allowsCompression = allowsCompression
    }

    /// Adds received bytes.
    package mutating func append(_ new: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: new)
    }

    /// The next part of a frame; nil until more bytes arrive.
    ///
    /// - Throws: The violated rule. No frame can be parsed afterwards.
    package mutating func next() throws(WebSocketError) -> WebSocketFramePart? {
        if let current { return start < bytes.count ? part(of: current, isFirst: false) : nil }
        guard let header = try header() else { return nil }
        // A control frame is short and has a meaning only as a whole.
        if header.opcode.isControl, bytes.count - start - header.size < header.length { return nil }
        start += header.size
        missing = header.length
        return part(of: header, isFirst: true)
    }

    private mutating func part(of header: Header, isFirst: Bool) -> WebSocketFramePart {
        let count = min(missing, bytes.count - start, allowsCompression ? Self.largestCompressedPart : .max)
        let payload = bytes[start..<(start + count)]
        start += count
        missing -= count
        current = missing > 0 ? header : nil
        return WebSocketFramePart(
            opcode: header.opcode, isFinal: header.isFinal, isCompressed: header.isCompressed, isFirst: isFirst, isLast: missing == 0,
            length: header.length, payload: payload)
    }

    /// The header of the next frame; nil until it is complete.
    private func header() throws(WebSocketError) -> Header? {
        let available = bytes.count - start
        // The first byte alone can be a violation.
        guard available >= 1 else { return nil }
        let first = bytes[start]
        let mayBeCompressed = allowsCompression && (first & 0xf == WebSocketOpcode.text.rawValue || first & 0xf == WebSocketOpcode.binary.rawValue)
        guard first & (mayBeCompressed ? 0x30 : 0x70) == 0 else {
            throw WebSocketError(.reservedBits, "the bits are \(String(first >> 4 & 7, radix: 2))")
        }
        guard let opcode = WebSocketOpcode(rawValue: first & 0xf) else {
            throw WebSocketError(.opcode, "the opcode is 0x\(String(first & 0xf, radix: 16, uppercase: true))")
        }
        let isFinal = first & 0x80 != 0
        if opcode.isControl, !isFinal { throw WebSocketError(.controlFragment) }
        guard available >= 2 else { return nil }
        let second = bytes[start + 1]
        guard second & 0x80 == 0 else { throw WebSocketError(.masked) }
        let short = Int(second & 0x7f)
        if opcode.isControl, short > 125 { throw WebSocketError(.controlLength) }
        guard let (size, length) = try length(short, available: available) else { return nil }
        return Header(opcode: opcode, isFinal: isFinal, isCompressed: first & 0x40 != 0, size: size, length: length)
    }

    /// The sizes of the header and of the payload; nil until the header is complete.
    private func length(_ short: Int, available: Int) throws(WebSocketError) -> (header: Int, payload: Int)? {
        guard short >= 126 else { return (2, short) }
        let size = short == 126 ? 2 : 8
        guard available >= 2 + size else { return nil }
        var value: UInt64 = 0
        for byte in bytes[(start + 2)..<(start + 2 + size)] { value = value << 8 | UInt64(byte) }
        guard value >> 63 == 0 else { throw WebSocketError(.lengthRange) }
        guard value > (size == 2 ? 125 : 0xffff) else { throw WebSocketError(.minimalLength, "\(value) is written in \(size) bytes") }
        return (2 + size, Int(value))
    }
}

/// A part of a received frame: a whole control frame, or what was received of a data frame.
///
/// The parts of a data frame are available before the frame is complete, so that a violation is detected with its first byte, and a large frame is
/// not stored twice.
package struct WebSocketFramePart: Sendable {
    package let opcode: WebSocketOpcode
    /// Whether the frame is the last one of its message.
    package let isFinal: Bool
    /// Whether the message that the frame begins is compressed (RFC 7692 §6).
    package let isCompressed: Bool
    /// Whether the part begins the frame.
    package let isFirst: Bool
    /// Whether the part ends the frame.
    package let isLast: Bool
    /// The size of the payload of the whole frame, in bytes.
    package let length: Int
    package let payload: ArraySlice<UInt8>
}
