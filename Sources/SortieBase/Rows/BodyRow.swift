/// One row of a displayed body.
package struct BodyRow: Hashable, Sendable {
    /// The text of the row, left to right.
    package var spans: [BodySpan]

    /// The bytes of the body that the row shows.
    package var sourceRange: Range<Int>

    /// The line number, from 1; nil when the row continues a line that is too long for one row.
    package var number: Int?

    /// Creates a row.
    package init(spans: [BodySpan], sourceRange: Range<Int>, number: Int?) {
        (self.spans, self.sourceRange, self.number) = (spans, sourceRange, number)
    }

    /// The text of the whole row.
    package var text: String { spans.reduce(into: "") { $0 += $1.text } }

    /// The maximum number of source bytes in a row; a longer line continues on further rows.
    package static let byteLimit = 4096
}

/// A part of a row with one meaning.
///
/// The pane defines how each meaning is displayed.
package struct BodySpan: Hashable, Sendable {
    /// The meaning of a part.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The name of an object's member, including quotes.
        case key
        /// A JSON string or the value of an attribute, including quotes.
        case string
        /// A JSON number.
        case number
        /// `true`, `false` or `null`.
        case literal
        /// Brackets, commas and colons; angle brackets and equal signs of a tag.
        case punctuation
        /// Any other text, including indentation.
        case text
        /// The name of an XML or HTML element.
        case tag
        /// The name of an attribute.
        case attribute
        /// A comment.
        case comment
        /// The offset at the left of a hex row.
        case hexOffset
        /// Bytes as hexadecimal digits.
        case hexByte
        /// Bytes as characters at the right of a hex row.
        case hexASCII
        /// A text of the program that is not part of the body.
        case notice
    }

    /// The text, which may contain control characters; the drawing code makes them visible.
    package var text: String

    /// The meaning of the text.
    package var kind: Kind

    /// Whether the text is part of a search match.
    package var isMatch: Bool

    /// Whether that match is the selected one.
    package var isCurrent: Bool

    /// Creates a span.
    package init(_ text: String, _ kind: Kind, isMatch: Bool = false, isCurrent: Bool = false) {
        (self.text, self.kind, self.isMatch, self.isCurrent) = (text, kind, isMatch, isCurrent)
    }
}

/// Finds the position at which a line that is too long for one row is cut: between characters, as far as that is cheap to determine.
///
/// The position depends only on the bytes from `start` to the cut and the scalar after it, so every scan finds the same one.
package enum RowCut {
    /// The number of bytes that must be known after the wanted cut, unless the line ends before.
    package static let lookahead = 8

    /// The maximum distance of a boundary before the wanted cut.
    private static let reach = 64

    /// The cut at or shortly before `wanted` in a line whose known bytes end at `end`.
    package static func boundary(
        _ bytes: UnsafeRawBufferPointer, from start: Int, wanted: Int, end: Int, encoding: TextEncoding, escapes: Bool = false
    ) -> Int {
        guard wanted < end else { return end }
        var cut = wanted
        switch encoding {
        case .windows1252, .other:
            return cut
        case .utf16LittleEndian, .utf16BigEndian:
            cut -= (cut - start) % 2
            guard cut + 1 < end, cut > start else { return wanted }
            return encoding.unit(bytes[cut], bytes[cut + 1]) & 0xFC00 == 0xDC00 && cut - 2 > start ? cut - 2 : cut
        case .utf8:
            cut = scalarStart(bytes, from: start, cut)
            while wanted - cut < reach, joinsPrevious(bytes, from: start, cut, end: end) {
                let before = scalarStart(bytes, from: start, cut - 1)
                guard before > start else { break }
                cut = before
            }
        }
        if escapes, let escape = escapeStart(bytes, from: start, before: cut), escape > start { cut = escape }
        return cut > start ? cut : wanted
    }

    private static func scalarStart(_ bytes: UnsafeRawBufferPointer, from start: Int, _ offset: Int) -> Int {
        var cut = offset
        while cut > start, offset - cut < 3, bytes[cut] & 0xC0 == 0x80 { cut -= 1 }
        return bytes[cut] & 0xC0 == 0x80 ? offset : cut
    }

    /// Whether the scalar at `cut` belongs to the preceding character.
    private static func joinsPrevious(_ bytes: UnsafeRawBufferPointer, from start: Int, _ cut: Int, end: Int) -> Bool {
        guard cut > start, bytes[cut] >= 0x80 || (cut - start > 2 && bytes[cut - 1] == 0x8D) else { return false }
        if let scalar = scalar(bytes, cut, end: end), scalar.properties.isGraphemeExtend || scalar == "\u{200D}" { return true }
        let before = scalarStart(bytes, from: start, cut - 1)
        return scalar(bytes, before, end: cut) == "\u{200D}"
    }

    private static func scalar(_ bytes: UnsafeRawBufferPointer, _ offset: Int, end: Int) -> UnicodeScalar? {
        let window = UnsafeRawBufferPointer(rebasing: bytes[offset..<min(offset + 4, end)])
        return String(decoding: window, as: UTF8.self).unicodeScalars.first
    }

    /// The backslash of the JSON escape that contains `cut`; nil without one.
    private static func escapeStart(_ bytes: UnsafeRawBufferPointer, from start: Int, before cut: Int) -> Int? {
        let backslash = UInt8(ascii: "\\")
        for offset in stride(from: cut - 1, through: max(start, cut - 5), by: -1) where bytes[offset] == backslash {
            var first = offset
            while first > start, bytes[first - 1] == backslash { first -= 1 }
            // In a run of backslashes, the first one and then every second one begin an escape.
            guard (offset - first) % 2 == 0 else { return nil }
            let length = offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "u") ? 6 : 2
            return offset + length > cut ? offset : nil
        }
        return nil
    }
}
