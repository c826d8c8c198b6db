/// A violation of RFC 6455 or RFC 7692, or of a limit, by a peer or by the caller.
package struct WebSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule that was violated.
    package enum Rule: String, Hashable, Sendable, CaseIterable {
        // Handshake
        case status, upgrade, connection, accept, extensions, extensionParameters, subprotocol
        // Frames
        case reservedBits, opcode, masked, minimalLength, lengthRange, frameLimit, controlLength, controlFragment
        // Messages
        case loneContinuation, interruptedMessage, messageLimit, textEncoding, compressedData
        // Close
        case closePayload, closeCode, closeReason
    }

    package let rule: Rule
    /// The received value; nil where the rule says everything.
    package let detail: String?

    package init(_ rule: Rule, _ detail: String? = nil) {
        (self.rule, self.detail) = (rule, detail)
    }

    /// The rule and the received value, as a sentence.
    package var description: String { rule.text + (detail.map { "; \($0)" } ?? "") }

    /// The code with which the connection is closed (RFC 6455 §7.4.1).
    package var closeCode: UInt16 {
        switch rule {
        case .textEncoding, .compressedData, .closeReason: WebSocketClose.invalidData
        case .frameLimit, .messageLimit: WebSocketClose.tooLarge
        default: WebSocketClose.protocolError
        }
    }
}

extension WebSocketError.Rule {
    /// The rule as a sentence with its source.
    package var text: String {
        switch self {
        case .status: "the response to a WebSocket handshake must have the status 101 (RFC 6455 §4.1)"
        case .upgrade: "the response to a WebSocket handshake must have the field “Upgrade: websocket” (RFC 6455 §4.1)"
        case .connection: "the response to a WebSocket handshake must have the field “Connection: Upgrade” (RFC 6455 §4.1)"
        case .accept: "Sec-WebSocket-Accept must be computed from the key of the request (RFC 6455 §4.1)"
        case .extensions: "a server must not use an extension that was not requested (RFC 6455 §4.1)"
        case .extensionParameters: "the parameters of permessage-deflate must be those of RFC 7692 (RFC 7692 §7.1)"
        case .subprotocol: "a server must not select a subprotocol that was not requested (RFC 6455 §4.1)"
        case .reservedBits: "a reserved bit must be 0 where no extension gives it a meaning (RFC 6455 §5.2)"
        case .opcode: "reserved opcodes must not be used (RFC 6455 §5.2)"
        case .masked: "a server must not mask frames (RFC 6455 §5.1)"
        case .minimalLength: "the payload length must have its shortest form (RFC 6455 §5.2)"
        case .lengthRange: "the most significant bit of the payload length must be 0 (RFC 6455 §5.2)"
        case .frameLimit: "the frame is larger than the limit (RFC 6455 §10.4)"
        case .controlLength: "the payload of a control frame must not exceed 125 bytes (RFC 6455 §5.5)"
        case .controlFragment: "a control frame must not be fragmented (RFC 6455 §5.5)"
        case .loneContinuation: "a continuation frame must follow a fragment of a message (RFC 6455 §5.4)"
        case .interruptedMessage: "a new message must not begin before the fragmented message ends (RFC 6455 §5.4)"
        case .messageLimit: "the message is larger than the limit (RFC 6455 §10.4)"
        case .textEncoding: "a text message must be valid UTF-8 (RFC 6455 §8.1)"
        case .compressedData: "a compressed message must be valid DEFLATE data (RFC 7692 §7.2.2)"
        case .closePayload: "the payload of a Close frame must be empty or begin with a code of 2 bytes (RFC 6455 §5.5.1)"
        case .closeCode: "the code of a Close frame must be one that frames may have (RFC 6455 §7.4)"
        case .closeReason: "the reason of a Close frame must be valid UTF-8 (RFC 6455 §5.5.1)"
        }
    }
}
