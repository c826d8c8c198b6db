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
        let count = min(missing, bytes.count - start)
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
