import SortieBase
import Support
import Testing

@testable import SortieWorkbench

/// Tests the check of JSON while it is typed.
@Suite struct JSONCheckTests {
    private static let member = #"  {"id": 12345, "name": "value of a member", "tags": ["one", "two"], "isOpen": true, "total": null},"#

    /// An array with a member on each line.
    private static func array(lines count: Int) -> String {
        "[\n" + [String](repeating: member, count: count).joined(separator: "\n") + "\n  1\n]"
    }

    private static let pieces = ["{", "}", "[", "]", "\"", ",", ":", "1", "\n", "\\", "true", " ", "{{a}}", "\"b\": 2,"]

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func `after random edits the mistake is that of the whole text`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var text = EditableText(Self.array(lines: 700), isSingleLine: false)
        var check = JSONCheck()
        for step in 0..<120 {
            let row = Int.random(in: 0..<text.lines.count, using: &random)
            text.place(.init(row: row, column: Int.random(in: 0...text.lines[row].count, using: &random)))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: text.apply(.deleteAfter)
            case 1, 2: text.apply(.undo)
            case 3: text.apply(.redo)
            default: text.insert(Self.pieces.randomElement(using: &random) ?? "")
            }
            let found = check.problem(in: text.lines, hasTemplates: false)
            let whole = JSONText.problem(in: text.text)
            #expect(found?.message == whole?.message && found?.line == whole?.line && found?.column == whole?.column, "seed \(seed), step \(step)")
        }
    }

    @Test func `a key in a text of 1 MB reads the lines around it only`() {
        var text = EditableText(Self.array(lines: 10_000), isSingleLine: false)
        #expect(text.lines.bytes > 1_000_000)
        var check = JSONCheck()
        var visited = 0
        repeat {
            _ = check.problem(in: text.lines, hasTemplates: true)
            visited += check.visitedBytes
            #expect(check.visitedBytes <= JSONCheck.budget + TextLines.chunkCharacters)
        } while check.visitedBytes > 0
        #expect(visited >= text.lines.bytes)
        for (row, typed) in [(1, "7"), (5000, "x"), (9999, "\n")] {
            text.place(.init(row: row, column: 9))
            text.insert(typed)
            _ = check.problem(in: text.lines, hasTemplates: true)
            #expect(check.visitedBytes > 0 && check.visitedBytes <= 4 * TextLines.chunkCharacters)
            text.apply(.undo)
            _ = check.problem(in: text.lines, hasTemplates: true)
            #expect(check.visitedBytes <= 4 * TextLines.chunkCharacters)
        }
    }

    @Test func `a mistake far below is found by the following checks`() {
        let text = EditableText(Self.array(lines: 10_000) + "]", isSingleLine: false)
        var check = JSONCheck()
        #expect(check.problem(in: text.lines, hasTemplates: true) == nil)
        var found: BodyProblem?
        for _ in 0..<8 where found == nil { found = check.problem(in: text.lines, hasTemplates: true) }
        #expect(found?.line == 10_003 && found?.column == 2 && found?.message == "not JSON: unexpected ']', expected the end of the text")
    }
}
