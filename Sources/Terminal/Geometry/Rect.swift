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
        (self.column, self.row) = (column, row)
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

extension Int {
    /// The sum, clamped to the range of `Int`.
    ///
    /// Coordinates come from callers and from mouse reports; an extreme value must be clipped instead of trapping.
    func addingClamped(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, clamped to the range of `Int`.
    func subtractingClamped(_ other: Int) -> Int {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }

    /// The nearest value inside `limits`.
    package func clamped(to limits: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, limits.lowerBound), limits.upperBound)
    }
}

/// Splits a rectangle into two parts, which lie inside of it and together cover it.
extension Rect {
    /// A left part of at most `leftWidth` columns, and the rest.
    package func split(leftWidth: Int) -> (left: Rect, right: Rect) {
        let cut = leftWidth.clamped(to: 0...max(0, width))
        return (
            Rect(column: column, row: row, width: cut, height: height),
            Rect(column: column.addingClamped(cut), row: row, width: width - cut, height: height)
        )
    }

    /// A top part of at most `topHeight` rows, and the rest.
    package func split(topHeight: Int) -> (top: Rect, bottom: Rect) {
        let cut = topHeight.clamped(to: 0...max(0, height))
        return (
            Rect(column: column, row: row, width: width, height: cut),
            Rect(column: column, row: row.addingClamped(cut), width: width, height: height - cut)
        )
    }

    /// A bottom part of at most `bottomHeight` rows, and the rest.
    package func split(bottomHeight: Int) -> (top: Rect, bottom: Rect) {
        split(topHeight: max(0, height) - bottomHeight.clamped(to: 0...max(0, height)))
    }
}

/// A position on a canvas in terminal cells, from 0 at the top left.
package struct Point: Hashable, Sendable {
    /// The distance from the left edge, in cells.
    package var column: Int
    /// The distance from the top edge, in cells.
    package var row: Int

    /// The top left corner.
    package static let zero = Point(column: 0, row: 0)

    /// Creates a position.
    ///
    /// Negative and very large values are allowed and lie outside of every canvas.
    package init(column: Int, row: Int) {
        (self.column, self.row) = (column, row)
    }

    /// The position moved by a number of cells to the right and down; negative values move left and up.
    package func moved(columns: Int = 0, rows: Int = 0) -> Point {
        Point(column: column.addingClamped(columns), row: row.addingClamped(rows))
    }
}

/// A size in terminal cells.
package struct Size: Hashable, Sendable {
    /// The number of columns.
    package var width: Int
    /// The number of rows.
    package var height: Int

    /// The empty size.
    package static let zero = Size(width: 0, height: 0)

    /// Creates a size.
    package init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }

    /// Whether the size contains no cell.
    package var isEmpty: Bool { width <= 0 || height <= 0 }
}
