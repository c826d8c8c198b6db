/// How many terminal columns text takes.
///
/// The numbers are those of the `wcwidth` 0.9.4 library, by grapheme. A character that ``Canvas`` escapes counts with the width
/// of what is shown in its place, so a layout that uses these functions always agrees with what is drawn.
public enum CellWidth {
    /// The columns one character takes when drawn.
    public static func width(of character: Character) -> Int {
        if character.isPrintableASCII { return 1 }
        return DrawnGrapheme(character).pieces.reduce(0) { $0 + $1.width }
    }

    /// The columns a line of text takes when drawn.
    public static func width(of text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + width(of: $1) }
    }

    /// The longest beginning of `text` that takes at most `columns` columns.
    public static func prefix<Text: StringProtocol>(of text: Text, fitting columns: Int) -> Text.SubSequence {
        var left = columns
        var index = text.startIndex
        while index < text.endIndex {
            left -= width(of: text[index])
            if left < 0 { break }
            index = text.index(after: index)
        }
        return text[..<index]
    }

    /// The text itself where it fits `columns`, or else as much as fits with “…” after it.
    public static func truncated(_ text: some StringProtocol, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        let whole = prefix(of: text, fitting: columns)
        if whole.endIndex == text.endIndex { return String(text) }
        return String(prefix(of: text, fitting: columns - 1)) + "…"
    }

    /// `text` where it fits into `columns`, else its end after an ellipsis: for paths, of which the end says most.
    public static func truncatedAtStart(_ text: some StringProtocol, to columns: Int) -> String {
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
