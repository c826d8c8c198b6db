/// A character as it is shown: itself, or what stands for it where the terminal would obey or hide it.
struct DrawnGrapheme {
    /// What goes into one cell, or into two for a wide glyph.
    struct Piece: Equatable {
        let glyph: String
        let width: Int
        let isEscaped: Bool
    }

    /// What is drawn, left to right; never empty, and every width is 1 or 2.
    let pieces: [Piece]

    /// More scalars than this in one grapheme are cut off: marks stacked over several rows.
    private static let mostScalars = 8
    /// An emoji may have more: a couple with two skin tones has ten.
    private static let mostEmojiScalars = 10
    /// So many invisible scalars of one grapheme are named one by one; of the rest only the number is shown.
    private static let mostEscapes = 4
    /// So many scalars of one grapheme are looked at; the length of a grapheme is up to whoever sent it.
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
        // A terminal has no room for three letters in two cells, and leaving letters out is worse than taking a cell more.
        let units = units(kept, afterViramaOnly: true)
        if units.count > 2 { return units.map { piece($0, isCut) } }
        if CellWidth.naturalWidth(of: kept) > 2 { return self.units(kept, afterViramaOnly: false).map { piece($0, isCut) } }
        return [piece(kept, isCut)]
    }

    private static func piece(_ scalars: [Unicode.Scalar], _ isCut: Bool) -> Piece {
        let width = CellWidth.naturalWidth(of: scalars)
        var glyph = String(String.UnicodeScalarView(scalars))
        if width == 0 { glyph = "\u{25CC}" + glyph }  // a mark without a base stands on a dotted circle
        return Piece(glyph: glyph, width: width.clamped(to: 1...2), isEscaped: isCut)
    }

    /// A grapheme taken apart: the consonants of an Indic cluster, or else every spacing scalar, each with its marks.
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
    /// Whether it is one of the printable ASCII characters, which need no second look: nearly all there is to draw.
    var isPrintableASCII: Bool {
        let utf8 = utf8
        guard let byte = utf8.first, utf8.count == 1 else { return false }
        return (0x20..<0x7F).contains(byte)
    }
}
