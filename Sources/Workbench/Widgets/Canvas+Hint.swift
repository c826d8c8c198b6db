internal import SortieTerminal

extension Canvas {
    /// Writes the hint of an empty pane, each sentence on new rows, wrapped.
    mutating func writeHint(_ sentences: [String], in rect: Rect, style: Style = .muted) {
        var row = rect.row
        for sentence in sentences {
            for line in WrappedText.lines(sentence, width: rect.width) {
                guard row < rect.endRow else { return }
                write(line, at: Point(column: rect.column, row: row), style: style, width: rect.width)
                row += 1
            }
        }
    }

    /// Draws the selection bar over a row.
    mutating func select(row: Int, in rect: Rect, isFocused: Bool) {
        let bar = Rect(column: rect.column, row: row, width: rect.width, height: 1)
        restyle(bar.intersection(rect)) { style in
            if isFocused { style.isSelected = true } else { style.isBold = true }
        }
    }
}
