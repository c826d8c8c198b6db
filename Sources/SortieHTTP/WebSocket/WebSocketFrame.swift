/// One WebSocket frame, unmasked (RFC 6455 §5.2).
package struct WebSocketFrame: Hashable, Sendable {
    /// Whether the frame is the last one of its message.
    package var isFinal: Bool
    /// Whether the message that the frame begins is compressed (RFC 7692 §6).
    package var isCompressed = false
    package var opcode: WebSocketOpcode
    package var payload: [UInt8]

    package init(isFinal: Bool = true, opcode: WebSocketOpcode, payload: [UInt8] = []) {
        (self.isFinal, self.opcode, self.payload) = (isFinal, opcode, payload)
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

extension WebSocketMessage {
    /// The message that has the content of a request's body: a text where the bytes are valid UTF-8; nil without a body.
    ///
    /// - Throws: `invalidOption` for files and multipart bodies.
    package init?(body: RequestBody) throws(NetworkError) {
        switch body {
        case .none: return nil
        case .bytes(let bytes, _): self = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .binary(bytes)
        case .file, .multipart:
            throw NetworkError(
                .invalidOption, "a WebSocket message is a text, not a file or a form with parts", hint: "use json: or text: as the body")
        }
    }
}

/// The status code and the reason of a Close frame (RFC 6455 §5.5.1, §7.4).
package struct WebSocketClose: Hashable, Sendable {
    /// The status code; nil for a frame without one.
    package let code: UInt16?
    /// The reason; empty without one.
    package let reason: String

    package static let normal: UInt16 = 1000
    package static let goingAway: UInt16 = 1001
    package static let protocolError: UInt16 = 1002
    package static let invalidData: UInt16 = 1007
    package static let tooLarge: UInt16 = 1009

    /// The content of the frame that ends a connection whose purpose has been fulfilled.
    package static let normalClosure = WebSocketClose(registered: normal)

    /// The content of the frame of a program that ends.
    package static let goingAwayClosure = WebSocketClose(registered: goingAway)

    private init(registered code: UInt16) {
        self.code = code
        reason = ""
    }

    /// Creates the content of a frame to send.
    ///
    /// - Throws: `closeCode` for a code that must not be sent, and `controlLength` for a reason of more than 123 bytes.
    package init(code: UInt16?, reason: String = "") throws(WebSocketError) {
        if let code, !Self.isAllowed(code) { throw WebSocketError(.closeCode, "the code is \(code)") }
        guard reason.utf8.count <= 123, code != nil || reason.isEmpty else {
            throw WebSocketError(.controlLength, "the reason has \(reason.utf8.count) bytes; at most 123 are allowed, and none without a code")
        }
        (self.code, self.reason) = (code, reason)
    }

    /// Parses the payload of a received frame.
    package init(parsing payload: [UInt8]) throws(WebSocketError) {
        guard !payload.isEmpty else {
            code = nil
            reason = ""
            return
        }
        guard payload.count > 1 else { throw WebSocketError(.closePayload) }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard Self.isAllowed(code) else { throw WebSocketError(.closeCode, "the code is \(code)") }
        guard let reason = String(validating: payload[2...], as: UTF8.self) else { throw WebSocketError(.closeReason) }
        (self.code, self.reason) = (code, reason)
    }

    /// The payload of the frame.
    package var payload: [UInt8] {
        guard let code else { return [] }
        return [UInt8(code >> 8), UInt8(code & 0xff)] + reason.utf8
    }

    /// Whether a Close frame may have the code: registered codes, and those of libraries and applications (RFC 6455 §7.4).
    ///
    /// 1004, 1005, 1006 and 1015 are reserved for other purposes than frames.
    package static func isAllowed(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// The content of a WebSocket message (RFC 6455 §5.6).
public enum WebSocketMessage: Hashable, Sendable {
    /// A text.
    case text(String)
    /// Bytes.
    case binary([UInt8])

    /// The frame that carries the message in one piece.
    package var frame: WebSocketFrame {
        switch self {
        case .text(let text): WebSocketFrame(opcode: .text, payload: Array(text.utf8))
        case .binary(let bytes): WebSocketFrame(opcode: .binary, payload: bytes)
        }
    }
}

/// The opcode of a WebSocket frame (RFC 6455 §5.2, §11.8).
package enum WebSocketOpcode: UInt8, Hashable, Sendable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xa

    /// Whether the frame is a control frame, which may stand between the fragments of a message (RFC 6455 §5.5).
    package var isControl: Bool { rawValue & 0x8 != 0 }
}
