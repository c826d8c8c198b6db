/// The appearance of a cell, given by its role.
package struct Style: Hashable, Sendable {
    /// The role of the cell.
    package var role: Role
    /// Whether the cell is part of the selection bar.
    package var isSelected: Bool
    /// Whether the cell is bold in addition to the look of its role.
    package var isBold: Bool
    /// Whether the cell is dim in addition to the look of its role.
    package var isDim: Bool
    /// The colours of a cell of a picture, instead of those of the role; nil for text.
    package var colours: CellColours?

    /// Ordinary text.
    package static let plain = Style(.text)

    /// Creates the plain style of `role`.
    package init(_ role: Role) {
        self.role = role
        isSelected = false
        isBold = false
        isDim = false
        colours = nil
    }

    /// Creates the style of a cell of a picture.
    package init(_ colours: CellColours) {
        self.init(.text)
        self.colours = colours
    }

    /// A copy inside or outside of the selection bar.
    package func selected(_ on: Bool = true) -> Style {
        var style = self
        style.isSelected = on
        return style
    }

    /// A copy that is bold or not.
    package func bold(_ on: Bool = true) -> Style {
        var style = self
        style.isBold = on
        return style
    }

    /// A copy that is dim or not.
    package func dim(_ on: Bool = true) -> Style {
        var style = self
        style.isDim = on
        return style
    }
}
