/// Splits the glyph of a cell into pieces that keep their alignment in terminals with other width tables.
///
/// ``CellWidth`` uses the newest Unicode. The C library, and with it ncurses and most terminals, are some versions
/// behind and do not support emoji sequences: they count each member of a family. The pieces therefore have exactly
/// the cell's width according to the C library: marks stay with their base, a second spacing character uses the
/// second cell where there is one, and the rest of a sequence is omitted. A family shows its first member. Where the
/// terminal is known to draw sequences in two columns, ``sequence(_:width:libraryWidth:)`` passes them unchanged.
enum TerminalGlyph {
    /// A spacing character with its marks, and its width in columns.
    struct Piece: Equatable {
        let text: [Unicode.Scalar]
        let width: Int
    }

    /// ncurses stores one spacing character and four marks per cell.
    private static let mostMarks = 4

    /// The scalars of an emoji sequence that fills its cell as a whole; nil for another glyph.
    ///
    /// ncurses counts the columns of the first scalar only, so that has to be as wide as the cell: a family, a profession or a skin tone, but not a
    /// digit or a sign with a selector.
    static func sequence(_ glyph: String, width: Int, libraryWidth: (Unicode.Scalar) -> Int) -> [Unicode.Scalar]? {
        let scalars = Array(glyph.unicodeScalars)
        guard width == 2, (2...(1 + mostMarks)).contains(scalars.count), scalars.allSatisfy(isOfEmoji) else { return nil }
        return libraryWidth(scalars[0]) == width ? scalars : nil
    }

    private static func isOfEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmoji && !scalar.isASCII || isSelectorOrJoiner(scalar)
    }

    /// The pieces of `glyph`, with a total of exactly `width` columns.
    ///
    /// - Parameter libraryWidth: The width of a scalar according to the C library; negative for an unknown one.
    static func pieces(of glyph: String, width: Int, libraryWidth: (Unicode.Scalar) -> Int) -> [Piece] {
        var pieces: [Piece] = []
        var used = 0
        for scalar in glyph.unicodeScalars {
            switch libraryWidth(scalar) {
            case 0:
                guard let last = pieces.last, last.text.count <= mostMarks, !isSelectorOrJoiner(scalar) else { continue }
                pieces[pieces.count - 1] = Piece(text: last.text + [scalar], width: last.width)
            case let columns where columns > 0 && used + columns <= width:
                pieces.append(Piece(text: [scalar], width: columns))
                used += columns
            case let columns where columns < 0 || pieces.isEmpty:
                // Unknown to the C library, or wider than the cell.
                guard used < width else { return pieces }
                pieces.append(Piece(text: ["\u{FFFD}"], width: 1))
                used += 1
            default: return padded(pieces, used, width)
            }
        }
        return padded(pieces, used, width)
    }

    private static func padded(_ pieces: [Piece], _ used: Int, _ width: Int) -> [Piece] {
        pieces + Array(repeating: Piece(text: [" "], width: 1), count: max(0, width - used))
    }

    /// Selectors and joiners change the width in some terminals only, so they are omitted.
    private static func isSelectorOrJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar == .emojiSelector || scalar == .textSelector || scalar == .zeroWidthJoiner
    }
}
