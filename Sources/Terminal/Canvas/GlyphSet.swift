/// The characters with which the program draws borders, bars, marks and arrows.
package enum GlyphSet: Hashable, Sendable {
    /// The characters of Unicode.
    case unicode
    /// ASCII; a character of a text that has no form in ASCII stays as it is.
    case ascii
    /// ASCII only: of a text, a character without a form in ASCII becomes question marks, because the terminal's character set may not have it.
    case asciiOnly

    /// What is drawn for the glyph of a cell of this width, with the same width.
    func glyph(_ glyph: String, width: Int) -> String {
        guard self != .unicode, glyph.utf8.count > 1 else { return glyph }
        if width == 1, let ascii = Self.asciiForms[glyph] { return ascii }
        return self == .ascii || width == 0 ? glyph : String(repeating: "?", count: width)
    }

    /// Whether a character that the program draws has a form in ASCII.
    static func hasASCII(_ character: Character) -> Bool { character.isASCII || asciiForms[String(character)] != nil }

    /// The forms in ASCII of all glyphs that the program draws, each one cell wide.
    private static let asciiForms: [String: String] = {
        var table: [String: String] = [:]
        for (ascii, glyphs) in groups {
            for glyph in glyphs { table[String(glyph)] = ascii }
        }
        return table
    }()

    private static let groups: [(ascii: String, glyphs: String)] = [
        // Borders.
        ("-", "─━═╌┄"), ("|", "│┃║╎┆"), ("+", "┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝╠╣╦╩╬"),
        // Bars, from empty to full, and curves.
        ("#", "█▓"), ("=", "▋▊▉▒"), ("-", "▏▎▍▌░"),
        ("_", "▁"), (".", "▂"), (":", "▃"), ("-", "▄▀"), ("=", "▅"), ("+", "▆"), ("*", "▇"),
        // The frames of the animation.
        ("|", "⠋⠼⠇"), ("/", "⠙⠴⠏"), ("-", "⠹⠦"), ("\\", "⠸⠧"),
        // Arrows and folds.
        ("v", "↓▾▼⌄"), ("^", "↑▴▲⌃"), ("<", "←‹«◂◀⟨"), (">", "→›»▸▶⟩"), ("=", "↔⇄⇅↕"), ("@", "↻↺⟳⟲"), ("/", "↵⏎⌫"),
        // Marks.
        ("x", "✗✕✘×☒"), ("+", "✓✔☑"), ("*", "•●◆■★◉▪"), ("o", "○◇□☆◌▫☐"), ("!", "⚠≠"), ("\"", "⏸"), (".", "·∙⋅"), ("~", "…⋯⌀≈∼"), ("e", "✎✏"),
        // Punctuation.
        ("\"", "“”„"), ("'", "‘’‚′"), ("-", "–—−‐‑"), ("?", "␍␊␉␛␡"), (" ", "\u{A0}\u{202F}\u{2009}"), ("<", "≤"), (">", "≥"), ("u", "µμ"),
        ("S", "§"),
    ]
}

extension Canvas {
    /// The visible text with other characters for the program's own glyphs.
    package func text(in glyphs: GlyphSet) -> String {
        var copy = self
        for (index, cell) in cells.enumerated() where cell.width > 0 {
            copy.cells[index] = Cell(glyph: glyphs.glyph(cell.glyph, width: cell.width), width: cell.width, style: cell.style)
        }
        return copy.text
    }
}
