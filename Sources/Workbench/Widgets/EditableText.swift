internal import SortieBase
internal import SortieTerminal

/// The content of a text field or a text area: lines of graphemes, the cursor, the selection, and the undo steps.
struct EditableText: Hashable, Sendable {
    /// A position between two characters.
    struct Position: Hashable, Sendable, Comparable {
        var row = 0
        /// The number of characters before the position in its line.
        var column = 0

        static func < (left: Position, right: Position) -> Bool { (left.row, left.column) < (right.row, right.column) }
    }

    /// The width of a tab in cells.
    static let tabWidth = 4

    private(set) var lines: TextLines
    private(set) var cursor: Position
    /// The end of the selection that is not the cursor.
    private(set) var anchor: Position?
    /// Whether the text is one line, in which line breaks are characters like others.
    let isSingleLine: Bool
    /// The line break of all lines; nil where the text has several kinds, whose carriage returns are characters of their lines.
    private let lineBreak: Character?
    /// Whether line breaks and tabs that are inserted into a single line stay; otherwise they become spaces.
    let keepsLineBreaks: Bool
    /// The cell that vertical movements keep across shorter lines.
    private var goal: Int?
    private var history = TextHistory()
    /// The closing characters after the cursor that were inserted with their opening ones, the next one last.
    private(set) var closers: [Character] = []
    /// The end tag before the cursor that was completed last; nil after other changes and movements.
    var completedEndTag: EndTag?

    /// Creates a text with the cursor at its end, or at the start of a row.
    ///
    /// A single line with line breaks or tabs keeps inserted ones, too.
    init(_ text: String, isSingleLine: Bool, keepsLineBreaks: Bool = false, row: Int? = nil) {
        self.isSingleLine = isSingleLine
        self.keepsLineBreaks = !isSingleLine || keepsLineBreaks || text.contains { $0.isNewline || $0 == "\t" }
        lineBreak = isSingleLine ? "\n" : text.lineBreak
        lines = TextLines(isSingleLine ? [Array(text)] : text.editedLines.map(Array.init))
        let last = lines.count - 1
        cursor = row.map { Position(row: $0.clamped(to: 0...last)) } ?? Position(row: last, column: lines[last].count)
    }

    /// The text with the line breaks that it had.
    var text: String { lines.text.withLineBreaks(lineBreak ?? "\n") }
    var isEmpty: Bool { lines.count == 1 && lines[0].isEmpty }
    var end: Position { Position(row: lines.count - 1, column: lines[lines.count - 1].count) }

    /// The selected range; nil when nothing is selected.
    var selection: Range<Position>? {
        guard let anchor, anchor != cursor else { return nil }
        return min(anchor, cursor)..<max(anchor, cursor)
    }

    /// The selected text; empty when nothing is selected.
    var selectedText: String { selection.map { text(in: $0) } ?? "" }

    /// The same text, cursor and selection with every character replaced by a dot.
    var masked: EditableText {
        var copy = EditableText("", isSingleLine: isSingleLine)
        copy.lines = TextLines(lines.map { $0.map { _ in "•" } })
        (copy.cursor, copy.anchor) = (cursor, anchor)
        return copy
    }

    /// The text in a range.
    func text(in range: Range<Position>) -> String {
        let (first, last) = (range.lowerBound, range.upperBound)
        guard first.row < last.row else { return String(lines[first.row][first.column..<last.column]) }
        let between = lines[(first.row + 1)..<last.row].map { String($0) }
        return ([String(lines[first.row][first.column...])] + between + [String(lines[last.row][..<last.column])]).joined(separator: "\n")
    }

    // MARK: Changing

    mutating func apply(_ change: TextChange) {
        switch change {
        case .insert(let text): insert(text, kind: change.kind)
        case .newLine: if !isSingleLine { insert("\n", kind: change.kind) }
        case .indent: if !isSingleLine { indent() }
        case .outdent: if !isSingleLine { outdent() }
        case .edit(let edit): apply(edit)
        case .replace(let replacement): replace(replacement)
        case .replaceAll(let text): replace(Position()..<end, with: insertable(text), kind: .other)
        case .point, .vi: break
        }
    }

