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

    /// A rectangle; a negative width or height is taken as zero.
    public init(column: Int, row: Int, width: Int, height: Int) {
        self.column = column
        self.row = row
        self.width = max(0, width)
        self.height = max(0, height)
    }

    /// A rectangle from its top left corner and its extent.
    public init(origin: Point, size: Size) {
        self.init(column: origin.column, row: origin.row, width: size.width, height: size.height)
    }

    /// The top left corner.
    public var origin: Point { Point(column: column, row: row) }

    /// The extent.
    public var size: Size { Size(width: max(0, width), height: max(0, height)) }

    /// Whether there is no cell in it.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The first column to the right of it.
    public var endColumn: Int { column.addingClamped(max(0, width)) }

    /// The first row below it.
    public var endRow: Int { row.addingClamped(max(0, height)) }

    /// Its columns, left to right.
    public var columns: Range<Int> { column..<endColumn }

    /// Its rows, top to bottom.
    public var rows: Range<Int> { row..<endRow }

    /// Whether `point` is one of its cells.
    public func contains(_ point: Point) -> Bool {
        columns.contains(point.column) && rows.contains(point.row)
    }

    /// The rectangle `amount` cells smaller on every side: what is inside a box.
    ///
    /// A rectangle too small for that becomes empty; a negative amount makes it larger.
    public func inset(by amount: Int = 1) -> Rect {
        inset(columns: amount, rows: amount)
    }

    /// The rectangle smaller by `columns` at the left and right, and by `rows` at the top and bottom.
    public func inset(columns: Int, rows: Int) -> Rect {
        Rect(
            column: column.addingClamped(columns), row: row.addingClamped(rows),
            width: width.subtractingClamped(columns).subtractingClamped(columns),
            height: height.subtractingClamped(rows).subtractingClamped(rows))
    }

    /// The cells that are in both; empty where they do not meet.
    public func intersection(_ other: Rect) -> Rect {
        let left = max(column, other.column)
        let top = max(row, other.row)
        return Rect(
            column: left, row: top, width: min(endColumn, other.endColumn).subtractingClamped(left),
            height: min(endRow, other.endRow).subtractingClamped(top))
    }

    /// The largest rectangle of at most `size` with its middle in the middle of this one: a popup.
    public func centered(_ size: Size) -> Rect {
        let width = size.width.clamped(to: 0...max(0, self.width))
        let height = size.height.clamped(to: 0...max(0, self.height))
        return Rect(
            column: column.addingClamped((max(0, self.width) - width) / 2),
            row: row.addingClamped((max(0, self.height) - height) / 2), width: width, height: height)
    }
}
