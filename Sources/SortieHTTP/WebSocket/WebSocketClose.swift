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
        self.code = code
        self.reason = reason
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
        self.code = code
        self.reason = reason
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
