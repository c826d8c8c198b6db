/// A rectangle of terminal cells.
public struct Rect: Hashable, Sendable {
    /// The leftmost column.
    public var column: Int
    /// The topmost row.
    public var row: Int
    /// The number of columns; zero or less means empty.
    public var width: Int
    /// The number of rows; zero or less means empty.
    public var height: Int

    /// The empty rectangle at the top left.
    public static let zero = Rect(column: 0, row: 0, width: 0, height: 0)

    /// Creates a rectangle; a negative width or height counts as zero.
    public init(column: Int, row: Int, width: Int, height: Int) {
        self.column = column
        self.row = row
        self.width = max(0, width)
        self.height = max(0, height)
    }

    /// Creates a rectangle from its top left corner and its size.
    public init(origin: Point, size: Size) {
        self.init(column: origin.column, row: origin.row, width: size.width, height: size.height)
    }

    /// The top left corner.
    public var origin: Point { Point(column: column, row: row) }

    /// The size.
    public var size: Size { Size(width: max(0, width), height: max(0, height)) }

    /// Whether the rectangle contains no cell.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The first column to the right of the rectangle.
    public var endColumn: Int { column.addingClamped(max(0, width)) }

    /// The first row below the rectangle.
    public var endRow: Int { row.addingClamped(max(0, height)) }

    /// The columns from left to right.
    public var columns: Range<Int> { column..<endColumn }

    /// The rows from top to bottom.
    public var rows: Range<Int> { row..<endRow }

    /// Whether `point` lies in the rectangle.
    public func contains(_ point: Point) -> Bool {
        columns.contains(point.column) && rows.contains(point.row)
    }

    /// The rectangle reduced by `amount` cells on every side, for example the interior of a box.
    ///
    /// A rectangle that is too small becomes empty; a negative amount enlarges it.
    public func inset(by amount: Int = 1) -> Rect {
        inset(columns: amount, rows: amount)
    }

    /// The rectangle reduced by `columns` at the left and right and by `rows` at the top and bottom.
    public func inset(columns: Int, rows: Int) -> Rect {
        Rect(
            column: column.addingClamped(columns), row: row.addingClamped(rows),
            width: width.subtractingClamped(columns).subtractingClamped(columns),
            height: height.subtractingClamped(rows).subtractingClamped(rows))
    }

    /// The common part of both rectangles; empty where they do not overlap.
    public func intersection(_ other: Rect) -> Rect {
        let left = max(column, other.column)
        let top = max(row, other.row)
        return Rect(
            column: left, row: top, width: min(endColumn, other.endColumn).subtractingClamped(left),
            height: min(endRow, other.endRow).subtractingClamped(top))
    }

    /// A rectangle of at most `size`, centred in this one; used for popups.
    public func centered(_ size: Size) -> Rect {
        let width = size.width.clamped(to: 0...max(0, self.width))
        let height = size.height.clamped(to: 0...max(0, self.height))
        return Rect(
            column: column.addingClamped((max(0, self.width) - width) / 2),
            row: row.addingClamped((max(0, self.height) - height) / 2), width: width, height: height)
    }
}
