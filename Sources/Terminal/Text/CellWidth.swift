/// The width of text in terminal columns.
///
/// The values are those of the `wcwidth` 0.9.4 library, by grapheme. A character that ``Canvas`` escapes has the
/// width of its escaped form, so that layout and drawing always agree.
package enum CellWidth {
    /// The width of a drawn character in columns.
    package static func width(of character: Character) -> Int {
        if character.isPrintableASCII { return 1 }
        return DrawnGrapheme(character).pieces.reduce(0) { $0 + $1.width }
    }

    /// The width of a drawn line of text in columns.
    package static func width(of text: some StringProtocol) -> Int {
        if let ascii = printableASCIICount(of: text) { return ascii }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    /// The number of characters where all of them are printable ASCII, which need not be divided into graphemes; nil for other text.
    private static func printableASCIICount(of text: some StringProtocol) -> Int? {
        let count = text.utf8.withContiguousStorageIfAvailable { bytes in
            for byte in bytes where byte < 0x20 || byte > 0x7E { return -1 }
            return bytes.count
        }
        return count.flatMap { $0 < 0 ? nil : $0 }
    }

    /// The longest prefix of `text` with at most `columns` columns.
    package static func prefix<Text: StringProtocol>(of text: Text, fitting columns: Int) -> Text.SubSequence {
        var left = columns
        var index = text.startIndex
        while index < text.endIndex {
            left -= width(of: text[index])
            if left < 0 { break }
            index = text.index(after: index)
        }
        return text[..<index]
    }

    /// The text where it fits into `columns`, else the longest prefix that fits with “…” appended.
    package static func truncated(_ text: some StringProtocol, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        let whole = prefix(of: text, fitting: columns)
        if whole.endIndex == text.endIndex { return String(text) }
        return String(prefix(of: text, fitting: columns - 1)) + "…"
    }

    /// The text where it fits into `columns`, else its end after “…”.
    ///
    /// For paths, whose end is most significant.
    package static func truncatedAtStart(_ text: some StringProtocol, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        guard width(of: text) > columns else { return String(text) }
        var room = columns - 1
        let tail = text.reversed().prefix { character in
            room -= width(of: character)
            return room >= 0
        }
        return "…" + String(tail.reversed())
    }
}
