/// One WebSocket frame, unmasked (RFC 6455 §5.2).
package struct WebSocketFrame: Hashable, Sendable {
    /// Whether the frame is the last one of its message.
    package var isFinal: Bool
    /// Whether the message that the frame begins is compressed (RFC 7692 §6).
    package var isCompressed = false
    package var opcode: WebSocketOpcode
    package var payload: [UInt8]

    package init(isFinal: Bool = true, opcode: WebSocketOpcode, payload: [UInt8] = []) {
        self.isFinal = isFinal
        self.opcode = opcode
        self.payload = payload
    }

    /// The frame as a client sends it.
    ///
    /// - Parameter mask: The masking key, which must be unpredictable to the program that chose the payload (RFC 6455 §5.3).
    package func bytes(mask: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 14)
        bytes.append((isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue)
        switch payload.count {
        case ...125: bytes.append(0x80 | UInt8(payload.count))
        case ...0xffff:
            bytes.append(0x80 | 126)
            bytes.append(UInt8(payload.count >> 8))
            bytes.append(UInt8(payload.count & 0xff))
        default:
            bytes.append(0x80 | 127)
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift)) }
        }
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: mask >> shift)) }
        bytes.append(contentsOf: Self.masked(payload, mask))
        return bytes
    }

    /// The payload, of which each byte is combined with one of the four bytes of the masking key in turn (RFC 6455 §5.3).
    private static func masked(_ payload: [UInt8], _ mask: UInt32) -> [UInt8] {
        let key = mask.bigEndian
        let word = UInt64(key) << 32 | UInt64(key)
        return [UInt8](unsafeUninitializedCapacity: payload.count) { target, count in
            count = payload.count
            let target = UnsafeMutableRawBufferPointer(target)
            payload.withUnsafeBytes { source in
                var index = 0
                while index + 8 <= source.count {
                    target.storeBytes(of: source.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word, toByteOffset: index, as: UInt64.self)
                    index += 8
                }
                while index < source.count {
                    target[index] = source[index] ^ UInt8(truncatingIfNeeded: mask >> (24 - 8 * (index & 3)))
                    index += 1
                }
            }
        }
    }
}
