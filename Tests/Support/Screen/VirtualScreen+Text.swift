extension VirtualScreen {
    /// How many rows there are.
    public var rowCount: Int { cells.count }

    /// The row's text without the blanks at its end; empty for a row that does not exist.
    public func row(_ number: Int) -> String { row(number, columns: 0..<columns) }

    /// The text of some of the row's columns, without the blanks at its end.
    public func row(_ number: Int, columns range: Range<Int>) -> String {
        guard cells.indices.contains(number) else { return "" }
        let text = cells[number][range.clamped(to: 0..<columns)].map { $0.width == 0 ? "" : $0.text.isEmpty ? " " : $0.text }
        return String(text.joined().reversed().drop { $0 == " " }.reversed())
    }

    /// All rows' texts.
    public var rows: [String] { (0..<rowCount).map { row($0) } }

    /// The rows joined by line feeds, without the empty rows at the end.
    public var text: String {
        let rows = self.rows
        guard let last = rows.lastIndex(where: { !$0.isEmpty }) else { return "" }
        return rows[...last].joined(separator: "\n")
    }

    /// Whether a row has this text; a text with line feeds must stand in rows below each other.
    public func contains(_ text: String) -> Bool { text.contains("\n") ? self.text.contains(text) : position(of: text) != nil }

    /// The cell where this text starts, the first from the top; nil where it is not on the screen.
    public func position(of text: String) -> Position? {
        for number in 0..<rowCount {
            guard let found = row(number).firstRange(of: text) else { continue }
            var rest = row(number)[..<found.lowerBound].unicodeScalars.count
            for (column, cell) in cells[number].enumerated() where cell.width > 0 {
                if rest <= 0 { return Position(row: number, column: column) }
                rest -= max(1, cell.text.unicodeScalars.count)
            }
        }
        return nil
    }

    /// The cell in that row and column, nil outside the screen.
    public func cell(row: Int, column: Int) -> ScreenCell? {
        cells.indices.contains(row) && cells[row].indices.contains(column) ? cells[row][column] : nil
    }

    /// How the first cell of this text looks; nil where the text is not on the screen.
    public func style(of text: String) -> CellStyle? {
        position(of: text).flatMap { cell(row: $0.row, column: $0.column)?.style }
    }

    /// Where the cursor is.
    public var cursor: Position { pen.position }
    /// Whether the cursor is shown.
    public var isCursorVisible: Bool { modes.contains(25) }
    /// Whether the screen is the one full-screen programs use, and give back.
    public var isInAlternateScreen: Bool { mainCells != nil }
    /// Whether the program wants the mouse reported (modes 1000, 1002, 1003).
    public var isMouseReported: Bool { !modes.isDisjoint(with: [1000, 1002, 1003]) }
    /// Whether a paste is framed (mode 2004).
    public var isPasteBracketed: Bool { modes.contains(2004) }

    /// The whole screen in a frame, with what a failed test wants to know.
    public var picture: String {
        let edge = "+" + String(repeating: "-", count: columns) + "+"
        let lines = cells.map { row in "|" + row.map { $0.width == 0 ? "" : $0.text.isEmpty ? " " : $0.text }.joined() + "|" }
        let facts =
            "\(columns)×\(rowCount), cursor \(isCursorVisible ? "shown" : "hidden") at row \(cursor.row), column \(cursor.column)"
            + (isInAlternateScreen ? ", alternate screen" : "")
        return ([edge] + lines + [edge, facts]).joined(separator: "\n")
    }
}
