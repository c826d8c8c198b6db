internal import SortieTerminal

/// An editable line of text.
struct TextField: Hashable, Sendable {
    private(set) var content: EditableText

    /// Creates a field with the cursor after the text, or after a number of its characters.
    ///
    /// - Parameter keepsLineBreaks: Whether a pasted text keeps its line breaks, such as a key in PEM; those of `text` stay in any case.
    init(_ text: String = "", cursor: Int? = nil, keepsLineBreaks: Bool = false) {
        content = EditableText(text, isSingleLine: true, keepsLineBreaks: keepsLineBreaks)
        if let cursor { content.place(.init(column: cursor)) }
    }

    var text: String { content.text }
    var isEmpty: Bool { content.isEmpty }
    /// The number of characters before the cursor.
    var cursor: Int { content.cursor.column }

    /// Inserts text at the cursor, in place of the selection.
    mutating func insert(_ text: String) { content.insert(text) }

    mutating func apply(_ edit: TextEdit) { content.apply(edit) }

    mutating func apply(_ change: TextChange) {
        guard case .point(let point) = change else { return content.apply(change) }
        let line = content.lines[0]
        let position = EditableText.Position(column: window(width: point.size.width).index(at: point.point.column, in: line))
        switch point.action {
        case .move, .select: content.place(position, selects: point.action == .select)
        case .selectWord: content.selectWord(at: position)
        }
    }

    /// Draws the part around the cursor, and positions the terminal's cursor.
    func draw(on canvas: inout Canvas, at point: Point, width: Int, placeholder: String = "", isMasked: Bool = false) {
        guard width > 0 else { return }
        if isMasked {
            // One dot for each character, because the number of characters is no secret to the user.
            var dots = self
            dots.content = content.masked
            return dots.draw(on: &canvas, at: point, width: width, placeholder: placeholder)
        }
        let area = Rect(column: point.column, row: point.row, width: width, height: 1)
        canvas.fill(area, style: .input)
        if isEmpty { canvas.write(CellWidth.truncated(placeholder, to: width), at: point, style: .placeholder, width: width) }
        let window = window(width: width)
        let line = content.lines[0]
        window.draw(line, selected: content.selectedColumns(ofRow: 0), on: &canvas, at: point, width: width)
        canvas.cursor = point.moved(columns: min(window.column(of: cursor, in: line), width - 1))
        canvas.editedArea = area
    }

    private func window(width: Int) -> TextWindow {
        TextWindow(content.lines[0], showing: content.cells(before: content.cursor), width: width)
    }
}

/// A change of a text by a key, a paste, the mouse or a completion.
enum TextChange: Hashable, Sendable {
    case insert(String)
    /// Enter in a text of several lines.
    case newLine
    /// Tab in a text of several lines: indents the selected lines, or inserts blanks.
    case indent
    /// Shift-Tab in a text of several lines.
    case outdent
    case edit(TextEdit)
    case point(TextPoint)
    case replace(TextReplacement)
    /// Replaces the whole text as one step, for a text from the user's editor.
    case replaceAll(String)
    /// A key of vi in a text of several lines, with the text that it may put.
    case vi(Character, register: String)

    /// The kind of a change, which determines the undo step it belongs to.
    enum Kind: Hashable, Sendable {
        case word, space, deletion, other

        /// Whether a change continues the undo step of the previous change: words with the space before them, deletions.
        func continues(_ last: Kind?) -> Bool {
            switch (last, self) {
            case (.word, .word), (.space, .space), (.space, .word), (.deletion, .deletion): true
            default: false
            }
        }
    }

    var kind: Kind {
        switch self {
        case .insert(let text) where text.count > 1: .other
        case .insert(let text): text.allSatisfy(\.isWhitespace) ? .space : .word
        case .newLine: .space
        case .edit(.deleteBefore), .edit(.deleteAfter): .deletion
        case .indent, .outdent, .edit, .point, .replace, .replaceAll, .vi: .other
        }
    }
}

/// A press or a drag of the mouse in a text.
struct TextPoint: Hashable, Sendable {
    enum Gesture: Hashable, Sendable {
        case move, select, selectWord
    }

    /// The cell within the drawn area.
    var point: Point
    /// The size of the drawn area.
    var size: Size
    var action: Gesture
}

/// A replacement of the text around the cursor.
struct TextReplacement: Hashable, Sendable {
    /// The number of characters before the cursor that are replaced.
    var before: Int
    /// The number of characters after the cursor that are replaced.
    var after = 0
    var text: String
    /// The number of characters of ``text`` after which the cursor is placed; nil for its end.
    var cursor: Int?
}

/// A movement of the cursor in a text.
enum TextMovement: Hashable, Sendable, CaseIterable {
    case left, right, wordLeft, wordRight, start, end, up, down, textStart, textEnd
}

/// An editing command of a text.
enum TextEdit: Hashable, Sendable {
    case move(TextMovement)
    /// Moves the cursor and selects up to it.
    case select(TextMovement)
    case selectAll
    case deleteBefore, deleteAfter, deleteWordBefore, deleteWordAfter, deleteToStart, deleteToEnd
    case undo, redo

    static let left = TextEdit.move(.left)
    static let right = TextEdit.move(.right)
    static let wordLeft = TextEdit.move(.wordLeft)
    static let wordRight = TextEdit.move(.wordRight)
    static let start = TextEdit.move(.start)
    static let end = TextEdit.move(.end)
}
