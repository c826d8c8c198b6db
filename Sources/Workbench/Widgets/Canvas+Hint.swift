internal import Terminal

extension Canvas {
    /// Writes what an empty pane has to say, one sentence a row, broken to fit.
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

    /// Puts the selection bar over a row.
    mutating func select(row: Int, in rect: Rect, isFocused: Bool) {
        let bar = Rect(column: rect.column, row: row, width: rect.width, height: 1)
        restyle(bar.intersection(rect)) { style in
            if isFocused { style.isSelected = true } else { style.isBold = true }
        }
    }
}
