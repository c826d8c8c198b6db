internal import SortieTerminal

/// An editable line of text.
struct TextField: Hashable, Sendable {
    private(set) var content: EditableText

    /// Creates a field with the cursor after the text, or after a number of its characters.
    init(_ text: String = "", cursor: Int? = nil) {
        content = EditableText(text, isSingleLine: true)
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
