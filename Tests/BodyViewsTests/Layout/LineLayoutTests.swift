import Support
import Testing

@testable import BodyViews
@testable import SortieBase

struct LineLayoutTests {
    private func rows(_ bytes: [UInt8], _ encoding: TextEncoding = .utf8, cuts: [Int] = []) -> [BodyRow] {
        var layout = LineLayout(encoding: encoding)
        for cut in cuts + [bytes.count] {
            layout.advance(over: BodyBytes(Array(bytes[..<cut])), budget: .max >> 1, isFinal: cut == bytes.count)
        }
        return layout.rows(0..<layout.rowCount, of: BodyBytes(bytes), marking: [])
    }

    @Test(arguments: [
        ("a\nb\r\nc\rd", ["a", "b", "c", "d"]), ("a\n", ["a"]), ("\n\n", ["", ""]), ("a\r\r\nb\n\r", ["a", "", "b", ""]),
        ("\r", [""]),
        ("\u{FEFF}x", ["x"]), ("one", ["one"]),
    ])
    func `lines end at LF, CRLF and CR`(text: String, lines: [String]) {
        let bytes = Array(text.utf8)
        let whole = rows(bytes)
        #expect(whole.map(\.text) == lines)
        #expect(whole.map(\.number) == Array(1...lines.count))
        for cut in 0...bytes.count { #expect(rows(bytes, cuts: [cut]) == whole, "split at \(cut)") }
        #expect(rows(bytes, cuts: Array(0..<bytes.count)) == whole)
    }

    @Test func `a long line is continued between characters`() {
        for piece in ["é", "日", "👩‍🚀", "e\u{301}", "x"] {
            for shift in 0..<5 {
                let line = String(repeating: "-", count: shift) + String(repeating: piece, count: 9000 / piece.utf8.count)
                let found = rows(Array((line + "\n" + line).utf8))
                #expect(found.filter { $0.number == nil }.count == found.count - 2)
                #expect(found.map(\.text).joined() == line + line)
                #expect(found.reduce(0) { $0 + $1.text.count } == line.count * 2)
                #expect(found.allSatisfy { $0.sourceRange.count <= BodyRow.byteLimit })
            }
        }
    }

    @Test(arguments: 0..<8)
    func `random text split at random gives the same rows, and any range is a slice of them`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces =
            ["word ", "é", "日本語", "\n", "\r\n", "\r", "\t", "e\u{301}", String(repeating: "y", count: 3000)].map {
                Array($0.utf8)
            } + [[0xFF], [0x80]]
        let bytes = (0..<3000).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
        let encoding: TextEncoding =
            [.utf8, .windows1252, .utf16LittleEndian, .utf16BigEndian].randomElement(using: &random) ?? .utf8
        let whole = rows(bytes, encoding)
        let cuts = (0..<30).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
        #expect(rows(bytes, encoding, cuts: cuts) == whole)
        var layout = LineLayout(encoding: encoding)
        let body = BodyBytes(bytes)
        while !layout.isComplete { layout.advance(over: body, budget: 10_000, isFinal: true) }
        #expect(layout.rowCount == whole.count)
        for _ in 0..<60 {
            let low = Int.random(in: 0...whole.count, using: &random)
            let high = min(whole.count, low + Int.random(in: 0..<50, using: &random))
            #expect(layout.rows(low..<high, of: body, marking: []) == Array(whole[low..<high]))
        }
        for (index, row) in whole.enumerated() where !row.sourceRange.isEmpty {
            #expect(layout.row(containing: row.sourceRange.lowerBound, of: body) == index)
        }
    }

    @Test func `invalid UTF-8 is displayed as replacement characters`() {
        #expect(rows([0x61, 0xFF, 0x62, 0xC3]).map(\.text) == ["a\u{FFFD}b\u{FFFD}"])
    }

    @Test func `tabs extend to the next multiple of four`() {
        #expect(rows(Array("\ta\tbcd\te".utf8)).map(\.text) == ["    a   bcd e"])
    }

    @Test func `Windows-1252 and UTF-16 are decoded`() {
        #expect(rows([0x80, 0xE9, 0x0A, 0x93], .windows1252).map(\.text) == ["€é", "“"])
        let little = [0xFF, 0xFE] + (TextEncoding.utf16LittleEndian.encode("é\r\n👍\nĊ") ?? [])
        #expect(rows(little, .utf16LittleEndian).map(\.text) == ["é", "👍", "Ċ"])
    }

    @Test func `the index of short lines takes less than half a percent`() {
        let bytes = Array(String(repeating: "line\n", count: 500_000).utf8)
        let view = BodyFixtures.view(bytes, "text/plain")
        #expect(view.rowCount == 500_000)
        #expect(view.memoryUse < bytes.count / 200)
    }

    @Test func `tags and attributes of markup are distinguished`() {
        var view = BodyFixtures.view("<a href=\"x\">t</a><!-- c -->", "text/html")
        view.show(.raw)
        #expect(
            view.all[0].spans.map(\.kind) == [
                .punctuation, .tag, .text, .attribute, .punctuation, .string, .punctuation, .text, .punctuation, .tag,
                .punctuation, .comment,
            ])
        #expect(view.text == "<a href=\"x\">t</a><!-- c -->")
    }
}
