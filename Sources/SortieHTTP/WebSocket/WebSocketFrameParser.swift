/// Parses the frames of a server from bytes that arrive in pieces (RFC 6455 §5.2).
///
/// Lengths are checked before the payload is received, so a peer cannot make the buffer larger than the limit and one received piece.
package struct WebSocketFrameParser: Sendable {
    /// The largest accepted payload of one frame, in bytes.
    package let limit: Int
    private var bytes: [UInt8] = []
    private var start = 0

    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether received bytes are not consumed yet.
    package var hasRest: Bool { start < bytes.count }

    /// Adds received bytes.
    package mutating func append(_ new: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: new)
    }

    /// The next complete frame; nil until more bytes arrive.
    ///
    /// - Throws: The violated rule. No frame can be parsed afterwards.
    package mutating func next() throws(WebSocketError) -> WebSocketFrame? {
        let available = bytes.count - start
        guard available >= 2 else { return nil }
        let (first, second) = (bytes[start], bytes[start + 1])
        guard first & 0x70 == 0 else { throw WebSocketError(.reservedBits, "the bits are \(String(first >> 4 & 7, radix: 2))") }
        guard let opcode = WebSocketOpcode(rawValue: first & 0xf) else {
            throw WebSocketError(.opcode, "the opcode is 0x\(String(first & 0xf, radix: 16, uppercase: true))")
        }
        let isFinal = first & 0x80 != 0
        guard second & 0x80 == 0 else { throw WebSocketError(.masked) }
        let short = Int(second & 0x7f)
        if opcode.isControl {
            guard isFinal else { throw WebSocketError(.controlFragment) }
            guard short <= 125 else { throw WebSocketError(.controlLength) }
        }
        guard let (header, length) = try length(short, available: available) else { return nil }
        guard length <= limit else { throw WebSocketError(.frameLimit, "the frame has \(length) bytes, the limit is \(limit)") }
        guard available - header >= length else { return nil }
        let payload = Array(bytes[(start + header)..<(start + header + length)])
        start += header + length
        return WebSocketFrame(isFinal: isFinal, opcode: opcode, payload: payload)
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
