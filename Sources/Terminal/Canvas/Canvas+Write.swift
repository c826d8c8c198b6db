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
        put(text, at: point, style: style, width: width).columns
    }

    /// Writes spans in sequence and returns the number of columns used.
    ///
    /// With a `width`, a line that does not fit ends with ``Canvas/goesOnRight``.
    @discardableResult
    package mutating func write(_ spans: [Span], at point: Point, width: Int? = nil) -> Int {
        let limit = width.map { max(0, $0) } ?? .max
        var used = 0
        var isCut = false
        for span in spans where !isCut {
            guard used < limit else {
                isCut = Self.isVisible(span.text[...])
                continue
            }
            let written = put(span.text, at: point.moved(columns: used), style: span.style, width: limit - used)
            used += written.columns
            isCut = written.isCut
        }
        if width != nil, isCut { markCut(end: min(size.width, point.column.addingClamped(limit)), from: point) }
        return used
    }

    /// Writes a line over the width of the canvas whose first `hidden` columns are scrolled out at the left.
    ///
    /// Where visible text is left out, the line begins with ``Canvas/goesOnLeft`` or ends with ``Canvas/goesOnRight``.
    package mutating func write(_ spans: [Span], row: Int, hiding hidden: Int) {
        let hidden = max(0, hidden)
        write(spans, at: Point(column: -hidden, row: row), width: size.width.addingClamped(hidden))
        guard hidden > 0, size.width > 1, (0..<size.height).contains(row) else { return }
        var left = hidden
        for span in spans where left > 0 {
            let part = CellWidth.prefix(of: span.text, fitting: left)
            if Self.isVisible(part) {
                return place(Cell(glyph: Self.goesOnLeft, width: 1, style: .cutMark), at: Point(column: 0, row: row))
            }
            left -= max(1, CellWidth.width(of: part))
        }
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

    /// The mark at the end of a line that is cut at its right edge.
    package static let goesOnRight = "›"
    /// The mark at the start of a line that is cut at its left edge.
    package static let goesOnLeft = "‹"

    private mutating func markCut(end: Int, from start: Point) {
        // A line of one cell keeps its character.
        guard end > max(0, start.column).addingClamped(1), (0..<size.height).contains(start.row) else { return }
        place(Cell(glyph: Self.goesOnRight, width: 1, style: .cutMark), at: Point(column: end - 1, row: start.row))
    }

    /// Whether a part of a line has more than blanks; of a long part the start decides.
    private static func isVisible(_ text: Substring) -> Bool { text.prefix(256).contains { !$0.isWhitespace } }

    /// Writes a text and returns the columns used, and whether a visible part is cut at the right.
    private mutating func put(
        _ text: some StringProtocol, at point: Point, style: Style, width: Int?
    ) -> (columns: Int, isCut: Bool) {
        guard (0..<size.height).contains(point.row) else { return (0, false) }
        guard point.column < size.width else { return (0, Self.isVisible(Substring(text))) }
        let limit = min(size.width, width.map { point.column.addingClamped(max(0, $0)) } ?? size.width)
        var column = point.column
        var index = text.startIndex
        while index < text.endIndex {
            if column >= limit { return (column - point.column, Self.isVisible(Substring(text[index...].prefix(256)))) }
            let character = text[index]
            text.formIndex(after: &index)
            if column >= 0, character.isPrintableASCII {
                place(Cell(glyph: String(character), width: 1, style: style), at: Point(column: column, row: point.row))
                column += 1
                continue
            }
            for piece in DrawnGrapheme(character).pieces {
                if column >= limit { return (column - point.column, true) }
                var pieceStyle = style
                if piece.isEscaped { pieceStyle.role = .escaped }
                write(piece, at: Point(column: column, row: point.row), limit: limit, style: pieceStyle)
                let end = column.addingClamped(piece.width)
                if end > limit { return (limit - point.column, true) }
                column = end
            }
        }
        return (column - point.column, false)
    }
}
