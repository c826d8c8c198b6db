/// What one terminal cell shows.
public struct Cell: Hashable, Sendable {
    /// The grapheme shown; empty in the second cell of a wide one.
    public let glyph: String
    /// The columns the glyph takes: 1, 2, or 0 for the second cell of a wide one.
    public let width: Int
    /// How it looks.
    public var style: Style

    /// An empty cell.
    public static let blank = Cell(glyph: " ", width: 1, style: .plain)

    /// Only ``Canvas`` makes cells, because it alone makes sure that a glyph is harmless.
    init(glyph: String, width: Int, style: Style) {
        self.glyph = glyph
        self.width = width
        self.style = style
    }
}
