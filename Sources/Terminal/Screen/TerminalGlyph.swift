/// A cell's glyph as pieces that the terminal's own idea of widths cannot push out of line.
///
/// The widths of ``CellWidth`` are those of the newest Unicode; the C library, and with it ncurses and most terminals, are some
/// versions behind and know no emoji sequences: each part of a family counts for itself. So what is sent takes exactly the cell's
/// width in *their* count: marks stay with their base, a second spacing character gets the second cell where there is one, and
/// the rest of a sequence is left out; the family shows its first member.
enum TerminalGlyph {
    /// One piece: a spacing character with its marks, and the columns it takes.
    struct Piece: Equatable {
        let text: [Unicode.Scalar]
        let width: Int
    }

    /// ncurses keeps one spacing character and four marks in a cell.
    private static let mostMarks = 4

    /// The pieces of `glyph`, together exactly `width` columns.
    ///
    /// - Parameter libraryWidth: The columns of a scalar as the C library counts them; negative for one it does not know.
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
                // Unknown to the C library, or wider than it should be.
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

    /// Selectors and joiners change the width in some terminals and not in others; without them all agree.
    private static func isSelectorOrJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar == .emojiSelector || scalar == .textSelector || scalar == .zeroWidthJoiner
    }
}
