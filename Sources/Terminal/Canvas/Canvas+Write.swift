/// Text output, the only way to change cells.
extension Canvas {
    /// Writes one line of text and returns the number of columns used.
    ///
    /// The text is clipped at the canvas' edge and, where given, after `width` columns. A wide character that is cut
    /// there, or at the left edge, becomes a space. Control, format and bidirectional characters are shown in the
    /// role ``Role/escaped``. A tab is a control character too, so callers expand tabs first. The cost depends only
    /// on the visible part of the text.
    @discardableResult
    package mutating func write(
        _ text: some StringProtocol, at point: Point, style: Style = .plain, width: Int? = nil
    ) -> Int {
        guard (0..<size.height).contains(point.row), point.column < size.width else { return 0 }
        let limit = min(size.width, width.map { point.column.addingClamped(max(0, $0)) } ?? size.width)
        var column = point.column
        for character in text {
            if column >= limit { break }
            if column >= 0, character.isPrintableASCII {
                place(Cell(glyph: String(character), width: 1, style: style), at: Point(column: column, row: point.row))
                column += 1
                continue
            }
            let drawn = DrawnGrapheme(character)
            for piece in drawn.pieces {
                if column >= limit { break }
                var pieceStyle = style
                if piece.isEscaped { pieceStyle.role = .escaped }
                write(piece, at: Point(column: column, row: point.row), limit: limit, style: pieceStyle)
                column = min(limit, column.addingClamped(piece.width))
            }
        }
        return column - point.column
    }

    /// Writes spans in sequence and returns the number of columns used.
    @discardableResult
    package mutating func write(_ spans: [Span], at point: Point, width: Int? = nil) -> Int {
        let limit = width.map { max(0, $0) } ?? .max
        var used = 0
        for span in spans where used < limit {
            used += write(span.text, at: point.moved(columns: used), style: span.style, width: limit - used)
        }
        return used
    }

    /// Fills a rectangle with one character.
    package mutating func fill(_ rect: Rect, style: Style = .plain, with character: Character = " ") {
        let part = rect.intersection(bounds)
        guard !part.isEmpty else { return }
        let pattern = String(repeating: character, count: part.width)
        for row in part.rows {
            write(pattern, at: Point(column: part.column, row: row), style: style, width: part.width)
        }
    }

    private mutating func write(_ piece: DrawnGrapheme.Piece, at point: Point, limit: Int, style: Style) {
        let end = point.column.addingClamped(piece.width)
        if point.column >= 0, end <= limit {
            place(Cell(glyph: piece.glyph, width: piece.width, style: style), at: point)
            return
        }
        for column in max(0, point.column)..<max(0, min(end, limit)) {
            place(Cell(glyph: " ", width: 1, style: style), at: Point(column: column, row: point.row))
        }
    }
}
