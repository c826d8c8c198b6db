/// A size in terminal cells.
public struct Size: Hashable, Sendable {
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// The empty size.
    public static let zero = Size(width: 0, height: 0)

    /// Creates a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Whether the size contains no cell.
    public var isEmpty: Bool { width <= 0 || height <= 0 }
}
