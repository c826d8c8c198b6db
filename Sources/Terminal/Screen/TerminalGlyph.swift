import Glibc

/// Splits the glyph of a cell into pieces that keep their alignment in terminals with other width tables.
///
/// ``CellWidth`` uses the newest Unicode. The C library, and with it ncurses and most terminals, are some versions
/// behind and do not support emoji sequences: they count each member of a family. The pieces therefore have exactly
/// the cell's width according to the C library: marks stay with their base, a second spacing character uses the
/// second cell where there is one, and the rest of a sequence of emoji is omitted. A family shows its first member.
/// No character of any other text is omitted. Where the
/// terminal is known to draw sequences in two columns, ``sequence(_:width:libraryWidth:)`` passes them unchanged.
enum TerminalGlyph {
    /// A spacing character with its marks, and its width in columns.
    struct Piece: Equatable {
        let text: [Unicode.Scalar]
        let width: Int
    }

    /// The scalars of an emoji sequence that fills its cell as a whole; nil for another glyph.
    ///
    /// ncurses counts the columns of the first scalar only, so that has to be as wide as the cell: a family, a profession or a skin tone, but not a
    /// digit or a sign with a selector.
    static func sequence(_ glyph: String, width: Int, libraryWidth: (Unicode.Scalar) -> Int) -> [Unicode.Scalar]? {
        let scalars = Array(glyph.unicodeScalars)
        guard width == 2, (2...DrawnGrapheme.scalarsOfCell).contains(scalars.count), scalars.allSatisfy(\.isOfEmojiSequence) else { return nil }
        return libraryWidth(scalars[0]) == width ? scalars : nil
    }

    /// The pieces of `glyph`, with a total of exactly `width` columns.
    ///
    /// - Parameter libraryWidth: The width of a scalar according to the C library; negative for an unknown one.
    static func pieces(of glyph: String, width: Int, libraryWidth: (Unicode.Scalar) -> Int) -> [Piece] {
        let scalars = Array(glyph.unicodeScalars)
        // Selectors and joiners of emoji change the width in some terminals only; in Indic scripts a joiner changes the form of a letter.
        let isEmoji = scalars.first?.isOfEmojiSequence ?? false
        let isSequence = isEmoji && scalars.allSatisfy(\.isOfEmojiSequence)
        var pieces: [Piece] = []
        var used = 0
        for scalar in scalars {
            let columns = libraryWidth(scalar)
            if scalar == .emojiSelector || scalar == .textSelector || (isEmoji && scalar == .zeroWidthJoiner) { continue }
            if columns > 0, used + columns <= width {
                pieces.append(Piece(text: [scalar], width: columns))
                used += columns
            } else if let last = pieces.last {
                if isSequence, columns != 0 { break }
                if columns < 0, scalar.columns > 0, used < width {
                    pieces.append(Piece(text: [unknown], width: 1))
                    used += 1
                } else if last.text.count < DrawnGrapheme.scalarsOfCell {
                    // Where the C library counts other columns than ``CellWidth``, the rest of the line may move, but no letter is lost.
                    pieces[pieces.count - 1] = Piece(text: last.text + [scalar], width: last.width)
                }
            } else {
                // ncurses writes a blank for a cell that begins with a mark or with a character that the C library does not know.
                pieces.append(Piece(text: scalar.columns == 0 || columns == 0 ? ["\u{25CC}", scalar] : [unknown], width: 1))
                used += 1
            }
        }
        return padded(pieces, used, width)
    }

    /// What is shown for a character that the C library does not know, or that is wider than the cell.
    private static let unknown: Unicode.Scalar = "\u{FFFD}"

    private static func padded(_ pieces: [Piece], _ used: Int, _ width: Int) -> [Piece] {
        pieces + Array(repeating: Piece(text: [" "], width: 1), count: max(0, width - used))
    }
}

/// What is known about the way in which a terminal draws emoji sequences.
///
/// Terminals differ: some draw a family of three persons in two columns, others draw each person. A sequence that takes more columns than the
/// program counts would shift the rest of its line.
enum EmojiSequences {
    /// Whether the terminal that the environment names draws a sequence in two columns.
    ///
    /// tmux and screen count the columns themselves, in whichever terminal they run.
    ///
    /// - Parameter variable: The value of an environment variable.
    static func areKnown(_ variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }) -> Bool {
        let type = variable("TERM") ?? ""
        guard variable("TMUX") == nil, variable("STY") == nil, !type.hasPrefix("tmux"), !type.hasPrefix("screen") else { return false }
        if ["WezTerm", "ghostty", "iTerm.app", "contour"].contains(variable("TERM_PROGRAM")) { return true }
        return ["foot", "wezterm", "xterm-ghostty", "contour"].contains { type == $0 || type.hasPrefix($0 + "-") }
    }
}