    /// Inserts a text in place of the selection.
    ///
    /// In a single line the line breaks at the end of a pasted text are dropped.
    mutating func insert(_ text: String, kind: TextChange.Kind = .other) {
        var text = text
        if isSingleLine { while text.count > 1, text.last?.isNewline == true { text.removeLast() } }
        replace(selection ?? cursor..<cursor, with: insertable(text), kind: selection == nil ? kind : .other)
    }

    /// Inserts a text in place of the selection, with the cursor before its tail.
    ///
    /// - Parameter close: The closing character that the tail consists of, which typing it passes.
    mutating func insert(_ text: String, before tail: String, kind: TextChange.Kind, closes close: Character? = nil) {
        let start = (selection ?? cursor..<cursor).lowerBound
        let kept = selection == nil ? closers : []
        replace(selection ?? cursor..<cursor, with: text + tail, kind: kind)
        let head = split(text)
        let last = head[head.count - 1].count
        cursor = Position(row: start.row + head.count - 1, column: head.count == 1 ? start.column + last : last)
        if let close { closers = kept + [close] }
    }

    /// Inserts a text within a line, before the closing characters that can be typed over.
    mutating func insertBetweenClosers(_ text: String, kind: TextChange.Kind) {
        let kept = selection == nil ? closers : []
        insert(text, kind: kind)
        closers = kept
    }

    /// Moves over the closing character after the cursor.
    mutating func passCloser() {
        closers.removeLast()
        cursor.column += 1
        goal = nil
    }

    /// Restores the closing characters after a change that has left them behind the cursor.
    mutating func keepClosers(_ closers: [Character]) { self.closers = closers }

    mutating func apply(_ edit: TextEdit) {
        switch edit {
        case .move(let movement):
            if let selection, movement == .left || movement == .right {
                place(movement == .left ? selection.lowerBound : selection.upperBound)
            } else {
                move(movement, selects: false)
            }
        case .select(let movement): move(movement, selects: true)
        case .selectAll:
            place(end)
            anchor = Position()
        case .undo: if let moment = history.undo(from: moment) { restore(moment) }
        case .redo: if let moment = history.redo(from: moment) { restore(moment) }
        case .deleteBefore, .deleteAfter, .deleteWordBefore, .deleteWordAfter, .deleteToStart, .deleteToEnd:
            let kind: TextChange.Kind = selection == nil ? TextChange.edit(edit).kind : .other
            guard let range = range(deletedBy: edit) else { break }
            // A character before the cursor is not one of those behind it.
            let kept = edit == .deleteBefore && selection == nil && range.lowerBound.row == cursor.row ? closers : []
            replace(range, with: "", kind: kind)
            closers = kept
        }
    }

    /// The text that a command deletes and that can be inserted again; nil for single characters and other commands.
    func text(cutBy edit: TextEdit) -> String? {
        switch edit {
        case .deleteWordBefore, .deleteWordAfter, .deleteToStart, .deleteToEnd: range(deletedBy: edit).map { text(in: $0) }
        default: nil
        }
    }

    /// Places the cursor, and selects up to it.
    mutating func place(_ position: Position, selects: Bool = false) {
        anchor = selects ? anchor ?? cursor : nil
        let row = position.row.clamped(to: 0...lines.count - 1)
        cursor = Position(row: row, column: position.column.clamped(to: 0...lines[row].count))
        goal = nil
        closers = []
        completedEndTag = nil
        history.endStep()
    }

    /// Selects the word at a position.
    mutating func selectWord(at position: Position) {
        place(position)
        let line = lines[cursor.row]
        var (first, last) = (cursor.column, cursor.column)
        while first > 0, line[first - 1].isWordCharacter { first -= 1 }
        while last < line.count, line[last].isWordCharacter { last += 1 }
        anchor = Position(row: cursor.row, column: first)
        cursor.column = last
    }

