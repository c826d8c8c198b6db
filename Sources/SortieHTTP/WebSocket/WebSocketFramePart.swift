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
