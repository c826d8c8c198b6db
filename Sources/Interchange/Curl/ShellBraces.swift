internal import SortieBase

/// The braces of bash and zsh, `a{b,c}` and `{1..3}`, that stand for several words (bash manual, Brace Expansion).
///
/// The lexer marks the characters outside of quotes, as references to variables whose names are no names.
enum ShellBraces {
    /// The most words that one word stands for, and the most braces that are read; further ones stay as they are.
    private static let limit = 100

    /// The mark of `{`, `,` or `}`.
    static func mark(_ scalar: Unicode.Scalar) -> ShellText.Piece { .variable("{\(scalar)") }

    /// The words of a word with marks.
    static func expanded(_ text: String) -> [String] {
        guard !ShellText.isPlain(text) else { return [text] }
        let pieces = ShellText.pieces(of: text)
        guard pieces.contains(open) else { return [ShellText.text(of: unmarked(pieces[...]))] }
        let words = pieces.count { $0 == open } > limit ? [] : words(of: pieces[...])
        return (words.isEmpty || words.count > limit ? [unmarked(pieces[...])] : words).map(ShellText.text(of:))
    }

    private static let open = mark("{")
    private static let comma = mark(",")
    private static let close = mark("}")

    private static func unmarked(_ pieces: ArraySlice<ShellText.Piece>) -> [ShellText.Piece] {
        pieces.map { piece in
            switch piece {
            case open: .byte(0x7b)
            case comma: .byte(0x2c)
            case close: .byte(0x7d)
            default: piece
            }
        }
    }

    /// The words, one more than the limit at most.
    private static func words(of pieces: ArraySlice<ShellText.Piece>) -> [[ShellText.Piece]] {
        guard let start = pieces.firstIndex(of: open) else { return [unmarked(pieces)] }
        let before = unmarked(pieces[..<start])
        guard let (items, end) = items(of: pieces, from: start) else {
            // Braces without a comma or a range are literal.
            return words(of: pieces[(start + 1)...]).map { before + [.byte(0x7b)] + $0 }
        }
        let rest = words(of: pieces[(end + 1)...])
        var result: [[ShellText.Piece]] = []
        for item in items {
            for tail in rest where result.count <= limit { result.append(before + item + tail) }
        }
        return result
    }

    /// The items between the brace at `start` and its closing one, and the index of that; nil where they are no list.
    private static func items(of pieces: ArraySlice<ShellText.Piece>, from start: Int) -> (items: [[ShellText.Piece]], end: Int)? {
        var parts: [Range<Int>] = []
        var (depth, first) = (0, start + 1)
        for index in (start + 1)..<pieces.endIndex {
            switch pieces[index] {
            case open: depth += 1
            case comma where depth == 0:
                parts.append(first..<index)
                first = index + 1
            case close where depth == 0:
                parts.append(first..<index)
                if parts.count > 1 { return (parts.flatMap { words(of: pieces[$0]) }, index) }
                return range(pieces[parts[0]]).map { ($0.map { $0.utf8.map(ShellText.Piece.byte) }, index) }
            case close: depth -= 1
            default: break
            }
        }
        return nil
    }

    /// The texts of `FIRST..LAST` or `FIRST..LAST..STEP` with numbers or letters.
    private static func range(_ pieces: ArraySlice<ShellText.Piece>) -> [String]? {
        let text = ShellText.text(of: Array(pieces))
        let parts = text.replacing("..", with: "\u{0}").split(separator: "\u{0}", omittingEmptySubsequences: false).map(String.init)
        guard ShellText.isPlain(text), parts.count == 2 || parts.count == 3 else { return nil }
        var step = 1
        if parts.count == 3 {
            guard let given = Int(parts[2]), given != .min else { return nil }
            step = max(1, abs(given))
        }
        let (low, high): (Int, Int)
        let isNumeric: Bool
        if let first = Int(parts[0]), let last = Int(parts[1]) {
            (low, high, isNumeric) = (first, last, true)
        } else if parts[0].count == 1, parts[1].count == 1, let first = parts[0].first?.asciiValue, let last = parts[1].first?.asciiValue,
            parts.prefix(2).joined().allSatisfy(\.isLetter)
        {
            (low, high, isNumeric) = (Int(first), Int(last), false)
        } else {
            return nil
        }
        let hasZeros = isNumeric && parts.prefix(2).contains { $0.count > 1 && $0.drop { $0 == "-" }.first == "0" }
        let width = hasZeros ? parts.prefix(2).map(\.count).max() ?? 0 : 0
        let last = low <= high ? high : -high
        var values: [Int] = []
        var value = low <= high ? low : -low
        while value <= last, values.count <= limit {
            values.append(low <= high ? value : -value)
            let (next, overflow) = value.addingReportingOverflow(step)
            if overflow { break }
            value = next
        }
        return values.map { isNumeric ? $0.padded(to: width) : String(Character(Unicode.Scalar(UInt8(truncatingIfNeeded: $0)))) }
    }
}
