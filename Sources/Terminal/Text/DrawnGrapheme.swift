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

    /// The number of scalars that a cell of ncurses holds: a spacing character and its marks.
    static let scalarsOfCell = 5
    /// The number of scalars of a grapheme that are shown; of the rest only the count is shown, because the sender determines its length.
    private static let mostShown = 32
    /// The number of refused scalars of a grapheme that are shown individually; of the rest only the count is shown.
    private static let mostEscapes = 4

    /// - Parameter scalarsOfCell: The number of scalars after which a further mark is shown on a circle of its own.
    init(_ character: Character, scalarsOfCell: Int = Self.scalarsOfCell) {
        var kept: [Unicode.Scalar] = []
        var refused: [Unicode.Scalar] = []
        var uncounted = 0
        for scalar in character.unicodeScalars {
            if kept.count + refused.count >= Self.mostShown {
                uncounted += 1
            } else if scalar.isHarmless(after: kept.last, base: kept.first) {
                kept.append(scalar)
            } else if refused.count < Self.mostEscapes {
                refused.append(scalar)
            } else {
                uncounted += 1
            }
        }
        pieces = Self.visible(kept, scalarsOfCell) + Self.escapes(refused, further: uncounted)
    }

    private static func visible(_ scalars: [Unicode.Scalar], _ scalarsOfCell: Int) -> [Piece] {
        guard let base = scalars.first else { return [] }
        let width = CellWidth.naturalWidth(of: scalars)
        if scalars.count == 1, width > 0 { return [piece(scalars, width)] }
        // A sequence of emoji is one picture; ``TerminalGlyph`` decides what of it a terminal can show.
        if base.value > 0xFF, scalars.allSatisfy(\.isOfEmojiSequence) { return [piece(scalars, width.clamped(to: 1...2))] }
        // Two cells cannot show three letters, so a cluster of several letters takes more cells instead of losing letters.
        let cells = cells(scalars, scalarsOfCell)
        let columns = cells.reduce(0) { $0 + max(1, $1[0].terminalColumns) }
        guard columns > 2 else { return [piece(Array(cells.joined()), max(columns, width).clamped(to: 1...2))] }
        return cells.map { piece($0, max(1, $0[0].terminalColumns)) }
    }

    private static func piece(_ scalars: [Unicode.Scalar], _ width: Int) -> Piece {
        Piece(glyph: String(String.UnicodeScalarView(scalars)), width: width, isEscaped: false)
    }

    /// The scalars of each cell: a spacing scalar and its marks.
    ///
    /// A mark without a base is shown on a dotted circle, and so are the marks that a cell does not hold.
    private static func cells(_ scalars: [Unicode.Scalar], _ scalarsOfCell: Int) -> [[Unicode.Scalar]] {
        let circle: Unicode.Scalar = "\u{25CC}"
        var cells: [[Unicode.Scalar]] = []
        for scalar in scalars {
            if scalar.terminalColumns > 0 {
                if cells.isEmpty, scalar.columns == 0, !scalar.isSeparateMark { cells.append([circle]) }
                cells.append([scalar])
            } else if let last = cells.last, last.count < scalarsOfCell {
                cells[cells.count - 1].append(scalar)
            } else {
                cells.append([circle, scalar])
            }
        }
        return cells
    }

    private static func escapes(_ scalars: [Unicode.Scalar], further: Int) -> [Piece] {
        let text = scalars.map(\.escaped).joined() + (further > 0 ? "‹+\(further)›" : "")
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
