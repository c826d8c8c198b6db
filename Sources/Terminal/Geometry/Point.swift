/// A place on a canvas, counted in terminal cells from 0 at the top left.
public struct Point: Hashable, Sendable {
    /// The distance from the left edge, in cells.
    public var column: Int
    /// The distance from the top edge, in cells.
    public var row: Int

    /// The top left corner.
    public static let zero = Point(column: 0, row: 0)

    /// A place; negative and huge values are allowed and simply lie off every canvas.
    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }

    /// The place so many cells to the right and further down; negative values go left and up.
    public func moved(columns: Int = 0, rows: Int = 0) -> Point {
        Point(column: column.addingClamped(columns), row: row.addingClamped(rows))
    }
}
