/// How a cell looks, said by its meaning.
public struct Style: Hashable, Sendable {
    /// What the cell means.
    public var role: Role
    /// Whether the cell is part of the selection bar.
    public var isSelected: Bool
    /// Whether the cell is underlined.
    public var isUnderlined: Bool
    /// Whether the cell is bold, beyond what its role already says.
    public var isBold: Bool
    /// Whether the cell is dim, beyond what its role already says.
    public var isDim: Bool

    /// Ordinary text.
    public static let plain = Style(.text)

    /// The look of `role`, with nothing added.
    public init(_ role: Role) {
        self.role = role
        isSelected = false
        isUnderlined = false
        isBold = false
        isDim = false
    }

    /// The same style on, or off, the selection bar.
    public func selected(_ on: Bool = true) -> Style {
        var style = self
        style.isSelected = on
        return style
    }

    /// The same style with, or without, an underline.
    public func underlined(_ on: Bool = true) -> Style {
        var style = self
        style.isUnderlined = on
        return style
    }

    /// The same style, bold or not.
    public func bold(_ on: Bool = true) -> Style {
        var style = self
        style.isBold = on
        return style
    }

    /// The same style, dim or not.
    public func dim(_ on: Bool = true) -> Style {
        var style = self
        style.isDim = on
        return style
    }
}
