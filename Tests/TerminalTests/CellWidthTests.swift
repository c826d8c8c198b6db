import Testing

@testable import SortieTerminal

struct CellWidthTests {
    @Test(.enabled(if: Corpora.folder != nil, "needs shared/corpora"))
    func `every width equals that of wcwidth 0.9.4`() throws {
        let lines = try Corpora.lines("unicode/width-oracle.visible.tsv")
        #expect(lines.count > 1000)
        for line in lines {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            let text = Corpora.string(ofScalars: fields[1])
            #expect(CellWidth.naturalWidth(of: text) ?? -1 == Int(fields[2]), "\(fields[0]) \(fields[1])")
        }
    }

    @Test(.enabled(if: Corpora.folder != nil, "needs shared/corpora"))
    func `drawn text is as wide as wcwidth computes unless a character is escaped`() throws {
        var compared = 0
        for line in try Corpora.lines("unicode/width-oracle.visible.tsv") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            let text = Corpora.string(ofScalars: fields[1])
            let isEscaped = text.contains { DrawnGrapheme($0).pieces.contains { $0.isEscaped && $0.glyph.hasPrefix("‹") } }
            guard Int(fields[2]) != -1, !isEscaped else { continue }
            compared += 1
            #expect(CellWidth.width(of: text) == Int(fields[2]), "\(fields[0]) \(fields[1])")
        }
        #expect(compared > 1000)
    }

    @Test(.enabled(if: Corpora.folder != nil, "needs shared/corpora"))
    func `a narrow emoji is wide with the emoji selector`() throws {
        for line in try Corpora.lines("unicode/emoji-variation-sequences.txt") where line.contains("emoji style") {
            let text = Corpora.string(ofScalars: line.prefix { $0 != ";" })
            #expect(CellWidth.width(of: text) == 2, "\(line)")
        }
    }

    @Test(
        arguments: [
            ("a", 1), ("漢", 2), ("e\u{301}", 1), ("👩‍💻", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("각", 2), ("ｱ", 1), ("\u{3000}", 2),
            ("क्ष", 2), ("का", 2), ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2),
        ] as [(String, Int)])
    func `a character has its width`(character: String, width: Int) {
        #expect(CellWidth.width(of: character) == width)
    }

    @Test(
        arguments: [
            ("\u{7}", 1), ("\u{202E}", 8), ("\u{200B}", 8), ("\r\n", 2), ("\u{85}", 8), ("\u{301}", 1), ("\u{E0041}", 9),
        ] as [(String, Int)])
    func `an escaped character is as wide as its replacement`(character: String, width: Int) {
        #expect(CellWidth.width(of: character) == width)
    }

    @Test func `a grapheme of more than two cells is drawn in parts without loss`() {
        for text in ["\u{600}漢", "स्त्री"] {
            let pieces = text.flatMap { DrawnGrapheme($0).pieces }
            #expect(pieces.count > 1)
            #expect(pieces.map(\.glyph).joined() == text)
        }
    }

    @Test func `every scalar uses one or more cells when drawn, and its natural width otherwise`() {
        for value in stride(from: UInt32(0x20), through: 0x10FFFF, by: 7) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let pieces = DrawnGrapheme(Character(scalar)).pieces
            #expect(!pieces.isEmpty && pieces.allSatisfy { $0.width == 1 || $0.width == 2 }, "U+\(String(value, radix: 16))")
            if scalar.columns > 0, pieces.allSatisfy({ !$0.isEscaped }) {
                #expect(pieces.reduce(0) { $0 + $1.width } == scalar.columns, "U+\(String(value, radix: 16))")
            }
        }
    }

    @Test func `a prefix never exceeds its number of columns`() {
        #expect(CellWidth.prefix(of: "a漢字b", fitting: 4) == "a漢")
        #expect(CellWidth.prefix(of: "a漢字b", fitting: 5) == "a漢字")
        #expect(CellWidth.prefix(of: "ab", fitting: 0) == "")
        #expect(CellWidth.prefix(of: "ab", fitting: -3) == "")
        #expect(CellWidth.prefix(of: "ab", fitting: .max) == "ab")
    }

    @Test func `a truncated text ends with an ellipsis`() {
        #expect(CellWidth.truncated("Response", to: 8) == "Response")
        #expect(CellWidth.truncated("Response", to: 5) == "Resp…")
        #expect(CellWidth.truncated("漢字漢字", to: 4) == "漢…")
        #expect(CellWidth.truncated("Response", to: 1) == "…")
        #expect(CellWidth.truncated("Response", to: 0) == "")
    }
}
