import BodyViews
import SortieTerminal
import Support
import Testing

@testable import SortieWorkbench

/// Tests many edits of a text of several lines against a model: an array of characters, and a list of its states for undo.
@Suite struct LongEditingTests {
    private static let pieces = ["a", "word", " ", "\n", "{\n}", "\"x\": 1,\n", "1, 2, 3", "[\n  1\n]\n", "\t", "é", "日本"]

    @Test func `random edits with undo and redo end in the text of the model`() throws {
        var random = SeededGenerator(seed: 40)
        var area = TextArea("")
        var model: [Character] = []
        var past: [[Character]] = []
        var undone: [[Character]] = []
        func offset(_ position: EditableText.Position) -> Int { area.lines.characters(before: position.row) + position.column }
        func randomPlace() -> EditableText.Position {
            let row = Int.random(in: 0..<area.lines.count, using: &random)
            return .init(row: row, column: Int.random(in: 0...area.lines[row].count, using: &random))
        }
        func change(_ range: Range<Int>, to text: String) {
            past.append(model)
            if past.count > TextHistory.limit { past.removeFirst() }
            undone = []
            model.replaceSubrange(range, with: text)
        }
        let steps = LongRun.isRequested ? 100_000 : 2_000
        for step in 1...steps {
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                area.apply(.undo)
                if let last = past.popLast() {
                    undone.append(model)
                    model = last
                }
            case 1:
                area.apply(.redo)
                if let next = undone.popLast() {
                    past.append(model)
                    model = next
                }
            case 2, 3:
                let start = randomPlace()
                area.place(start)
                area.apply(.select(model.count > 3000 ? .textEnd : .end))
                let end = area.content.cursor
                guard start != end else { continue }
                let range = offset(start)..<offset(end)
                area.apply(.deleteAfter)
                change(range, to: "")
            default:
                let place = randomPlace()
                let piece = Self.pieces.randomElement(using: &random) ?? ""
                area.place(place)
                let start = offset(place)
                area.insert(piece)
                change(start..<start, to: piece)
            }
            guard step % 200 == 0 || step == steps else { continue }
            try #require(Array(area.text) == model, "step \(step)")
            #expect(Array(area.lines) == area.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { Array($0) })
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>) func `everything that is typed in JSON is undone and redone`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var area = TextArea("[\n  1\n]")
        let start = area.text
        let keys: [TextChange] =
            ["{", "}", "[", "]", "\"", ",", "a", "1", " "].map { .insert($0) } + [
                .newLine, .newLine, .indent, .outdent, .edit(.deleteBefore), .edit(.deleteAfter), .edit(.left), .edit(.select(.up)),
            ]
        for _ in 0..<150 { if let key = keys.randomElement(using: &random) { area.apply(key, .json) } }
        let end = area.text
        for _ in 0..<200 { area.apply(.undo) }
        #expect(area.text == start)
        for _ in 0..<200 { area.apply(.redo) }
        #expect(area.text == end)
    }
}
