import Testing

@testable import SortieTerminal

struct TerminalGlyphTests {
    /// The widths of these scalars in the C library of Debian 12.
    private func libraryWidth(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x301, 0x94D, 0xFE0F, 0x200D, 0x20E3: 0
        case 0x6F22, 0x1F468...0x1F469, 0x1F4BB, 0x1F3FD: 2
        case 0x1FAE9, 0x1715: -1
        default: 1
        }
    }

    @Test(arguments: [
        ("a", 1, ["a"]), ("漢", 2, ["漢"]), ("e\u{301}", 1, ["e\u{301}"]), ("👩‍💻", 2, ["👩"]), ("👩🏽", 2, ["👩"]),
        ("❤️", 2, ["❤", " "]), ("🇩🇪", 2, ["🇩", "🇪"]), ("क्ष", 2, ["क\u{94D}", "ष"]), ("1\u{FE0F}\u{20E3}", 2, ["1\u{20E3}", " "]),
        ("का", 2, ["क", "\u{93E}"]), ("\u{1FAE9}", 2, ["\u{FFFD}", " "]), ("漢", 1, ["\u{FFFD}"]), ("क\u{94D}\u{200D}ष", 2, ["क\u{94D}\u{200D}", "ष"]),
        ("न\u{94D}द\u{940}", 2, ["न\u{94D}", "द\u{940}"]), ("क\u{1715}", 1, ["क\u{1715}"]), ("\u{1715}", 1, ["\u{25CC}\u{1715}"]),
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

    /// The blocks of the scripts with an Indic_Syllabic_Category.
    static let indicBlocks: [ClosedRange<UInt32>] = [
        0x900...0xDFF, 0xF00...0x109F, 0x1700...0x17FF, 0x1900...0x1AAF, 0x1B00...0x1C4F, 0x1CD0...0x1CFF, 0xA800...0xA82F, 0xA840...0xA9FF,
        0xAA00...0xAADF, 0xABC0...0xABFF, 0x10A00...0x10A5F, 0x11000...0x11FFF,
    ]

    @Test(arguments: indicBlocks)
    func `every letter and mark of Indic scripts that a canvas gets is written`(block: ClosedRange<UInt32>) {
        let scalars = block.compactMap(Unicode.Scalar.init).filter {
            $0.properties.generalCategory != .unassigned && !$0.properties.isDefaultIgnorableCodePoint
        }
        #expect(!scalars.isEmpty)
        for scalar in scalars {
            for start in ["", "क", "क्ष", "ကြေ", "ক্ত্র", "ന്റ"] {
                let text = start + String(scalar) + "\u{982}x"
                let written = Self.written(text)
                #expect(written.text.unicodeScalars.filter { $0 != "\u{25CC}" } == text.unicodeScalars.filter { $0 != "\u{25CC}" }, "\(text)")
                #expect(written.columns == CellWidth.width(of: text), "\(text)")
            }
        }
    }

    @Test(arguments: ["क्षि", "हिन्दी", "प्रिय ग्राहक", "ক্ষি", "বাংলা", "ন্টে", "ന്റെ", "ကြောင်း", "कार्त्स्न्य", "क्\u{200D}ष", "ශ්\u{200D}රී", "ᬓ᭄ᬓ", "ভো"])
    func `a word of an Indic script is written as it is`(word: String) {
        #expect(Self.written(word).text == word)
    }

    @Test func `a mark that a cell of ncurses does not hold is written in the next cell`() {
        let stack = "\u{F67}\u{F90}\u{FB5}\u{FA8}\u{FB3}\u{FBA}\u{FBC}\u{FBB}\u{F82}"
        #expect(Self.written(stack).text == String(stack.unicodeScalars.prefix(5)) + "\u{25CC}" + String(stack.unicodeScalars.suffix(4)))
        #expect(CellWidth.width(of: stack) == 2)
    }

    /// What is written to the terminal for a text on a canvas, with its columns according to a C library that knows all characters.
    private static func written(_ text: String) -> (text: String, columns: Int) {
        let pieces = text.flatMap { DrawnGrapheme($0).pieces }.flatMap {
            TerminalGlyph.pieces(of: $0.glyph, width: $0.width, libraryWidth: \.terminalColumns)
        }
        return (pieces.map { String(String.UnicodeScalarView($0.text.prefix(5))) }.joined(), pieces.reduce(0) { $0 + $1.width })
    }
}
