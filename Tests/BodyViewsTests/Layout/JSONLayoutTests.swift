import Support
import Testing

@testable import BodyViews
@testable import SortieBase

struct JSONLayoutTests {
    /// The rows of a layout that was fed in pieces.
    private func rows(_ bytes: [UInt8], cuts: [Int], budget: Int = .max >> 1) -> (rows: [BodyRow], problem: BodyProblem?) {
        var layout = JSONLayout()
        for cut in cuts + [bytes.count] {
            let known = BodyBytes(Array(bytes[..<cut]))
            let isFinal = cut == bytes.count
            repeat {
                layout.advance(over: known, budget: budget, isFinal: isFinal)
            } while layout.examined < cut && !layout.isComplete
            if isFinal, !layout.isComplete { layout.advance(over: known, budget: budget, isFinal: true) }
        }
        return (layout.rows(0..<layout.rowCount, of: BodyBytes(bytes), marking: []), layout.problem)
    }

    @Test func `a split at any byte does not change the result`() {
        let text = "\u{FEFF} {\"a\\u00e9\\\\\":[1,-2.5e+10,true,null,\"é👩‍🚀\"],\r\n\"\":{},\"b\":[ ] , \"c\":false}\n"
        for bytes in [Array(text.utf8), Array("[1, 2, \"a\u{301}\" tru]".utf8), Array("12.5e3".utf8)] {
            let whole = rows(bytes, cuts: [])
            #expect(!whole.rows.isEmpty)
            for cut in 0...bytes.count {
                #expect(rows(bytes, cuts: [cut]) == whole, "split at \(cut)")
            }
            #expect(rows(bytes, cuts: Array(0..<bytes.count)) == whole)
        }
    }

