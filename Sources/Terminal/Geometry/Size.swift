/// An extent in terminal cells.
public struct Size: Hashable, Sendable {
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// No cells at all.
    public static let zero = Size(width: 0, height: 0)

    /// An extent of `width` columns and `height` rows.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Whether there is no cell in it.
    public var isEmpty: Bool { width <= 0 || height <= 0 }
}