    /// Moves up (negative) or down (positive) by a number of rows, to the same cell where the line is long enough.
    ///
    /// In the first and the last row the cursor moves to the start and the end.
    mutating func move(rows: Int, selects: Bool = false) {
        let wanted = goal ?? cells(before: cursor)
        let row = (cursor.row + rows).clamped(to: 0...lines.count - 1)
        if row == cursor.row {
            if rows != 0 { place(rows < 0 ? Position() : end, selects: selects) }
            return
        }
        place(Position(row: row, column: column(atCell: wanted, inRow: row)), selects: selects)
        goal = wanted
    }

    private mutating func move(_ movement: TextMovement, selects: Bool) {
        switch movement {
        case .left: place(before(cursor) ?? cursor, selects: selects)
        case .right: place(after(cursor) ?? cursor, selects: selects)
        case .wordLeft: place(wordStart, selects: selects)
        case .wordRight: place(wordEnd, selects: selects)
        case .start: place(Position(row: cursor.row), selects: selects)
        case .end: place(Position(row: cursor.row, column: lines[cursor.row].count), selects: selects)
        case .up: move(rows: -1, selects: selects)
        case .down: move(rows: 1, selects: selects)
        case .textStart: place(Position(), selects: selects)
        case .textEnd: place(end, selects: selects)
        }
    }

    private mutating func replace(_ replacement: TextReplacement) {
        let line = lines[cursor.row]
        let first = Position(row: cursor.row, column: max(0, cursor.column - replacement.before))
        let last = Position(row: cursor.row, column: min(line.count, cursor.column + replacement.after))
        var kept = closers
        for column in cursor.column..<last.column where line[column] == kept.last { kept.removeLast() }
        replace(first..<last, with: insertable(replacement.text), kind: .other)
        closers = kept
        guard let cursor = replacement.cursor else { return }
        let back = max(0, replacement.text.count - cursor)
        self.cursor.column = max(0, self.cursor.column - back)
    }

    /// Replaces a range as a part of an undo step, and places the cursor after the new text.
    mutating func replace(_ range: Range<Position>, with text: String, kind: TextChange.Kind) {
        guard !range.isEmpty || !text.isEmpty else { return }
        history.begin(kind, from: moment)
        let (first, last) = (range.lowerBound, range.upperBound)
        let tail = Array(lines[last.row][last.column...])
        var added = split(text)
        added[0] = Self.joined(Array(lines[first.row][..<first.column]), added[0])
        let end = added.count - 1
        let count = added[end].count
        added[end] = Self.joined(added[end], tail)
        // Where the new text and the tail form one grapheme, the cursor is after it.
        cursor = Position(row: first.row + end, column: min(count, added[end].count))
        lines.replace(first.row...last.row, with: added)
        anchor = nil
        goal = nil
        closers = []
        completedEndTag = nil
    }

    private var moment: TextHistory.Moment { .init(lines: lines, cursor: cursor) }

    private mutating func restore(_ moment: TextHistory.Moment) {
        (lines, cursor, anchor, goal, closers) = (moment.lines, moment.cursor, nil, nil, [])
        completedEndTag = nil
    }

    // MARK: Positions

    /// The position of the character before; nil at the start of the text.
    func before(_ position: Position) -> Position? {
        if position.column > 0 { return Position(row: position.row, column: position.column - 1) }
        return position.row > 0 ? Position(row: position.row - 1, column: lines[position.row - 1].count) : nil
    }

    /// The position behind the next character, or at the start of the next line; nil at the end of the text.
    func after(_ position: Position) -> Position? {
        if position.column < lines[position.row].count { return Position(row: position.row, column: position.column + 1) }
        return position.row + 1 < lines.count ? Position(row: position.row + 1) : nil
    }

    private func isWord(before position: Position) -> Bool {
        position.column > 0 && lines[position.row][position.column - 1].isWordCharacter
    }

    private func isWord(after position: Position) -> Bool {
        position.column < lines[position.row].count && lines[position.row][position.column].isWordCharacter
    }

    private var wordStart: Position {
        var position = cursor
        while !isWord(before: position), let next = before(position) { position = next }
        while isWord(before: position), let next = before(position) { position = next }
        return position
    }

