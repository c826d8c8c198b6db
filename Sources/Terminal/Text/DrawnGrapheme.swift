/// The displayed form of a character: the character itself, or an escaped form where the terminal would interpret or
/// hide it.
struct DrawnGrapheme {
    /// The content of one cell, or of two for a wide glyph.
    struct Piece: Equatable {
        let glyph: String
        let width: Int
        let isEscaped: Bool
    }

    /// The pieces from left to right; never empty, each 1 or 2 columns wide.
    let pieces: [Piece]

    /// The largest number of scalars of a grapheme; more are cut, because stacked marks extend over several rows.
    private static let mostScalars = 8
    /// The limit for emoji: a couple with two skin tones has ten scalars.
    private static let mostEmojiScalars = 10
    /// The number of refused scalars of a grapheme that are shown individually; of the rest only the count is shown.
    private static let mostEscapes = 4
    /// The number of scalars of a grapheme that are examined, because the sender determines its length.
    private static let mostLookedAt = 64

    init(_ character: Character) {
        var kept: [Unicode.Scalar] = []
        var refused: [Unicode.Scalar] = []
        for scalar in character.unicodeScalars.prefix(Self.mostLookedAt) {
            if scalar.isHarmless(after: kept.last, base: kept.first) { kept.append(scalar) } else { refused.append(scalar) }
        }
        pieces = Self.visible(kept) + Self.escapes(refused)
    }

    private static func visible(_ scalars: [Unicode.Scalar]) -> [Piece] {
        guard let base = scalars.first else { return [] }
        let limit = base.properties.isEmoji && base.value > 0xFF ? mostEmojiScalars : mostScalars
        let isCut = scalars.count > limit
        let kept = isCut ? Array(scalars.prefix(limit)) : scalars
        // A terminal cannot show three letters in two cells, so a cluster of several letters takes more cells instead
        // of losing letters.
        let units = units(kept, afterViramaOnly: true)
        if units.count > 2 { return units.map { piece($0, isCut) } }
        if CellWidth.naturalWidth(of: kept) > 2 { return self.units(kept, afterViramaOnly: false).map { piece($0, isCut) } }
        return [piece(kept, isCut)]
    }

    private static func piece(_ scalars: [Unicode.Scalar], _ isCut: Bool) -> Piece {
        let width = CellWidth.naturalWidth(of: scalars)
        var glyph = String(String.UnicodeScalarView(scalars))
        if width == 0 { glyph = "\u{25CC}" + glyph }  // a mark without a base is shown on a dotted circle
        return Piece(glyph: glyph, width: width.clamped(to: 1...2), isEscaped: isCut)
    }

    /// The parts of a grapheme with their marks: the consonants of an Indic cluster, or else every spacing scalar.
    private static func units(_ scalars: [Unicode.Scalar], afterViramaOnly: Bool) -> [[Unicode.Scalar]] {
        var units: [[Unicode.Scalar]] = []
        var followsVirama = false
        for scalar in scalars {
            if units.isEmpty || (scalar.columns > 0 && (followsVirama || !afterViramaOnly)) {
                units.append([scalar])
            } else {
                units[units.count - 1].append(scalar)
            }
            followsVirama = scalar.isVirama || (followsVirama && scalar == .zeroWidthJoiner)
        }
        return units
    }

    private static func escapes(_ scalars: [Unicode.Scalar]) -> [Piece] {
        guard !scalars.isEmpty else { return [] }
        var text = scalars.prefix(mostEscapes).map(\.escaped).joined()
        if scalars.count > mostEscapes { text += "‹+\(scalars.count - mostEscapes)›" }
        return text.map { Piece(glyph: String($0), width: 1, isEscaped: true) }
    }
}

extension Character {
    /// Whether the character is printable ASCII, which needs no further checks and is by far the most frequent case.
    var isPrintableASCII: Bool {
        let utf8 = utf8
        guard let byte = utf8.first, utf8.count == 1 else { return false }
        return (0x20..<0x7F).contains(byte)
    }
}
