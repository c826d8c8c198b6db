internal import SortieBase

extension MarkupScanner {
    /// A row.
    struct Row {
        /// The kinds of rows.
        enum Kind { case tag, text, raw, comment }

        var kind: Kind
        /// The bytes without white space at both ends.
        var source: Range<Int>
        /// The start of the next row, before its white space.
        var next: Int
        var depth: Int
        /// Whether the row continues a line or a tag that is too long for one row.
        var continues = false
        /// Whether the end of the row is final.
        var isClosed = true
    }

    /// What the next bytes belong to.
    enum Phase: Sendable {
        case start, content, text
        /// A comment, an instruction or a declaration, up to these bytes.
        case until(StaticEnd)
        /// A tag that is too long for one row, with the quote that is open in it.
        case tag(quote: UInt8)
        /// The content of an element that is text up to its end tag.
        case raw
    }

    /// The ends of constructs that have no content.
    enum StaticEnd: Sendable {
        case comment, instruction, data, declaration
        /// Of a declaration with declarations in brackets.
        case subset

        var bytes: StaticString {
            switch self {
            case .comment: "-->"
            case .instruction: "?>"
            case .data: "]]>"
            case .declaration: ">"
            case .subset: "]>"
            }
        }
    }
}

/// The names in tags.
extension MarkupScanner {
    func nameRange(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Range<Int> {
        var index = start
        while index < end, !bytes[index].isASCIIWhitespace, !Self.endsName(bytes[index]) { index += 1 }
        return start..<max(start, index)
    }

    func isSame(_ one: Range<Int>, _ other: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> Bool {
        Self.isSame(one, other, bytes, ignoringCase: isHTML)
    }

    static func isSame(_ one: Range<Int>, _ other: Range<Int>, _ bytes: UnsafeRawBufferPointer, ignoringCase: Bool) -> Bool {
        guard one.count == other.count, one.upperBound <= bytes.count, other.upperBound <= bytes.count else { return false }
        return zip(one, other).allSatisfy { left, right in
            bytes[left] == bytes[right] || ignoringCase && ASCII.lowercased(bytes[left]) == ASCII.lowercased(bytes[right])
        }
    }

    func text(_ name: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes[name.prefix(64)], as: UTF8.self) + (name.count > 64 ? "…" : "")
    }

    func lowercased(_ name: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> String {
        name.count > 16 ? "" : String(decoding: bytes[name], as: UTF8.self).lowercased()
    }

    private static func endsName(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=") }

    static func beginsName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...0xFF: true
        default: false
        }
    }
}
