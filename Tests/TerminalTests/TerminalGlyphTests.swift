import Testing

@testable import SortieTerminal

struct TerminalGlyphTests {
    /// The widths of these scalars in the C library of Debian 12.
    private func libraryWidth(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x301, 0x94D, 0xFE0F, 0x200D, 0x20E3: 0
        case 0x6F22, 0x1F468...0x1F469, 0x1F4BB, 0x1F3FD: 2
        case 0x1FAE9: -1
        default: 1
        }
    }

    @Test(arguments: [
        ("a", 1, ["a"]), ("漢", 2, ["漢"]), ("e\u{301}", 1, ["e\u{301}"]), ("👩‍💻", 2, ["👩"]), ("👩🏽", 2, ["👩"]),
        ("❤️", 2, ["❤", " "]), ("🇩🇪", 2, ["🇩", "🇪"]), ("क्ष", 2, ["क\u{94D}", "ष"]), ("1\u{FE0F}\u{20E3}", 2, ["1\u{20E3}", " "]),
        ("का", 2, ["क", "\u{93E}"]), ("\u{1FAE9}", 2, ["\u{FFFD}", " "]), ("漢", 1, ["\u{FFFD}"]),
    ])
    func `pieces use exactly the columns of the cell`(glyph: String, width: Int, expected: [String]) {
        let pieces = TerminalGlyph.pieces(of: glyph, width: width, libraryWidth: libraryWidth)
        #expect(pieces.map { String(String.UnicodeScalarView($0.text)) } == expected)
        #expect(pieces.reduce(0) { $0 + $1.width } == width)
    }

    @Test(arguments: [
        ("👩‍💻", true), ("👩🏽", true), ("👩‍👩‍👧", true), ("👩‍👩‍👧‍👦", false), ("❤️", false), ("🇩🇪", false), ("1\u{FE0F}\u{20E3}", false), ("漢", false), ("क्ष", false),
        ("👩", false),
    ])
    func `a sequence that begins with a wide emoji and fits in a cell of ncurses can be written as a whole`(glyph: String, isWhole: Bool) {
        let sequence = TerminalGlyph.sequence(glyph, width: 2, libraryWidth: libraryWidth)
        #expect(sequence == (isWhole ? Array(glyph.unicodeScalars) : nil))
        #expect(TerminalGlyph.sequence(glyph, width: 1, libraryWidth: libraryWidth) == nil)
    }

    @Test(arguments: [
        (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], true), (["TERM": "foot-extra"], true), (["TERM": "xterm-ghostty"], true),
        (["TERM": "xterm-256color"], false), (["TERM": "tmux-256color", "TERM_PROGRAM": "WezTerm"], false),
        (["TERM": "foot", "TMUX": "/tmp/tmux-0/default,1,0"], false), (["TERM": "footless"], false), ([:], false),
    ])
    func `terminals that draw sequences in two columns are known by the environment`(environment: [String: String], expected: Bool) {
        #expect(EmojiSequences.areKnown { environment[$0] } == expected)
    }

    @Test func `no piece has more marks than a cell of ncurses holds`() {
        let pieces = TerminalGlyph.pieces(of: "e" + String(repeating: "\u{301}", count: 7), width: 1, libraryWidth: libraryWidth)
        #expect(pieces.map(\.text.count) == [5])
    }
}
