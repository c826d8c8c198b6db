import Support
import Testing

@testable import BodyViews
@testable import SortieBase

/// Tests searching the displayed rows.
struct DisplayedSearchTests {
    /// All matches, found in the smallest steps.
    private func all(_ search: BodySearch, _ view: BodyView, forward: Bool) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var offset = forward ? 0 : BodyView.endOfBody
        while true {
            switch view.find(search, from: offset, forward: forward, budget: 1) {
            case .found(let range):
                found.append(range)
                offset = forward ? range.lowerBound + 1 : range.lowerBound
            case .continueFrom(let next): offset = next
            case .notFound: return found
            }
        }
    }

    private func count(_ search: BodySearch, _ view: BodyView, budget: Int) -> MatchCount {
        var count = MatchCount(search, in: view)
        while !count.isComplete { count.advance(over: view, budget: budget) }
        return count
    }

    /// The lines of a view, each with its continuation rows.
    private func lines(_ view: BodyView) -> [[UInt8]] {
        view.all.reduce(into: []) { lines, row in
            if row.number == nil, !lines.isEmpty { lines[lines.count - 1] += Array(row.text.utf8) } else { lines.append(Array(row.text.utf8)) }
        }
    }

    private func occurrences(of needle: [UInt8], in line: [UInt8]) -> Int {
        guard line.count >= needle.count else { return 0 }
        return (0...line.count - needle.count).count { line[$0..<$0 + needle.count].elementsEqual(needle) }
    }

    @Test func `formatted JSON is searched as displayed, raw JSON as received`() {
        let text = #"{"id":5,"a":{"id" : 5},"b":[1,{"id":  50}]}"#
        var view = BodyFixtures.view(text)
        let search = BodySearch(#""id": 5"#)
        #expect(all(search, view, forward: true) == [1..<7, 13..<21, 31..<39])
        #expect(all(search, view, forward: false) == [31..<39, 13..<21, 1..<7])
        #expect(all(BodySearch(#""id":5"#), view, forward: true) == [])
        #expect(all(BodySearch(#"{"id""#), view, forward: true) == [])
        #expect(all(BodySearch(#""a": {"#), view, forward: true).count == 1)
        view.show(.raw)
        #expect(all(search, view, forward: true) == [])
        #expect(all(BodySearch(#""id":5"#), view, forward: true) == [1..<7])
    }

    @Test func `the content of a string is not treated as tokens`() {
        let view = BodyFixtures.view(#"{"a":"x:5, y: 5","b":"x: 5"}"#)
        #expect(all(BodySearch("x: 5"), view, forward: true) == [22..<26])
        #expect(all(BodySearch("5, y: 5"), view, forward: true) == [8..<15])
    }

    @Test func `a match across tokens is marked completely, the current one differently`() {
        let view = BodyFixtures.view(#"[{"id":5},{"id":5}]"#)
        let search = BodySearch(#"id": 5"#)
        let spans = view.rows(0..<view.rowCount, marking: search, current: 12..<17).map { $0.spans.filter(\.isMatch) }
        #expect(spans.map { $0.map(\.text).joined() } == ["", "", #"id": 5"#, "", "", #"id": 5"#, "", ""])
        #expect(spans.map { $0.allSatisfy(\.isCurrent) && !$0.isEmpty } == [false, false, false, false, false, true, false, false])
    }

    @Test func `a tab matches the displayed blanks`() {
        let view = BodyFixtures.view("name\tvalue\nnam\tvalue", "text/plain")
        #expect(all(BodySearch("name    value"), view, forward: true) == [0..<10])
        #expect(all(BodySearch("nam value"), view, forward: true) == [11..<20])
        #expect(all(BodySearch("e  "), view, forward: true) == [3..<5])
    }

    @Test func `a search finds text beyond the index, and continues where JSON proves invalid`() {
        let members = (0..<12_000).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        let view = BodyView.make(bytes: BodyBytes(Array("[\(members)]".utf8)), contentType: "application/json", isFinal: true)
        #expect(!view.isComplete)
        #expect(all(BodySearch(#""id": 11999"#), view, forward: true).count == 1)
        #expect(all(BodySearch(#""id": 1199"#), view, forward: false).count == 11)
        #expect(count(BodySearch(#""id": "#), view, budget: 100_000).total == 12_000)
        let broken = BodyView.make(bytes: BodyBytes(Array("[\(members), the end".utf8)), contentType: "application/json", isFinal: true)
        #expect(all(BodySearch("the end"), broken, forward: true).count == 1)
    }

    @Test func `a backward search from the end covers a body that is longer in UTF-8`() {
        let text = String(repeating: "é", count: 50) + "end"
        let view = BodyFixtures.view(TextEncoding.utf16LittleEndian.encode(#"{"a":"\#(text)"}"#) ?? [], "application/json; charset=utf-16le")
        #expect(view.mode == .pretty)
        #expect(all(BodySearch("end"), view, forward: false).count == 1)
        #expect(all(BodySearch(#"": ""#), view, forward: false).count == 1)
    }

    @Test(arguments: 0..<6) func `random parts of the displayed text are found, counted and numbered`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed + 500)
        let source = "[" + (0..<30).map { _ in BodyFixtures.json(&random) }.joined(separator: " ,\n ") + "]"
        let view = BodyFixtures.view(source)
        let lines = lines(view)
        for _ in 0..<8 {
            let line = try #require(lines.randomElement(using: &random))
            let text = String(decoding: line, as: UTF8.self).unicodeScalars
            let start = text.index(text.startIndex, offsetBy: Int.random(in: 0..<text.count, using: &random))
            let length = Int.random(in: 1...12, using: &random)
            let needle = String(text[start...].prefix(length))
            guard needle.contains(where: { $0 != " " }) else { continue }
            let expected = lines.reduce(0) { $0 + occurrences(of: Array(needle.utf8), in: $1) }
            // Limited, because each step converts rows to text again.
            guard expected < 60 else { continue }
            let search = BodySearch(needle, caseInsensitive: false)
            let found = all(search, view, forward: true)
            #expect(found.count == expected, "\(needle) with seed \(seed)")
            #expect(all(search, view, forward: false) == found.reversed(), "\(needle) with seed \(seed)")
            let counted = count(search, view, budget: 70_001)
            #expect(counted.total == expected, "\(needle) with seed \(seed)")
            for (index, match) in found.enumerated().prefix(50) { #expect(counted.ordinal(of: match, in: view) == index + 1) }
        }
    }

    @Test func `a count continues in steps, and knows the number of the current match`() {
        let view = BodyFixtures.view(String(repeating: "x needle\n", count: 50_000), "text/plain")
        let search = BodySearch("needle")
        var count = MatchCount(search, in: view)
        count.advance(over: view, budget: 200_000)
        #expect(count.total > 20_000 && count.total < 25_000 && !count.isComplete)
        #expect(count.ordinal(of: 9 * 20_000 + 2..<9 * 20_000 + 8, in: view) == 20_001)
        #expect(count.ordinal(of: 9 * 40_000 + 2..<9 * 40_000 + 8, in: view) == nil)
        count.advance(over: view, budget: 1 << 20)
        #expect(count.total == 50_000 && count.isComplete)
    }
}
