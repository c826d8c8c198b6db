/// A rectangle of terminal cells.
package struct Rect: Hashable, Sendable {
    /// The leftmost column.
    package var column: Int
    /// The topmost row.
    package var row: Int
    /// The number of columns; zero or less means empty.
    package var width: Int
    /// The number of rows; zero or less means empty.
    package var height: Int

    /// The empty rectangle at the top left.
    package static let zero = Rect(column: 0, row: 0, width: 0, height: 0)

    /// Creates a rectangle; a negative width or height counts as zero.
    package init(column: Int, row: Int, width: Int, height: Int) {
        self.column = column
        self.row = row
        self.width = max(0, width)
        self.height = max(0, height)
    }

    /// Creates a rectangle from its top left corner and its size.
    package init(origin: Point, size: Size) {
        self.init(column: origin.column, row: origin.row, width: size.width, height: size.height)
    }

    /// The top left corner.
    package var origin: Point { Point(column: column, row: row) }

    /// The size.
    package var size: Size { Size(width: max(0, width), height: max(0, height)) }

    /// Whether the rectangle contains no cell.
    package var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The first column to the right of the rectangle.
    package var endColumn: Int { column.addingClamped(max(0, width)) }

    /// The first row below the rectangle.
    package var endRow: Int { row.addingClamped(max(0, height)) }

    /// The columns from left to right.
    package var columns: Range<Int> { column..<endColumn }

    /// The rows from top to bottom.
    package var rows: Range<Int> { row..<endRow }

    /// Whether `point` lies in the rectangle.
    package func contains(_ point: Point) -> Bool {
        columns.contains(point.column) && rows.contains(point.row)
    }

    /// The rectangle reduced by `amount` cells on every side, for example the interior of a box.
    ///
    /// A rectangle that is too small becomes empty; a negative amount enlarges it.
    package func inset(by amount: Int = 1) -> Rect {
        inset(columns: amount, rows: amount)
    }

    /// The rectangle reduced by `columns` at the left and right and by `rows` at the top and bottom.
    package func inset(columns: Int, rows: Int) -> Rect {
        Rect(
            column: column.addingClamped(columns), row: row.addingClamped(rows),
            width: width.subtractingClamped(columns).subtractingClamped(columns),
            height: height.subtractingClamped(rows).subtractingClamped(rows))
    }

    /// The common part of both rectangles; empty where they do not overlap.
    package func intersection(_ other: Rect) -> Rect {
        let left = max(column, other.column)
        let top = max(row, other.row)
        return Rect(
            column: left, row: top, width: min(endColumn, other.endColumn).subtractingClamped(left),
            height: min(endRow, other.endRow).subtractingClamped(top))
    }

    /// A rectangle of at most `size`, centred in this one; used for popups.
    package func centered(_ size: Size) -> Rect {
        let width = size.width.clamped(to: 0...max(0, self.width))
        let height = size.height.clamped(to: 0...max(0, self.height))
        return Rect(
            column: column.addingClamped((max(0, self.width) - width) / 2),
            row: row.addingClamped((max(0, self.height) - height) / 2), width: width, height: height)
    }
}
