internal import SortieTerminal

/// An editable text of several lines.
struct TextArea: Hashable, Sendable {
    private(set) var content: EditableText
    /// The first visible row; nil before the text was scrolled.
    private var top: Int?

    /// Creates an area with the cursor at the start of a row.
    init(_ text: String, row: Int = 0) {
        content = EditableText(text, isSingleLine: false, row: row)
    }

    var text: String { content.text }
    var row: Int { content.cursor.row }
    var column: Int { content.cursor.column }
    var lines: TextLines { content.lines }

    /// Inserts text at the cursor, in place of the selection.
    mutating func insert(_ text: String) { content.insert(text) }

    /// The indentation of a new line after the cursor in a block of YAML: that of the line, and two spaces more after a colon.
    var blockIndentation: String {
        let before = lines[row][..<column]
        return String(before.prefix { $0 == " " }) + (before.last == ":" ? "  " : "")
    }

    mutating func apply(_ edit: TextEdit) { content.apply(edit) }

    mutating func apply(_ change: TextChange) {
        guard case .point(let point) = change else { return content.apply(change) }
        let row = (top(height: point.size.height) + point.point.row).clamped(to: 0...lines.count - 1)
        let column = window(ofRow: row, width: point.size.width).index(at: point.point.column, in: lines[row])
        switch point.action {
        case .move, .select: content.place(.init(row: row, column: column), selects: point.action == .select)
        case .selectWord: content.selectWord(at: .init(row: row, column: column))
        }
    }

    /// Moves up (negative) or down (positive) by a number of rows.
    mutating func move(rows: Int) { content.move(rows: rows) }

    /// Scrolls as far as necessary to show the cursor in an area of this height.
    mutating func scroll(height: Int) { top = top(height: height) }

    /// The first visible row in an area of this height.
    private func top(height: Int) -> Int {
        Window.top(top ?? row - height * 2 / 3, showing: row, count: lines.count, height: height)
    }

    /// Draws the lines around the cursor, and positions the terminal's cursor.
    func draw(on canvas: inout Canvas, in rect: Rect) {
        guard !rect.isEmpty else { return }
        canvas.fill(rect, style: .input)
        let top = top(height: rect.height)
        for row in top..<min(lines.count, top + rect.height) {
            window(ofRow: row, width: rect.width).draw(
                lines[row], selected: content.selectedColumns(ofRow: row), on: &canvas, at: rect.origin.moved(rows: row - top), width: rect.width)
        }
        let column = window(ofRow: row, width: rect.width).column(of: column, in: lines[row])
        canvas.cursor = rect.origin.moved(columns: min(column, rect.width - 1), rows: (row - top).clamped(to: 0...rect.height - 1))
        canvas.editedArea = rect
    }

    /// The visible part of a row: only the row of the cursor is scrolled.
    private func window(ofRow row: Int, width: Int) -> TextWindow {
        let cell = row == self.row ? content.cells(before: content.cursor) : 0
        return TextWindow(lines[row], showing: cell, width: width, hasCursor: row == self.row)
    }

    /// A line with its tabs expanded.
    static func expanded(_ line: String) -> String { line.replacing("\t", with: String(repeating: " ", count: EditableText.tabWidth)) }
}
