/// The bytes of frames as a server sends them, valid or not (RFC 6455 §5.2).
enum ServerFrame {
    static func bytes(_ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, reserved: UInt8 = 0) -> [UInt8] {
        let first = (isFinal ? 0x80 : 0) | reserved << 4 | opcode
        let count = payload.count
        let length: [UInt8] =
            switch count {
            case ...125: [UInt8(count)]
            case ...0xffff: [126, UInt8(count >> 8), UInt8(count & 0xff)]
            default: [127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
            }
        return [first] + length + payload
    }

    static func text(_ text: String, isFinal: Bool = true) -> [UInt8] { bytes(1, Array(text.utf8), isFinal: isFinal) }
    static func continuation(_ text: String, isFinal: Bool = true) -> [UInt8] { bytes(0, Array(text.utf8), isFinal: isFinal) }
    static func ping(_ text: String = "") -> [UInt8] { bytes(9, Array(text.utf8)) }
    static func pong(_ text: String = "") -> [UInt8] { bytes(10, Array(text.utf8)) }

    static func close(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] { bytes(8, [UInt8(code >> 8), UInt8(code & 0xff)] + reason) }

    /// A message in fragments of at most `size` bytes.
    static func fragments(_ opcode: UInt8, _ payload: [UInt8], of size: Int) -> [[UInt8]] {
        stride(from: 0, to: payload.count, by: size).map { start in
            let end = min(start + size, payload.count)
            return bytes(start == 0 ? opcode : 0, Array(payload[start..<end]), isFinal: end == payload.count)
        }
    }
}
