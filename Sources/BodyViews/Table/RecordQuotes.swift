/// The quotes of separated values (RFC 4180 §2), read byte by byte from the start of a record.
///
/// A quote opens a quoted part only at the start of a field; in `5" pipe` it is text.
struct RecordQuotes: Sendable {
    /// What a byte is.
    enum Byte: Sendable {
        case text, separator, lineBreak
    }

    private let separator: UInt8
    private var isOpen = false
    /// Whether a quote at the next byte opens: at the start of a field, and after a closing quote, where it is the second one of a doubled quote.
    private var canOpen = true

    init(separator: UInt8) { self.separator = separator }

    /// Reads the next byte; separators and line breaks within quotes are text.
    mutating func read(_ byte: UInt8) -> Byte {
        if byte == UInt8(ascii: "\""), isOpen || canOpen {
            isOpen.toggle()
            canOpen = !isOpen
            return .text
        }
        if isOpen { return .text }
        canOpen = byte == separator || byte == 0x0A || byte == 0x0D
        return canOpen ? (byte == separator ? .separator : .lineBreak) : .text
    }
}
