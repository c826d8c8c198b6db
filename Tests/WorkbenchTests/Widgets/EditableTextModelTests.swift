import SortieTerminal
import Support
import Testing

@testable import SortieWorkbench

/// Compares random edits with a model: one array of graphemes, a cursor, an anchor, and a list of states for undo.
@Suite struct EditableTextModelTests {
    /// A text without lines: positions are indices into an array of graphemes.
    private struct Model {
        var graphemes: [Character] = []
        var cursor = 0
        var anchor: Int?
        let isSingleLine: Bool
        var past: [(graphemes: [Character], cursor: Int)] = []
        var undone: [(graphemes: [Character], cursor: Int)] = []
        var last: TextChange.Kind?

        var selection: Range<Int>? { anchor.flatMap { $0 == cursor ? nil : min($0, cursor)..<max($0, cursor) } }
        var lineStart: Int { graphemes[..<cursor].lastIndex(of: "\n").map { $0 + 1 } ?? 0 }
        var lineEnd: Int { graphemes[cursor...].firstIndex(of: "\n") ?? graphemes.count }
        var wordStart: Int {
            var index = cursor
            while index > 0, !isWord(index - 1) { index -= 1 }
            while index > 0, isWord(index - 1) { index -= 1 }
            return index
        }
        var wordEnd: Int {
            var index = cursor
            while index < graphemes.count, !isWord(index) { index += 1 }
            while index < graphemes.count, isWord(index) { index += 1 }
            return index
        }

        private func isWord(_ index: Int) -> Bool { graphemes[index].isLetter || graphemes[index].isNumber || graphemes[index] == "_" }

        mutating func insert(_ text: String, kind: TextChange.Kind) {
            let text = isSingleLine ? String(text.map { $0 == "\n" ? " " : $0 }) : text
            replace(selection ?? cursor..<cursor, with: text, kind: selection == nil ? kind : .other)
        }

        mutating func replace(_ range: Range<Int>, with text: String, kind: TextChange.Kind) {
            guard !range.isEmpty || !text.isEmpty else { return }
            if past.isEmpty || !kind.continues(last) { past.append((graphemes, cursor)) }
            undone = []
            last = kind
            let head = String(graphemes[..<range.lowerBound]) + text
            let all = head + String(graphemes[range.upperBound...])
            graphemes = Array(all)
            cursor = min(head.count, graphemes.count)
            anchor = nil
        }

        mutating func place(_ index: Int, selects: Bool) {
            anchor = selects ? anchor ?? cursor : nil
            cursor = index
            last = nil
        }

        mutating func apply(_ edit: TextEdit) {
            switch edit {
            case .move(let movement):
                if let selection, movement == .left || movement == .right {
                    place(movement == .left ? selection.lowerBound : selection.upperBound, selects: false)
                } else {
                    place(target(of: movement), selects: false)
                }
            case .select(let movement): place(target(of: movement), selects: true)
            case .selectAll:
                place(graphemes.count, selects: false)
                anchor = 0
            case .undo:
                last = nil
                guard let state = past.popLast() else { return }
                undone.append((graphemes, cursor))
                (graphemes, cursor, anchor) = (state.graphemes, state.cursor, nil)
            case .redo:
                last = nil
                guard let state = undone.popLast() else { return }
                past.append((graphemes, cursor))
                (graphemes, cursor, anchor) = (state.graphemes, state.cursor, nil)
            case .deleteBefore: delete(max(0, cursor - 1)..<cursor, .deletion)
            case .deleteAfter: delete(cursor..<min(graphemes.count, cursor + 1), .deletion)
            case .deleteWordBefore: delete((cursor == lineStart ? max(0, cursor - 1) : max(lineStart, wordStart))..<cursor, .other)
            case .deleteWordAfter: delete(cursor..<(cursor == lineEnd ? min(graphemes.count, cursor + 1) : min(lineEnd, wordEnd)), .other)
            case .deleteToStart: delete(lineStart..<cursor, .other)
            case .deleteToEnd: delete(cursor..<(cursor == lineEnd ? min(graphemes.count, cursor + 1) : lineEnd), .other)
            }
        }

        private mutating func delete(_ range: Range<Int>, _ kind: TextChange.Kind) {
            replace(selection ?? range, with: "", kind: selection == nil ? kind : .other)
        }

        private func target(of movement: TextMovement) -> Int {
            switch movement {
            case .left: max(0, cursor - 1)
            case .right: min(graphemes.count, cursor + 1)
            case .wordLeft: wordStart
            case .wordRight: wordEnd
            case .start: lineStart
            case .end: lineEnd
            case .textStart: 0
            case .textEnd: graphemes.count
            case .up, .down: cursor
            }
        }
    }

    /// Characters that join with others, wide ones, words and line breaks.
    private static let pieces = [
        "a", "b", "Z", "9", "_", " ", "-", "{", "é", "e", "\u{301}", "日", "本", "👩", "\u{200D}", "👧", "🇩", "🇪", "🇫", "\u{FE0F}", "❤", "\n", "\n",
        "क", "\u{94D}", "ष", "한", "\u{1112}", "\u{1161}", "one two", "x\ny", "👩‍👩‍👧", "",
    ]

    private static let movements: [TextMovement] = [.left, .right, .wordLeft, .wordRight, .start, .end, .textStart, .textEnd]

    private static let edits: [TextEdit] =
        movements.map { .move($0) } + movements.map { .select($0) } + [
            .selectAll, .undo, .undo, .redo, .deleteBefore, .deleteBefore, .deleteAfter, .deleteWordBefore, .deleteWordAfter, .deleteToStart,
            .deleteToEnd,
        ]

    @Test(arguments: 1...24 as ClosedRange<UInt64>) func `random edits have the text, cursor, selection and undo steps of the model`(seed: UInt64) {
        for isSingleLine in [true, false] {
            var random = SeededGenerator(seed: seed)
            var text = EditableText("", isSingleLine: isSingleLine)
            var model = Model(isSingleLine: isSingleLine)
            for step in 0..<400 {
                if Bool.random(using: &random), let piece = Self.pieces.randomElement(using: &random) {
                    let change = TextChange.insert(piece)
                    // The line breaks at the end of a paste are dropped; another test has that.
                    if isSingleLine, piece.count > 1, piece.hasSuffix("\n") { continue }
                    text.apply(change)
                    model.insert(piece, kind: change.kind)
                } else if let edit = Self.edits.randomElement(using: &random) {
                    text.apply(edit)
                    model.apply(edit)
                }
                let comment = Comment(rawValue: "seed \(seed), step \(step)")
                #expect(Array(text.text) == model.graphemes, comment)
                #expect(text.lines.flatMap { $0 + ["\n"] }.dropLast() == model.graphemes[...], comment)
                #expect(offset(of: text.cursor, in: text) == model.cursor, comment)
                #expect(text.selection.map { offset(of: $0.lowerBound, in: text)..<offset(of: $0.upperBound, in: text) } == model.selection, comment)
                #expect(text.selectedText == model.selection.map { String(model.graphemes[$0]) } ?? "", comment)
                guard Array(text.text) == model.graphemes, offset(of: text.cursor, in: text) == model.cursor else { return }
            }
        }
    }

    private func offset(of position: EditableText.Position, in text: EditableText) -> Int {
        text.lines[..<position.row].reduce(0) { $0 + $1.count + 1 } + position.column
    }
}
