/// A grid of cells to draw on; every pane is a function that writes on one.
///
/// Every drawing function takes any place and any size and draws the part that lies on the canvas. Text is always made harmless:
/// a control or format character is shown, never passed on, so nothing that came over a network can steer the terminal.
public struct Canvas: Sendable {
    /// The extent of the grid.
    public let size: Size
    /// Where the terminal's cursor is shown; `nil` hides it.
    public var cursor: Point?
    /// The cells, row by row.
    var cells: [Cell]

    /// The largest extent of a canvas; more is cut off, because the size can come from a terminal that lies.
    static let largestSize = Size(width: 2000, height: 1000)

    /// An empty canvas; a negative width or height is taken as zero.
    public init(size: Size) {
        let width = size.width.clamped(to: 0...Canvas.largestSize.width)
        let height = size.height.clamped(to: 0...Canvas.largestSize.height)
        self.size = Size(width: width, height: height)
        cells = Array(repeating: .blank, count: width * height)
    }

    /// The whole canvas as a rectangle.
    public var bounds: Rect { Rect(origin: .zero, size: size) }

    /// The cell at `point`, or `nil` off the canvas.
    public func cell(at point: Point) -> Cell? {
        index(of: point).map { cells[$0] }
    }

    /// The style of the cell at `point`, or `nil` off the canvas.
    public func style(at point: Point) -> Style? {
        index(of: point).map { cells[$0].style }
    }

    /// What a person reads: the rows without their trailing spaces, each ended by a line feed.
    public var text: String {
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
    public mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
        let part = rect.intersection(bounds)
        for row in part.rows {
            for column in part.columns { change(&cells[row * size.width + column].style) }
        }
    }

    /// Copies another canvas onto this one, with its top left corner at `point`.
    ///
    /// The cursor of the other canvas is taken over where it has one.
    public mutating func paste(_ other: Canvas, at point: Point) {
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

    /// Puts a cell that fits at a place on the canvas, and blanks the other half of any wide glyph it cuts.
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
