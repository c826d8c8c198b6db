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
}

/// The colours of a cell of a picture, by their numbers in the palette of 256 colours of xterm.
package struct CellColours: Hashable, Sendable {
    /// The colour of the glyph; nil is the default text colour.
    package var foreground: UInt8?
    /// The colour behind the glyph; nil is the default background.
    package var background: UInt8?

    /// Creates colours.
    package init(foreground: UInt8?, background: UInt8?) {
        (self.foreground, self.background) = (foreground, background)
    }

    /// The number in the palette of the colour that is nearest to one of 24 bits, from the cube of 216 colours and the 24 greys.
    package static func nearest(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
        let (red, green, blue) = (Int(red), Int(green), Int(blue))
        let cube = [red, green, blue].map { value in value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
        let grey = ((red + green + blue) / 3 - 3) / 10
        let step = grey.clamped(to: 0...23)
        let ofCube = distance(cube.map { Self.levels[$0] }, [red, green, blue])
        let ofGrey = distance([Int](repeating: 8 + 10 * step, count: 3), [red, green, blue])
        return UInt8(ofGrey < ofCube ? 232 + step : 16 + 36 * cube[0] + 6 * cube[1] + cube[2])
    }

    /// The brightness of a colour of the cube or of the greys, from 0 to 255.
    package static func luminance(of colour: UInt8) -> Int {
        guard colour >= 16 else { return 128 }
        let parts = components(of: colour)
        return (2126 * parts[0] + 7152 * parts[1] + 722 * parts[2]) / 10_000
    }

    /// The red, green and blue of a colour of the cube or of the greys.
    static func components(of colour: UInt8) -> [Int] {
        let number = Int(colour) - 16
        guard number < 216 else { return [Int](repeating: 8 + 10 * (number - 216), count: 3) }
        return [levels[number / 36], levels[number / 6 % 6], levels[number % 6]]
    }

    /// The character for a terminal without a palette of 256 colours: the brighter the cell, the more of it the character covers.
    package var character: Unicode.Scalar {
        guard foreground != nil || background != nil else { return " " }
        let light = [foreground, background].map { $0.map(Self.luminance) ?? 0 }
        return Self.characters[(light[0] + light[1]) / 2 * Self.characters.count / 256]
    }

    /// The values of a component in the cube.
    private static let levels = [0, 95, 135, 175, 215, 255]
    private static let characters: [Unicode.Scalar] = [" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"]

    static func distance(_ one: [Int], _ other: [Int]) -> Int { zip(one, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } }
}

/// A text in one style.
package struct Span: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text; ``Canvas`` sanitizes it when it is written.
    package var text: String
    /// The style.
    package var style: Style

    /// Creates a span.
    package init(_ text: some StringProtocol, _ style: Style = .plain) {
        self.text = String(text)
        self.style = style
    }

    /// Creates a span in the plain style.
    package init(stringLiteral text: String) {
        self.init(text)
    }
}
