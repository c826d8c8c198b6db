internal import SortieTerminal

/// An editable text of several lines, with a cursor.
struct TextArea: Hashable, Sendable {
    /// The width of a tab in cells.
    static let tabWidth = 4

    private(set) var lines: [[Character]]
    private(set) var row = 0
    private(set) var column = 0

    init(_ text: String, row: Int = 0) {
        lines = TextArea.split(text)
        self.row = row.clamped(to: 0...lines.count - 1)
    }

    var text: String { lines.map { String($0) }.joined(separator: "\n") }

    mutating func insert(_ text: String) {
        let rest = Array(lines[row][column...])
        var added = TextArea.split(text)
        added[0] = Array(String(lines[row][..<column]) + String(added[0]))
        let endRow = row + added.count - 1
        let endColumn = added[added.count - 1].count
        added[added.count - 1] += rest
        lines.replaceSubrange(row...row, with: added)
        row = endRow
        column = min(endColumn, lines[row].count)
    }

    /// The indentation of a new line after the cursor in a block of YAML: that of the line, and two spaces more after a colon.
    var blockIndentation: String {
        let before = lines[row][..<column]
        return String(before.prefix { $0 == " " }) + (before.last == ":" ? "  " : "")
    }

    mutating func apply(_ edit: TextEdit) {
        switch edit {
        case .left where column == 0 && row > 0:
            row -= 1
            column = lines[row].count
        case .right where column == lines[row].count && row + 1 < lines.count:
            row += 1
            column = 0
        case .deleteBefore where column == 0 && row > 0:
            column = lines[row - 1].count
            lines[row - 1] += lines[row]
            lines.remove(at: row)
            row -= 1
        case .deleteAfter where column == lines[row].count && row + 1 < lines.count:
            lines[row] += lines[row + 1]
            lines.remove(at: row + 1)
        default:
            // Editing within a line is that of a text field, which is created for the one line.
            var field = TextField(line: lines[row], cursor: column)
            field.apply(edit)
            lines[row] = field.characters
            column = field.cursor
        }
    }

    /// Moves up (negative) or down (positive) by a number of rows.
    mutating func move(rows: Int) {
        row = (row + rows).clamped(to: 0...lines.count - 1)
        column = min(column, lines[row].count)
    }

    /// Moves the cursor to the character at a row and a cell.
    mutating func moveCursor(row newRow: Int, column cells: Int) {
        row = newRow.clamped(to: 0...lines.count - 1)
        var left = cells
        column = 0
        while column < lines[row].count, left >= TextArea.width(lines[row][column]) {
            left -= TextArea.width(lines[row][column])
            column += 1
        }
    }

    /// Draws the lines around the cursor, and positions the terminal's cursor.
    func draw(on canvas: inout Canvas, in rect: Rect, top: Int) {
        guard !rect.isEmpty else { return }
        var part = Canvas(size: rect.size)
        part.fill(part.bounds, style: .input)
        let cursorColumn = lines[row][..<column].reduce(0) { $0 + TextArea.width($1) }
        let left = max(0, cursorColumn - rect.width + 2)
        for offset in 0..<rect.height where top + offset < lines.count {
            let line = TextArea.expanded(lines[top + offset])
            part.write(line, at: Point(column: -left, row: offset), style: .input)
        }
        part.cursor = Point(column: cursorColumn - left, row: (row - top).clamped(to: 0...rect.height - 1))
        canvas.paste(part, at: rect.origin)
    }

    private static func width(_ character: Character) -> Int { character == "\t" ? tabWidth : CellWidth.width(of: character) }

    static func expanded(_ line: [Character]) -> String {
        line.reduce(into: "") { text, character in
            if character == "\t" { text += String(repeating: " ", count: tabWidth) } else { text.append(character) }
        }
    }

    private static func split(_ text: String) -> [[Character]] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { Array($0) }
    }
}

extension TextField {
    /// Creates a field for a line of a text area, without changing its characters.
    init(line: [Character], cursor: Int) {
        self.init()
        self.replace(line, cursor: cursor)
    }
}
