/// A cell of a ``VirtualScreen``.
public struct ScreenCell: Hashable, Sendable {
    /// The character with its combining characters; empty when nothing was written, and in the second half of a wide character.
    public var text = ""
    /// The width of the text in cells: 1, 2, or 0 in the second half of a wide character.
    public var width = 1
    /// The style of the cell.
    public var style = CellStyle()
}

/// The style of a cell.
public struct CellStyle: Hashable, Sendable {
    /// SGR 1.
    public var isBold = false
    /// SGR 2.
    public var isDim = false
    /// SGR 3.
    public var isItalic = false
    /// SGR 4.
    public var isUnderlined = false
    /// SGR 5.
    public var isBlinking = false
    /// SGR 7.
    public var isReversed = false
    /// SGR 8.
    public var isHidden = false
    /// SGR 9.
    public var isStruckThrough = false
    /// The foreground colour; nil for the terminal's default.
    public var foreground: ScreenColor?
    /// The background colour; nil for the terminal's default.
    public var background: ScreenColor?

    /// Creates the default style.
    public init() {}
}

/// A colour as specified by the program.
public enum ScreenColor: Hashable, Sendable {
    /// One of xterm's 256 colours: 0 to 7 are the normal ones, 8 to 15 the bright ones.
    case indexed(Int)
    /// Red, green and blue, each 0 to 255.
    case rgb(Int, Int, Int)
}