    private var wordEnd: Position {
        var position = cursor
        while !isWord(after: position), let next = after(position) { position = next }
        while isWord(after: position), let next = after(position) { position = next }
        return position
    }

    /// The range that a command deletes: the selection, or up to the end of a line, or a line break at that end.
    private func range(deletedBy edit: TextEdit) -> Range<Position>? {
        if let selection { return selection }
        let start = Position(row: cursor.row)
        let end = Position(row: cursor.row, column: lines[cursor.row].count)
        switch edit {
        case .deleteBefore: return before(cursor).map { $0..<cursor }
        case .deleteAfter: return after(cursor).map { cursor..<$0 }
        case .deleteWordBefore: return cursor == start ? before(cursor).map { $0..<cursor } : max(wordStart, start)..<cursor
        case .deleteWordAfter: return cursor == end ? after(cursor).map { cursor..<$0 } : cursor..<min(wordEnd, end)
        case .deleteToStart: return start..<cursor
        case .deleteToEnd: return cursor == end ? after(cursor).map { cursor..<$0 } : cursor..<end
        case .move, .select, .selectAll, .undo, .redo: return nil
        }
    }

    // MARK: Cells

    /// The width of a character in cells.
    static func width(of character: Character) -> Int { character == "\t" ? tabWidth : CellWidth.width(of: character) }

    /// The number of cells before a position in its line.
    func cells(before position: Position) -> Int {
        lines[position.row][..<position.column].reduce(0) { $0 + Self.width(of: $1) }
    }

    /// The column of the character at a cell of a row.
    func column(atCell cell: Int, inRow row: Int) -> Int {
        var left = cell
        var column = 0
        while column < lines[row].count, left >= Self.width(of: lines[row][column]) {
            left -= Self.width(of: lines[row][column])
            column += 1
        }
        return column
    }

    // MARK: Graphemes

    /// The lines of an inserted text; at least one.
    private func split(_ text: String) -> [[Character]] {
        if isSingleLine { return [Array(text)] }
        // Its line breaks become those of the text, where all of these are the same.
        let parts = lineBreak == nil ? text.editedLines : text.split(omittingEmptySubsequences: false, whereSeparator: \.isLineBreak)
        return parts.map(Array.init)
    }

    private func insertable(_ text: String) -> String {
        keepsLineBreaks ? text : String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }

    /// Joins two parts of a line; scalars that form one grapheme become one character.
    private static func joined(_ head: [Character], _ tail: [Character]) -> [Character] {
        guard let last = head.last, let first = tail.first, last.utf8.count > 1 || first.utf8.count > 1 else { return head + tail }
        return Array(String(head) + String(tail))
    }
}

extension Character {
    /// Whether the character belongs to a word.
    var isWordCharacter: Bool { isLetter || isNumber || self == "_" }
}

/// The undo steps of a text; a step is a word, a row of deletions, or another single change.
struct TextHistory: Hashable, Sendable {
    /// A content of the text with its cursor.
    struct Moment: Hashable, Sendable {
        var lines: TextLines
        var cursor: EditableText.Position
    }

    /// The maximum number of steps.
    static let limit = 200

    private var past: [Moment] = []
    private var undone: [Moment] = []
    private var last: TextChange.Kind?

    /// Begins a step before a change, unless the change continues the last step.
    mutating func begin(_ kind: TextChange.Kind, from moment: Moment) {
        if past.isEmpty || !kind.continues(last) { past.append(moment) }
        if past.count > Self.limit { past.removeFirst() }
        undone = []
        last = kind
    }

    /// Ends the step, because the cursor was moved.
    mutating func endStep() { last = nil }

    /// The content before the last step; nil when there is none.
    mutating func undo(from moment: Moment) -> Moment? {
        last = nil
        guard let before = past.popLast() else { return nil }
        undone.append(moment)
        return before
    }

    /// The content after the step that was undone last; nil when there is none.
    mutating func redo(from moment: Moment) -> Moment? {
        last = nil
        guard let after = undone.popLast() else { return nil }
        past.append(moment)
        return after
    }
}