    @Test(arguments: 0..<12)
    func `random JSON split at random gives the same rows, and any range is a slice of them`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let source = "[" + (0..<200).map { _ in BodyFixtures.json(&random) }.joined(separator: ",") + "]"
        let bytes = Array(source.utf8)
        let whole = rows(bytes, cuts: [])
        #expect(whole.problem == nil)
        let cuts = (0..<20).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
        #expect(rows(bytes, cuts: cuts, budget: 1000) == whole)
        var layout = JSONLayout()
        layout.advance(over: BodyBytes(bytes), budget: bytes.count, isFinal: true)
        for _ in 0..<60 {
            let low = Int.random(in: 0...whole.rows.count, using: &random)
            let high = min(whole.rows.count + 5, low + Int.random(in: 0..<60, using: &random))
            let slice = layout.rows(low..<high, of: BodyBytes(bytes), marking: [])
            #expect(slice == Array(whole.rows[min(low, whole.rows.count)..<min(high, whole.rows.count)]))
        }
        let joined = whole.rows.reduce(into: "") { text, row in
            text += row.number == nil || text.isEmpty ? row.text : "\n" + row.text
        }
        #expect(joined == JSONText.pretty(source))
    }

    @Test(arguments: 0..<4)
    func `the row of a byte is the row that displays it`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed + 100)
        let bytes = Array(("[" + (0..<40).map { _ in BodyFixtures.json(&random) }.joined(separator: ",") + "]").utf8)
        let view = BodyFixtures.view(bytes)
        for (index, row) in view.all.enumerated() {
            #expect(view.row(containing: row.sourceRange.lowerBound) == index)
            #expect(view.row(containing: row.sourceRange.upperBound - 1) == index)
        }
        #expect(view.row(containing: bytes.count) == nil)
    }

    @Test func `a long string is continued between characters, never inside an escape`() {
        for shift in 0..<12 {
            for piece in ["é", "日", "👩‍🚀", "\\u00e9", "\\\\", "e\u{301}", "x"] {
                let string =
                    "\"" + String(repeating: "-", count: shift) + String(repeating: piece, count: 12_000 / piece.utf8.count)
                    + "\""
                let view = BodyFixtures.view("{\"k\":\(string)}")
                let rows = view.all
                #expect(view.problem == nil && rows.count > 4)
                #expect(rows.allSatisfy { $0.sourceRange.count <= BodyRow.byteLimit })
                #expect(rows.dropFirst(2).dropLast().allSatisfy { $0.number == nil })
                let inner = rows[1...].dropLast().map(\.text).joined()
                #expect(inner == "  \"k\": \(string)")
                // No character was split: the sum of the rows' characters equals the total.
                #expect(rows[1...].dropLast().reduce(0) { $0 + $1.text.count } == inner.count)
            }
        }
    }

    @Test func `a long number is continued and keeps its digits`() {
        let number = "-" + String(repeating: "1234567890", count: 2000) + ".5e" + String(repeating: "9", count: 9000)
        let view = BodyFixtures.view("[\(number),\(number)]")
        #expect(view.text.filter { $0 != "\n" } == "[  \(number),  \(number)]")
        #expect(view.all.allSatisfy { $0.sourceRange.count <= BodyRow.byteLimit + 1 })
    }

    @Test func `a value after a key of any length is parsed correctly`() {
        for length in 4080...4100 {
            let source =
                "{\"" + String(repeating: "k", count: length)
                + "\":\"\u{301}\\u0041\u{301}👩‍🚀\(String(repeating: "v", count: 40_000))\"}"
            let bytes = Array(source.utf8)
            let view = BodyFixtures.view(bytes)
            let rows = view.all
            #expect(view.problem == nil)
            for index in rows.indices { #expect(view.rows(index..<index + 1) == [rows[index]]) }
            #expect(rows.allSatisfy { !$0.text.contains("\u{FFFD}") })
        }
    }

    @Test func `depth is displayed up to a limit, and every range of a deep body can be drawn`() {
        let depth = 9_999
        let open = (0..<depth).map { $0 % 3 == 0 ? "{\"a\":" : "[" }.joined()
        let close = (0..<depth).reversed().map { $0 % 3 == 0 ? "}" : "]" }.joined()
        let view = BodyFixtures.view(open + "1" + close)
        #expect(view.problem == nil)
        let rows = view.all
        #expect(rows.map(\.text.count).max() ?? 0 < 2 * JSONText.indentedLevels + 10)
        for low in stride(from: 0, to: rows.count, by: 997) {
            #expect(view.rows(low..<low + 3) == Array(rows[low..<min(low + 3, rows.count)]))
        }
    }

    @Test func `the index of fifty megabytes of small objects takes less than half a percent`() {
        let count = 700_000
        let object = #"{"id":1,"name":"item","tags":["a","b"],"ok":true,"price":12.5,"next":null}"#
        let bytes = Array(("[" + Array(repeating: object, count: count).joined(separator: ",") + "]").utf8)
        let view = BodyFixtures.view(bytes)
        #expect(view.isComplete && view.rowCount == count * 11 + 2)
        #expect(view.memoryUse < bytes.count / 200)
    }

    @Test func `the index of a deeply nested body stays below one percent`() {
        let tooth = String(repeating: "[", count: 9000) + String(repeating: "]", count: 9000)
        let bytes = Array(("[" + Array(repeating: tooth, count: 120).joined(separator: ",") + "]").utf8)
        let view = BodyFixtures.view(bytes)
        #expect(view.problem == nil && view.isComplete)
        #expect(view.memoryUse < bytes.count / 100)
        let middle = view.rowCount / 2
        #expect(view.rows(middle..<middle + 10).count == 10)
    }

    @Test func `line numbers count formatted lines, not continuations`() {
        let view = BodyFixtures.view("[\"\(String(repeating: "x", count: 5000))\",2]")
        #expect(view.all.map(\.number) == [1, 2, nil, 3, 4])
    }

    @Test func `spans distinguish keys from strings and numbers from literals`() {
        let view = BodyFixtures.view(#"{"k":"v","n":1,"t":true}"#)
        #expect(
            view.all[1].spans == [
                BodySpan("  ", .text), BodySpan("\"k\"", .key), BodySpan(": ", .punctuation), BodySpan("\"v\"", .string),
                BodySpan(",", .punctuation),
            ])
        #expect(view.all[2].spans.map(\.kind) == [.text, .key, .punctuation, .number, .punctuation])
        #expect(view.all[3].spans.map(\.kind) == [.text, .key, .punctuation, .literal])
    }
}
