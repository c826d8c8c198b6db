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
        self.column = column
        self.row = row
    }

    /// The position moved by a number of cells to the right and down; negative values move left and up.
    package func moved(columns: Int = 0, rows: Int = 0) -> Point {
        Point(column: column.addingClamped(columns), row: row.addingClamped(rows))
    }
}
