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
