/// A grid of cells to draw on.
///
/// Every pane is a function that writes to a canvas.
///
/// Every drawing function accepts any position and size and draws the part inside the canvas. Text is always
/// sanitized: a control or format character is shown and never passed to the terminal, so data from the network
/// cannot control it.
package struct Canvas: Sendable {
    /// The extent of the grid.
    package let size: Size
    /// The position of the terminal's cursor; `nil` hides it.
    package var cursor: Point?
    /// The area of the text that is being edited; `nil` for none.
    package var editedArea: Rect?
    /// The cells, row by row.
    var cells: [Cell]

    /// The largest size of a canvas.
    ///
    /// A larger size is clipped, because a terminal may report a wrong one.
    static let largestSize = Size(width: 2000, height: 1000)

    /// Creates an empty canvas; a negative width or height counts as zero.
    package init(size: Size) {
        let width = size.width.clamped(to: 0...Canvas.largestSize.width)
        let height = size.height.clamped(to: 0...Canvas.largestSize.height)
        self.size = Size(width: width, height: height)
        cells = Array(repeating: .blank, count: width * height)
    }

    /// The whole canvas as a rectangle.
    package var bounds: Rect { Rect(origin: .zero, size: size) }

    /// The cell at `point`; `nil` outside the canvas.
    package func cell(at point: Point) -> Cell? {
        index(of: point).map { cells[$0] }
    }

    /// The style of the cell at `point`; `nil` outside the canvas.
    package func style(at point: Point) -> Style? {
        index(of: point).map { cells[$0].style }
    }

    /// The visible text: the rows without trailing spaces, each ended by a line feed.
    package var text: String {
        var text = ""
        for row in 0..<size.height {
            let line = cells[row * size.width..<(row + 1) * size.width]
            let end = line.lastIndex { $0.glyph != " " && $0.width > 0 }.map { $0 + 1 } ?? line.startIndex
            for cell in line[..<end] { text += cell.glyph }
            text += "\n"
        }
        return text
    }

    /// Changes the style of every cell in `rect`, as for a selection bar.
    package mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
        let part = rect.intersection(bounds)
        for row in part.rows {
            for column in part.columns { change(&cells[row * size.width + column].style) }
        }
    }

    /// Copies another canvas onto this one, with its top left corner at `point`.
    ///
    /// The cursor of the other canvas is copied where it is visible.
    package mutating func paste(_ other: Canvas, at point: Point) {
        let part = Rect(origin: point, size: other.size).intersection(bounds)
        for row in part.rows {
            for column in part.columns {
                guard let cell = other.cell(at: Point(column: column - point.column, row: row - point.row)) else { continue }
                let fits = cell.width == 1 || (cell.width == 2 && column + 1 < part.endColumn)
                if fits {
                    place(cell, at: Point(column: column, row: row))
                } else if cell.width == 2 || column == part.column {
                    place(Cell(glyph: " ", width: 1, style: cell.style), at: Point(column: column, row: row))
                }
            }
        }
        if let cursor = other.cursor {
            self.cursor = Point(column: point.column.addingClamped(cursor.column), row: point.row.addingClamped(cursor.row))
        }
    }

    /// Sets a cell that fits at `point`, and blanks the other half of any wide glyph that it overlaps.
    mutating func place(_ cell: Cell, at point: Point) {
        let start = point.row * size.width
        let index = start + point.column
        if cells[index].width == 0, point.column > 0 {
            cells[index - 1] = Cell(glyph: " ", width: 1, style: cells[index - 1].style)
        }
        let end = index + cell.width
        if end < start + size.width, cells[end].width == 0 {
            cells[end] = Cell(glyph: " ", width: 1, style: cells[end].style)
        }
        cells[index] = cell
        if cell.width == 2 { cells[index + 1] = Cell(glyph: "", width: 0, style: cell.style) }
    }

    private func index(of point: Point) -> Int? {
        bounds.contains(point) ? point.row * size.width + point.column : nil
    }
}

/// Brackets that replace underlines and colours.
extension Canvas {
    /// A copy in which the selected tabs, the focused titles and the focused fields are in brackets.
    ///
    /// For terminals that cannot underline or have no colours. A bracket replaces a blank or a border beside the text, so nothing moves and no text is lost.
    package var bracketed: Canvas {
        var canvas = self
        for row in 0..<size.height {
            var column = 0
            while column < size.width {
                guard let emphasis = emphasis(at: column, row) else {
                    column += 1
                    continue
                }
                var end = column
                while end < size.width, self.emphasis(at: end, row) == emphasis { end += 1 }
                if isBracketed(column..<end, row, emphasis) { canvas.bracket(column..<end, row) }
                column = end
            }
        }
        return canvas
    }

    private enum Emphasis { case tab, title, field }

    private func emphasis(at column: Int, _ row: Int) -> Emphasis? {
        switch cells[row * size.width + column].style.role {
        case .tabSelected: .tab
        case .titleFocused: .title
        case .input, .placeholder: .field
        default: nil
        }
    }

    private func isBracketed(_ columns: Range<Int>, _ row: Int, _ emphasis: Emphasis) -> Bool {
        switch emphasis {
        case .tab: return true
        case .title:
            // A title is in a border; the same role elsewhere is a heading.
            return (0..<size.width).contains { cells[row * size.width + $0].glyph == "─" }
        case .field:
            guard columns.contains(where: { cells[row * size.width + $0].style.role == .input }) else { return false }
            // A text with several rows has the cursor as its mark.
            return ![row - 1, row + 1].contains { (0..<size.height).contains($0) && self.emphasis(at: columns.lowerBound, $0) == .field }
        }
    }

