internal import SortieTerminal

extension Canvas {
    /// Writes the hint of an empty pane, each sentence on new rows, wrapped.
    mutating func writeHint(_ sentences: [String], in rect: Rect, style: Style = .muted) {
        let lines = sentences.flatMap { WrappedText.lines($0, width: rect.width) }
        write(lines: lines.prefix(max(0, rect.height)), at: rect.origin, style: style, width: rect.width)
    }

    /// Writes lines below each other.
    mutating func write(lines: some Sequence<some StringProtocol>, at point: Point, style: Style = .plain, width: Int) {
        for (offset, line) in lines.enumerated() { write(line, at: point.moved(rows: offset), style: style, width: width) }
    }

    /// Writes lines below each other.
    mutating func write(lines: some Sequence<[Span]>, at point: Point, width: Int) {
        for (offset, line) in lines.enumerated() { write(line, at: point.moved(rows: offset), width: width) }
    }

    /// Clears the area of a popup and draws its border; returns the area of its content.
    mutating func popup(_ frame: Rect, title: [Span] = [], trailing: [Span]) -> Rect {
        fill(frame, style: .overlay)
        box(frame, title: title, trailing: trailing, style: .borderFocused)
        return frame.inset(columns: 2, rows: 1)
    }

    /// Draws the selection bar over a row.
    mutating func select(row: Int, in rect: Rect, isFocused: Bool) {
        let bar = Rect(column: rect.column, row: row, width: rect.width, height: 1)
        restyle(bar.intersection(rect)) { style in
            if isFocused { style.isSelected = true } else { style.isBold = true }
        }
    }
}
