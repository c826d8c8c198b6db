internal import SortieTerminal

/// Formatting of text in columns.
enum ColumnText {
    /// Pads the text with trailing spaces to a width, or truncates it.
    static func padded(_ text: String, to width: Int) -> String {
        let cut = CellWidth.truncated(text, to: width)
        return cut + String(repeating: " ", count: max(0, width - CellWidth.width(of: cut)))
    }

    /// Pads the text with leading spaces to a width.
    static func right(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - CellWidth.width(of: text))) + text
    }

    /// Expands tabs to the next column that is a multiple of eight.
    static func expandingTabs(_ text: String, column: inout Int) -> String {
        guard text.utf8.contains(0x09) else {
            column += CellWidth.width(of: text)
            return text
        }
        return text.reduce(into: "") { result, character in
            let width = character == "\t" ? 8 - column % 8 : CellWidth.width(of: character)
            if character == "\t" { result += String(repeating: " ", count: width) } else { result.append(character) }
            column += width
        }
    }

    /// Splits a line into pieces that fit.
    static func pieces(_ line: String, width: Int) -> [String] {
        guard CellWidth.width(of: line) > width else { return [line] }
        var pieces: [String] = []
        var rest = line[...]
        while !rest.isEmpty {
            let fitting = CellWidth.prefix(of: rest, fitting: width)
            // A wide character does not fit into a single cell; it is drawn truncated.
            let piece = fitting.isEmpty ? rest.prefix(1) : rest.prefix(fitting.count)
            pieces.append(String(piece))
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }

    /// The width of spans in cells.
    static func width(of spans: [Span]) -> Int { spans.reduce(0) { $0 + CellWidth.width(of: $1.text) } }
}
