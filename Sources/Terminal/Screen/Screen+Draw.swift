/// Drawing.
extension Screen {
    /// Shows `canvas`.
    ///
    /// Only the differences from the last canvas are sent.
    ///
    /// A larger canvas is clipped to the terminal; a smaller one leaves the rest blank.
    package mutating func draw(_ canvas: borrowing Canvas) {
        let visible = canvas.bounds.intersection(Rect(origin: .zero, size: size))
        let before = drawn?.size == canvas.size ? drawn : nil
        if before == nil { Curses.erase() }
        for row in visible.rows {
            for column in visible.columns {
                let index = row * canvas.size.width + column
                let cell = canvas.cells[index]
                if let before, before.cells[index] == cell { continue }
                put(cell, row: row, column: column, end: visible.endColumn)
            }
        }
        drawn = copy canvas
        Curses.refresh(cursor: canvas.cursor.flatMap { visible.contains($0) ? $0 : nil })
    }

    private func put(_ cell: Cell, row: Int, column: Int, end: Int) {
        guard cell.width > 0 else { return }  // the first cell is drawn with both columns
        if column + cell.width > end {
            Curses.put([" "], row: row, column: column, style: cell.style, theme: theme, depth: depth)
            return
        }
        var column = column
        if cell.glyph.utf8.count == 1, let scalar = cell.glyph.unicodeScalars.first {
            Curses.put([scalar], row: row, column: column, style: cell.style, theme: theme, depth: depth)
            return
        }
        for piece in TerminalGlyph.pieces(of: cell.glyph, width: cell.width, libraryWidth: Curses.libraryWidth) {
            Curses.put(piece.text, row: row, column: column, style: cell.style, theme: theme, depth: depth)
            column += piece.width
        }
    }
}
