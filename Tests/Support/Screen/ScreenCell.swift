/// One cell of a ``VirtualScreen``.
public struct ScreenCell: Hashable, Sendable {
    /// What stands in it, combining characters included; empty where nothing was written, and in a wide character's second half.
    public var text = ""
    /// How many cells the text takes: 1, 2, or 0 in a wide character's second half.
    public var width = 1
    /// How it looks.
    public var style = CellStyle()
}

/// How a cell looks.
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
    /// The colour of the text; nil is the terminal's own.
    public var foreground: ScreenColor?
    /// The colour behind it; nil is the terminal's own.
    public var background: ScreenColor?

    /// The terminal's own look.
    public init() {}
}

/// A colour as the program asked for it.
public enum ScreenColor: Hashable, Sendable {
    /// One of xterm's 256: 0 to 7 the plain ones, 8 to 15 the bright ones.
    case indexed(Int)
    /// Red, green and blue, each 0 to 255.
    case rgb(Int, Int, Int)
}
