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
        self.width = width
        self.height = height
    }

    /// Whether the size contains no cell.
    package var isEmpty: Bool { width <= 0 || height <= 0 }
}
