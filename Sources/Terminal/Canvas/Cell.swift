/// The content of one terminal cell.
package struct Cell: Hashable, Sendable {
    /// The grapheme; empty in the second cell of a wide one.
    package let glyph: String
    /// The width of the glyph in columns: 1, 2, or 0 for the second cell of a wide one.
    package let width: Int
    /// The style.
    package var style: Style

    /// An empty cell.
    package static let blank = Cell(glyph: " ", width: 1, style: .plain)

    /// Internal, because only ``Canvas`` ensures that a glyph is safe for the terminal.
    init(glyph: String, width: Int, style: Style) {
        self.glyph = glyph
        self.width = width
        self.style = style
    }
}
