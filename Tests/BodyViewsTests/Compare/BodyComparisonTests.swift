import BodyViews
import SortieBase
import Support
import Testing

@Suite struct BodyComparisonTests {
    private func compare(_ left: String, _ right: String, _ type: String? = nil, ignoring paths: [String] = []) throws -> BodyComparison {
        BodyComparison(
            ComparedBody(BodyBytes(Array(left.utf8)), contentType: type), ComparedBody(BodyBytes(Array(right.utf8)), contentType: type),
            ignoring: try paths.map { try JSONPath($0) })
    }

    /// The diff as displayed.
    private func diff(_ comparison: BodyComparison) -> String { comparison.lines.map { text(of: $0) + "\n" }.joined() }

    private func text(of line: BodyComparison.Line) -> String {
        switch line.kind {
        case .same: "  \(line.text)"
        case .removed: "- \(line.text)"
        case .added: "+ \(line.text)"
        case .ignored: "~ \(line.text)"
        case .folded(let count): "@ \(count)"
        }
    }

    // MARK: JSON

    @Test(arguments: [
        (#"{"a": 1, "b": 2}"#, #"{"b":2,"a":1}"#), ("[1, 10, 0]", "[1.0, 1e1, -0.00]"), (#"["\u00e4\n\/"]"#, "[\"ä\\u000a/\"]"),
        ("{}", " { }\r\n"), (#"{"a": {"x": [1, {"y": null}], "z": true}}"#, #"{"a": {"z": true, "x": [1, {"y": null}]}}"#),
        (#"{"a": 1, "b": 0, "a": 2}"#, #"{"a": 1, "a": 2, "b": 0}"#), ("[12345678901234567890.0]", "[1234567890123456789e1]"),
    ])
    func `equivalent JSON values are equal`(left: String, right: String) throws {
        let comparison = try compare(left, right)
        #expect(!comparison.isDifferent && comparison.form == .json && comparison.lines.isEmpty && comparison.changes.isEmpty)
        #expect(comparison.notes.count == 1)
    }

    @Test(arguments: [
        ("[1]", "[\"1\"]"), ("[1]", "[true]"), ("[null]", "[0]"), ("[]", "{}"), ("[0.1]", "[0.10000000000000000001]"), ("[1]", "[-1]"),
        ("[9007199254740993]", "[9007199254740992]"), (#"{"a": 1, "a": 2}"#, #"{"a": 2, "a": 1}"#), (#"{"a": 1, "a": 2}"#, #"{"a": 2}"#),
        (#"{"a": null}"#, "{}"), ("[1, 2]", "[2, 1]"), ("[\"e\u{301}\"]", "[\"\u{e9}\"]"), ("[[1], []]", "[[], [1]]"), ("[1e9]", "[1e10]"),
        ("[1e99999999999999999999]", "[1]"),
    ])
    func `different JSON values differ`(left: String, right: String) throws {
        let comparison = try compare(left, right)
        #expect(comparison.isDifferent && comparison.form == .json && !comparison.changes.isEmpty)
        #expect(comparison.lines.contains { $0.kind == .removed || $0.kind == .added })
        #expect(try compare(right, left).isDifferent)
    }

    @Test func `a changed value is displayed below the old one, in its place`() throws {
        let comparison = try compare(#"{"id": 7, "price": {"amount": 10, "unit": "EUR"}}"#, #"{"price": {"unit": "EUR", "amount": 12}, "id": 7}"#)
        #expect(
            diff(comparison) == """
                  {
                    "id": 7
                    "price": {
                -     "amount": 10
                +     "amount": 12
                      "unit": "EUR"
                    }
                  }

                """)
        #expect(comparison.changes == [.init(path: try JSONPath("$.price.amount"), left: .number("10"), right: .number("12"))])
        #expect(comparison.removedCount == 1 && comparison.addedCount == 1)
        #expect(comparison.lines.first { $0.kind == .added }?.path?.description == "$.price.amount")
    }

    @Test func `added and removed members are displayed at their places`() throws {
        let comparison = try compare(#"{"a": 1, "b": 2, "c": 3}"#, #"{"new": [1], "a": 1, "c": 3, "last": {}}"#)
        #expect(
            diff(comparison) == """
                  {
                +   "new": [
                +     1
                +   ]
                    "a": 1
                -   "b": 2
                    "c": 3
                +   "last": {}
                  }

                """)
        #expect(comparison.changes.map(\.path.description) == ["$.new", "$.b", "$.last"])
    }

    @Test func `members are matched in any order, also with new ones among them`() throws {
        let comparison = try compare(#"{"b": 1, "a": 2}"#, #"{"a": 2, "x": 3, "b": 1}"#)
        #expect(comparison.changes.map(\.path.description) == ["$.x"])
        #expect(comparison.addedCount == 1 && comparison.removedCount == 0)
    }

    @Test func `an item inserted in front is one addition`() throws {
        let items = (1...9).map { "{\"id\": \($0), \"name\": \"item \($0)\"}" }
        let comparison = try compare("[\(items.joined(separator: ","))]", "[{\"id\": 0, \"name\": \"new\"},\(items.joined(separator: ","))]")
        #expect(
            diff(comparison) == """
                  [
                +   {
                +     "id": 0
                +     "name": "new"
                +   }
                    {
                      "id": 1
                      "name": "item 1"
                @ 34

                """)
        #expect(comparison.changes.map(\.path.description) == ["$[0]"])
    }

    @Test func `a slightly changed item is matched, even after insertions`() throws {
        let left = #"[{"id": 1, "n": "a", "v": 1}, {"id": 2, "n": "b", "v": 1}]"#
        let right = #"[{"id": 3, "n": "c", "v": 1}, {"id": 1, "n": "a", "v": 2}, {"id": 2, "n": "b", "v": 2}]"#
        let comparison = try compare(left, right)
        #expect(comparison.changes.map(\.path.description) == ["$[0]", "$[0].v", "$[1].v"])
        #expect(comparison.changes.map { $0.left?.text } == [nil, "1", "1"])
    }

    @Test func `numbers in a list are aligned`() throws {
        let comparison = try compare("[1, 2, 3, 4, 5]", "[1, 3, 4, 9, 5]")
        #expect(diff(comparison) == "  [\n    1\n-   2\n    3\n    4\n+   9\n    5\n  ]\n")
    }

    @Test func `lines between differences are folded, except three lines of context`() throws {
        func text(_ first: Int, _ last: Int) -> String { "[\(([first] + Array(1...20) + [last]).map(String.init).joined(separator: ","))]" }
        #expect(
            diff(try compare(text(100, 200), text(101, 201))) == """
                  [
                -   100
                +   101
                    1
                    2
                    3
                @ 14
                    18
                    19
                    20
                -   200
                +   201
                  ]

                """)
    }

    @Test func `a single line is not folded`() throws {
        let comparison = try compare("[0,1,2,3,4,5,6,7,0]", "[9,1,2,3,4,5,6,7,9]")
        #expect(!comparison.lines.contains { if case .folded = $0.kind { true } else { false } })
    }

    @Test func `the folded and displayed lines add up to the total`() throws {
        let big =
            "{\"k\": [\((0..<300).map { "{\"n\": \($0)}" }.joined(separator: ","))], \"x\": 1, \"tail\": [\((0..<50).map(String.init).joined(separator: ","))]}"
        let comparison = try compare(big, big.replacing("\"x\": 1", with: "\"x\": 2"))
        let count = comparison.lines.reduce(0) { sum, line in
            switch line.kind {
            case .folded(let count): sum + count
            case .added: sum
            default: sum + 1
            }
        }
        #expect(count == 1 + 902 + 1 + 52 + 1)
        #expect(comparison.lines.count == 10)
    }

    @Test func `ignored paths are not compared`() throws {
        let left = #"{"at": 1, "items": [{"id": 1, "v": 1}, {"id": 2, "v": 2}], "deep": {"etag": "a"}}"#
        let right = #"{"at": {"new": 2}, "items": [{"id": 5, "v": 1}, {"id": 6, "v": 2}], "deep": {}}"#
        #expect(try !compare(left, right, ignoring: ["$.at", "$.items[*].id", "$..etag"]).isDifferent)
        #expect(try compare(left, right, ignoring: ["$.at", "$..etag"]).isDifferent)
        #expect(try compare(left, right, ignoring: ["$.at", "$.items[0].id", "$..etag"]).changes.map(\.path.description) == ["$.items[1].id"])
        #expect(try !compare(left, right, ignoring: ["$.at", "$.items[0].id", "$.items[-1]['id']", "$..etag"]).isDifferent)
        #expect(try !compare(left, right, ignoring: ["$"]).isDifferent)
        #expect(try !compare(left, right, ignoring: ["$..*"]).isDifferent)
    }

    @Test func `an ignored value beside a difference is displayed as ignored`() throws {
        let comparison = try compare(#"{"at": {"x": 1}, "v": 1}"#, #"{"at": 5, "v": 2}"#, ignoring: ["$.at"])
        #expect(diff(comparison) == "  {\n~   \"at\": {…}\n-   \"v\": 1\n+   \"v\": 2\n  }\n")
    }

    @Test func `an ignored item does not shift the others`() throws {
        #expect(try !compare("[1, 2, 3]", "[9, 2, 3]", ignoring: ["$[0]"]).isDifferent)
        #expect(try compare("[1, 2, 3]", "[9, 2, 4]", ignoring: ["$[0]"]).changes.map(\.path.description) == ["$[2]"])
    }

    @Test func `a value of another type replaces the complete value`() throws {
        let comparison = try compare(#"{"a": [1]}"#, #"{"a": "x"}"#)
        #expect(diff(comparison) == "  {\n-   \"a\": [\n-     1\n-   ]\n+   \"a\": \"x\"\n  }\n")
    }

    @Test func `only the different part of long texts is displayed`() throws {
        let start = String(repeating: "ä", count: 5000)
        let comparison = try compare("[\"\(start)1\"]", "[\"\(start)2\"]")
        let removed = try #require(comparison.lines.first { $0.kind == .removed }?.text)
        let added = try #require(comparison.lines.first { $0.kind == .added }?.text)
        #expect(removed.utf8.count < 700 && removed.hasSuffix("ä1\"") && removed.contains("…") && added.hasSuffix("ä2\""))
    }

    @Test func `invalid JSON is compared as text, with the reason`() throws {
        let comparison = try compare("{\"a\": 1}\n", "{\"a\": 1,}\n", "application/json")
        #expect(comparison.form == .text && comparison.isDifferent)
        #expect(comparison.notes.first?.contains("the body on the right") == true && comparison.notes.first?.contains("line 1, column 9") == true)
        #expect(diff(comparison) == "- {\"a\": 1}\n+ {\"a\": 1,}\n")
    }

    @Test func `every line of JSON is new when the other side is empty`() throws {
        let comparison = try compare("", "{\"a\":[1]}", "application/json")
        #expect(diff(comparison) == "+ {\n+   \"a\": [\n+     1\n+   ]\n+ }\n")
    }

    @Test func `JSON beyond the nesting limit is compared as text`() throws {
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        #expect(try compare(deep, deep + " ").form == .text)
    }

    @Test func `values at the nesting limit are compared`() throws {
        func deep(_ value: Int) -> String { String(repeating: "[", count: 511) + "\(value)" + String(repeating: "]", count: 511) }
        #expect(try compare(deep(1), deep(2)).changes.count == 1)
    }

    @Test func `only the number is displayed for very many differences`() throws {
        let comparison = try compare("{}", "[\((0..<30_000).map(String.init).joined(separator: ","))]")
        #expect(comparison.lines.count == BodyComparison.lineLimit && comparison.addedCount == 30_002)
        #expect(comparison.notes == ["10003 more lines differ and are not shown."])
    }

    @Test func `large lists without common items are compared quickly`() throws {
        func list(_ start: Int) -> String { "[\((start..<start + 5000).map(String.init).joined(separator: ","))]" }
        #expect(try compare(list(0), list(1_000_000)).changes.count == BodyComparison.changeLimit)
    }

    // MARK: Text

    @Test func `text is compared line by line`() throws {
        let comparison = try compare("one\ntwo\nthree\n", "one\n2\nthree\nfour\n")
        #expect(comparison.form == .text)
        #expect(diff(comparison) == "  one\n- two\n+ 2\n  three\n+ four\n")
        #expect(comparison.lines.map(\.leftNumber) == [1, 2, nil, 3, nil] && comparison.lines.map(\.rightNumber) == [1, nil, 2, 3, 4])
    }

    @Test(arguments: [
        ("1e-9223372036854775808", "2e-9223372036854775808"), ("1e9223372036854775807", "1e-9223372036854775807"),
        ("1e99999999999999999999", "1e-99999999999999999999"), ("1e1099511627775", "0.1e1099511627775"),
    ])
    func `numbers with huge exponents are compared`(left: String, right: String) throws {
        #expect(try compare("[\(left)]", "[\(right)]").isDifferent)
        #expect(try !compare("[\(left)]", "[ \(left)]").isDifferent)
    }

    @Test func `lines far from a difference are folded and counted`() throws {
        let lines = (1...40).map { "line \($0)\n" }
        var others = lines
        others[19] = "other\n"
        let comparison = try compare(lines.joined(), others.joined())
        #expect(
            diff(comparison) == """
                @ 16
                  line 17
                  line 18
                  line 19
                - line 20
                + other
                  line 21
                  line 22
                  line 23
                @ 17

                """)
        #expect(comparison.lines.first { $0.kind == .removed }?.leftNumber == 20 && comparison.lines.last { $0.kind == .same }?.rightNumber == 23)
    }

    @Test(arguments: [("a\nb\n", "a\r\nb\r\n", "2 lines end"), ("a\nb", "a\nb\n", "1 line ends")])
    func `lines with different line endings are equal, and the difference is reported`(left: String, right: String, words: String) throws {
        let comparison = try compare(left, right)
        #expect(comparison.isDifferent && comparison.lines.isEmpty)
        #expect(comparison.notes.first?.hasPrefix(words) == true)
    }

    @Test(arguments: [
        ("", "a\nb\n", "+ a\n+ b\n"), ("a\n", "", "- a\n"), ("a\nb\nc\n", "c\n", "- a\n- b\n  c\n"), ("a\n", "a\na\n", "  a\n+ a\n"),
        ("a", "b", "- a\n+ b\n"), ("x\ny", "y", "- x\n  y\n"), ("\n\n", "\n", "  \n- \n"),
    ])
    func `texts with a common prefix or suffix are compared`(left: String, right: String, expected: String) throws {
        #expect(diff(try compare(left, right, "text/plain")) == expected)
    }

    @Test(arguments: [UInt64.random(in: 0...UInt64.max)]) func `every line of two shuffled texts is included once`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let left = (0..<Int.random(in: 0...30, using: &random)).map { _ in "\(Int.random(in: 0...5, using: &random))" }
            let right = (0..<Int.random(in: 0...30, using: &random)).map { _ in "\(Int.random(in: 0...5, using: &random))" }
            let comparison = try compare(left.map { $0 + "\n" }.joined(), right.map { $0 + "\n" }.joined(), "text/plain")
            guard left != right else { continue }
            #expect(whole(comparison, left, \.leftNumber) == left, "\(left) \(right)")
            #expect(whole(comparison, right, \.rightNumber) == right, "\(left) \(right)")
            #expect(left.count - comparison.removedCount == longestCommon(left, right), "\(left) \(right)")
        }
    }

    /// Reconstructs one side from its lines and, where they are folded, from its text.
    private func whole(_ comparison: BodyComparison, _ side: [String], _ number: (BodyComparison.Line) -> Int?) -> [String] {
        var made: [String] = []
        for line in comparison.lines {
            if case .folded(let count) = line.kind {
                made += side[made.count..<made.count + count]
            } else if let number = number(line) {
                made.append(number == made.count + 1 ? line.text : "wrong number")
            }
        }
        return made
    }

    private func longestCommon(_ left: [String], _ right: [String]) -> Int {
        var row = [Int](repeating: 0, count: right.count + 1)
        for item in left {
            var corner = 0
            for column in right.indices {
                let above = row[column + 1]
                row[column + 1] = item == right[column] ? corner + 1 : max(above, row[column])
                corner = above
            }
        }
        return row[right.count]
    }

    @Test func `a small difference in a large text is found`() throws {
        let half = String(repeating: "the same line again and again\n", count: 100_000)
        let comparison = try compare(half + "x\n" + half, half + "y\n" + half, "text/plain")
        #expect(comparison.removedCount == 1 && comparison.addedCount == 1)
        #expect(comparison.lines.first?.kind == .folded(99_997) && comparison.lines.last?.kind == .folded(99_997))
        #expect(comparison.lines.first { $0.kind == .removed }?.leftNumber == 100_001)
    }

    @Test func `texts with too many differences report where the differences begin`() throws {
        let left = "same\n" + String(repeating: "a\n", count: 300_000)
        let right = "same\n" + String(repeating: "b\n", count: 300_000)
        let comparison = try compare(left, right, "text/plain")
        #expect(comparison.isDifferent && comparison.notes.first?.hasPrefix("The first difference is in line 2 (byte 5)") == true)
        #expect(diff(comparison) == "- a\n+ b\n")
    }

    @Test func `long lines display the position of their difference`() throws {
        let start = String(repeating: "ü", count: 400)
        let (left, right) = ("a\n\(start)left\nb\n", "a\n\(start)right, longer\nb\n")
        let lines = try compare(left, right, "text/plain").lines.filter { $0.kind != .same }.map(\.text)
        #expect(lines.count == 2 && lines[0].hasPrefix("…ü") && lines[0].hasSuffix("üleft") && lines[1].hasSuffix("üright, longer"), "\(lines)")
    }

    @Test func `the same text in another encoding is reported as such`() throws {
        let text = "grüße"
        let latin = ComparedBody(BodyBytes([0x67, 0x72, 0xfc, 0xdf, 0x65]), contentType: "text/plain; charset=iso-8859-1")
        let utf8 = ComparedBody(BodyBytes(Array(text.utf8)), contentType: "text/plain; charset=utf-8")
        let comparison = BodyComparison(latin, utf8)
        #expect(comparison.isDifferent && comparison.notes == ["The text is equal; the bytes differ."])
    }

    // MARK: Bytes

    @Test func `binary bodies are compared up to the first different byte`() throws {
        let left = [UInt8](repeating: 0, count: 40)
        var right = left
        right[33] = 0x41
        let comparison = BodyComparison(ComparedBody(BodyBytes(left)), ComparedBody(BodyBytes(right)))
        #expect(comparison.form == .bytes && comparison.isDifferent)
        #expect(comparison.notes == ["The first difference is at byte 33, counted from 0: both have 40 bytes."])
        #expect(comparison.lines.map(\.kind) == [.folded(1), .same, .removed, .added])
        #expect(comparison.lines.last?.text.contains("00 41") == true)
    }

    @Test func `bytes of different length differ at the end of the shorter one`() throws {
        let comparison = BodyComparison(ComparedBody(BodyBytes([0, 1])), ComparedBody(BodyBytes([0, 1, 2])))
        #expect(comparison.notes == ["The first difference is at byte 2, counted from 0: 2 bytes on the left, 3 on the right."])
    }

    @Test(arguments: [[UInt8](), [0, 1, 2], Array("text".utf8), Array("{\"a\":1}".utf8), Array("{".utf8)])
    func `equal bytes of any kind are equal`(bytes: [UInt8]) {
        let comparison = BodyComparison(ComparedBody(BodyBytes(bytes), contentType: "application/json"), ComparedBody(BodyBytes(bytes)))
        #expect(!comparison.isDifferent && comparison.lines.isEmpty && comparison.notes.isEmpty)
    }

    @Test func `a missing body is compared by its size`() {
        let gone = ComparedBody(nil, size: 3, missing: "it was larger than what is kept")
        let same = BodyComparison(gone, ComparedBody(BodyBytes([1, 2, 3])))
        #expect(!same.isDifferent && same.isUnknown && same.form == .size)
        #expect(
            same.notes == [
                "The body on the left is missing: it was larger than what is kept.", "Only the sizes are compared: both have 3 bytes.",
                "The result of the comparison is unknown.",
            ])
        #expect(BodyComparison(ComparedBody(BodyBytes([1])), gone).isDifferent)
    }
}
