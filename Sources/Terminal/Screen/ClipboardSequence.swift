/// The control sequence that sets the clipboard of the terminal (OSC 52 of xterm's control sequences).
///
/// It contains nothing of the text but its Base64 encoding, so that the text cannot end the sequence.
package struct ClipboardSequence: Hashable, Sendable {
    /// The maximum size of a text in bytes.
    ///
    /// Terminals accept sequences of 100,000 bytes, of which eight are not Base64.
    package static let textLimit = 74_994

    /// The bytes of the sequence.
    package let bytes: [UInt8]

    /// Creates a sequence; nil for an empty text and one of more than ``textLimit`` bytes.
    ///
    /// - Parameter throughTmux: Whether tmux passes the sequence on to its terminal, which requires its option `allow-passthrough`.
    package init?(_ text: String, throughTmux: Bool = false) {
        let text = Array(text.utf8)
        guard !text.isEmpty, text.count <= Self.textLimit else { return nil }
        let sequence = Array("\u{1B}]52;c;".utf8) + Self.base64(text) + [0x07]
        // Within a sequence that tmux passes on, ESC is doubled.
        bytes = throughTmux ? Array("\u{1B}Ptmux;\u{1B}".utf8) + sequence + Array("\u{1B}\\".utf8) : sequence
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The Base64 encoding (RFC 4648 §4).
    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            let group = (0..<3).reduce(UInt32(0)) { $0 << 8 | ($1 < count ? UInt32(bytes[start + $1]) : 0) }
            for index in 0..<4 { result.append(index <= count ? alphabet[Int(group >> UInt32(18 - 6 * index) & 63)] : UInt8(ascii: "=")) }
        }
        return result
    }
}
