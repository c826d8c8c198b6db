/// Drawing.
extension Screen {
    /// Shows `canvas`.
    ///
    /// Only the differences from the last canvas are sent.
    ///
    /// A larger canvas is clipped to the terminal; a smaller one leaves the rest blank.
    package mutating func draw(_ canvas: borrowing Canvas) {
        if needsBrackets { show(canvas.bracketed) } else { show(canvas) }
    }

    private mutating func show(_ canvas: borrowing Canvas) {
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

    private mutating func put(_ cell: Cell, row: Int, column: Int, end: Int) {
        guard cell.width > 0 else { return }  // the first cell is drawn with both columns
        if column + cell.width > end {
            Curses.put([" "], row: row, column: column, style: cell.style, theme: theme, depth: depth)
            return
        }
        if let colours = cell.style.colours {
            put(cell, colours, row: row, column: column)
            return
        }
        var column = column
        let glyph = glyphs.glyph(cell.glyph, width: cell.width)
        if glyph.utf8.count == 1, let scalar = glyph.unicodeScalars.first {
            Curses.put([scalar], row: row, column: column, style: cell.style, theme: theme, depth: depth)
            return
        }
        if drawsSequences, let sequence = TerminalGlyph.sequence(glyph, width: cell.width, libraryWidth: Curses.libraryWidth) {
            Curses.put(sequence, row: row, column: column, style: cell.style, theme: theme, depth: depth)
            return
        }
        for piece in TerminalGlyph.pieces(of: glyph, width: cell.width, libraryWidth: Curses.libraryWidth) {
            Curses.put(piece.text, row: row, column: column, style: cell.style, theme: theme, depth: depth)
            column += piece.width
        }
    }

    /// Draws a cell of a picture; as a character where there are not enough colours.
    private mutating func put(_ cell: Cell, _ colours: CellColours, row: Int, column: Int) {
        guard depth == .rich, let (pair, isNew) = pictures.number(of: colours, last: Curses.lastPair) else {
            Curses.put([colours.character], row: row, column: column, style: Style(.text), theme: theme, depth: depth)
            return
        }
        if isNew { Curses.setColours(colours, ofPair: pair) }
        Curses.put(Array(cell.glyph.unicodeScalars), row: row, column: column, pair: pair)
    }
}
