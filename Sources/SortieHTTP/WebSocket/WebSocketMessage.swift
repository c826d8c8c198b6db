/// The content of a WebSocket message (RFC 6455 §5.6).
package enum WebSocketMessage: Hashable, Sendable {
    case text(String)
    case binary([UInt8])

    /// The frame that carries the message in one piece.
    package var frame: WebSocketFrame {
        switch self {
        case .text(let text): WebSocketFrame(opcode: .text, payload: Array(text.utf8))
        case .binary(let bytes): WebSocketFrame(opcode: .binary, payload: bytes)
        }
    }
}
