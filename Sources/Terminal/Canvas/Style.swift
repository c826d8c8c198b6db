/// The appearance of a cell, given by its role.
public struct Style: Hashable, Sendable {
    /// The role of the cell.
    public var role: Role
    /// Whether the cell is part of the selection bar.
    public var isSelected: Bool
    /// Whether the cell is underlined.
    public var isUnderlined: Bool
    /// Whether the cell is bold in addition to the look of its role.
    public var isBold: Bool
    /// Whether the cell is dim in addition to the look of its role.
    public var isDim: Bool

    /// Ordinary text.
    public static let plain = Style(.text)

    /// Creates the plain style of `role`.
    public init(_ role: Role) {
        self.role = role
        isSelected = false
        isUnderlined = false
        isBold = false
        isDim = false
    }

    /// A copy inside or outside of the selection bar.
    public func selected(_ on: Bool = true) -> Style {
        var style = self
        style.isSelected = on
        return style
    }

    /// A copy with or without an underline.
    public func underlined(_ on: Bool = true) -> Style {
        var style = self
        style.isUnderlined = on
        return style
    }

    /// A copy that is bold or not.
    public func bold(_ on: Bool = true) -> Style {
        var style = self
        style.isBold = on
        return style
    }

    /// A copy that is dim or not.
    public func dim(_ on: Bool = true) -> Style {
        var style = self
        style.isDim = on
        return style
    }
}