    private mutating func bracket(_ columns: Range<Int>, _ row: Int) {
        setBlank("[", at: columns.lowerBound - 1, row, like: columns.lowerBound)
        // The mark of a tab with content stays beside its name.
        let end = columns.upperBound
        let isMarked = end < size.width && cells[row * size.width + end].glyph == "•"
        setBlank("]", at: isMarked ? end + 1 : end, row, like: columns.lowerBound)
    }

    private mutating func setBlank(_ glyph: String, at column: Int, _ row: Int, like other: Int) {
        guard (0..<size.width).contains(column), [" ", "─"].contains(cells[row * size.width + column].glyph) else { return }
        cells[row * size.width + column] = Cell(glyph: glyph, width: 1, style: cells[row * size.width + other].style)
    }
}

/// The edges at which a box shares its border with a neighbour.
package struct BoxJoints: OptionSet, Hashable, Sendable {
    /// The edges as bits.
    package let rawValue: UInt8

    /// Creates a set from its bits.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The top edge is also the bottom edge of a box above.
    package static let above = BoxJoints(rawValue: 1)
    /// The bottom edge is also the top edge of a box below.
    package static let below = BoxJoints(rawValue: 2)
    /// The left edge is also the right edge of a box at the left.
    package static let left = BoxJoints(rawValue: 4)
    /// The right edge is also the left edge of a box at the right.
    package static let right = BoxJoints(rawValue: 8)
}

/// Boxes.
extension Canvas {
    /// Draws a border along the inside of `rect`, with a title in its top edge.
    ///
    /// The interior does not change. The titles are surrounded by spaces next to the two corners; without room for
    /// both, `trailing` is omitted. At a joint the corners become tees, so that two boxes that overlap by one row (or
    /// column) share an edge. A rectangle with fewer than two rows or columns gets only the part of its top edge that
    /// fits.
    package mutating func box(
        _ rect: Rect, title: [Span] = [], trailing: [Span] = [], style: Style = .border, joints: BoxJoints = []
    ) {
        guard !rect.intersection(bounds).isEmpty else { return }
        let visibleRows = rect.intersection(bounds).rows
        let right = rect.endColumn - 1
        let bottom = rect.endRow - 1
        edge(rect, row: rect.row, style: style)
        if rect.height > 1 { edge(rect, row: bottom, style: style) }
        for row in visibleRows where row != rect.row && row != bottom {
            write("│", at: Point(column: rect.column, row: row), style: style)
            if rect.width > 1 { write("│", at: Point(column: right, row: row), style: style) }
        }
        guard rect.width > 1, rect.height > 1 else { return }
        let corners = BoxCorners(joints)
        write(corners.topLeft, at: rect.origin, style: style)
        write(corners.topRight, at: Point(column: right, row: rect.row), style: style)
        write(corners.bottomLeft, at: Point(column: rect.column, row: bottom), style: style)
        write(corners.bottomRight, at: Point(column: right, row: bottom), style: style)
        titles(rect, title, trailing, style)
    }

    private mutating func edge(_ rect: Rect, row: Int, style: Style) {
        let visible = rect.intersection(bounds)
        write(String(repeating: "─", count: visible.width), at: Point(column: visible.column, row: row), style: style)
    }

    private mutating func titles(_ rect: Rect, _ title: [Span], _ trailing: [Span], _ style: Style) {
        let room = rect.width - 4
        guard room > 0 else { return }
        let titleWidth = min(room, title.reduce(0) { $0 + CellWidth.width(of: $1.text) })
        if titleWidth > 0 {
            let start = Point(column: rect.column.addingClamped(1), row: rect.row)
            write(" ", at: start, style: style)
            let used = write(title, at: start.moved(columns: 1), width: room)
            write(" ", at: start.moved(columns: 1 + used), style: style)
        }
        let trailingWidth = trailing.reduce(0) { $0 + CellWidth.width(of: $1.text) }
        let left = titleWidth > 0 ? room - titleWidth - 3 : room
        guard trailingWidth > 0, trailingWidth <= left else { return }
        let start = Point(column: rect.endColumn - 3 - trailingWidth, row: rect.row)
        write(" ", at: start, style: style)
        write(trailing, at: start.moved(columns: 1), width: trailingWidth)
        write(" ", at: start.moved(columns: 1 + trailingWidth), style: style)
    }
}

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

/// The four corner characters of a box: tees and crosses where it shares an edge.
struct BoxCorners {
    let topLeft: String
    let topRight: String
    let bottomLeft: String
    let bottomRight: String

    init(_ joints: BoxJoints) {
        topLeft = Self.corner("┌", "├", "┬", vertical: joints.contains(.above), horizontal: joints.contains(.left))
        topRight = Self.corner("┐", "┤", "┬", vertical: joints.contains(.above), horizontal: joints.contains(.right))
        bottomLeft = Self.corner("└", "├", "┴", vertical: joints.contains(.below), horizontal: joints.contains(.left))
        bottomRight = Self.corner("┘", "┤", "┴", vertical: joints.contains(.below), horizontal: joints.contains(.right))
    }

    private static func corner(
        _ alone: String, _ stacked: String, _ beside: String, vertical: Bool, horizontal: Bool
    ) -> String {
        switch (vertical, horizontal) {
        case (false, false): alone
        case (true, false): stacked
        case (false, true): beside
        case (true, true): "┼"
        }
    }
}
