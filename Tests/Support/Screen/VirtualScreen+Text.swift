extension VirtualScreen {
    /// The number of rows.
    public var rowCount: Int { cells.count }

    /// The text of a row without trailing spaces; empty for a row that does not exist.
    public func row(_ number: Int) -> String { row(number, columns: 0..<columns) }

    /// The text of a range of a row's columns, without trailing spaces.
    public func row(_ number: Int, columns range: Range<Int>) -> String {
        guard cells.indices.contains(number) else { return "" }
        let text = cells[number][range.clamped(to: 0..<columns)].map { $0.width == 0 ? "" : $0.text.isEmpty ? " " : $0.text }
        return String(text.joined().reversed().drop { $0 == " " }.reversed())
    }

    /// The texts of all rows.
    public var rows: [String] { (0..<rowCount).map { row($0) } }

    /// The rows joined by line feeds, without trailing empty rows.
    public var text: String {
        let rows = self.rows
        guard let last = rows.lastIndex(where: { !$0.isEmpty }) else { return "" }
        return rows[...last].joined(separator: "\n")
    }

    /// Whether a row contains this text.
    ///
    /// A text with line feeds must match consecutive rows.
    public func contains(_ text: String) -> Bool { text.contains("\n") ? self.text.contains(text) : position(of: text) != nil }

    /// The first cell of this text, searched from the top; nil when the screen does not contain it.
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

    /// The cell at a row and a column; nil outside the screen.
    public func cell(row: Int, column: Int) -> ScreenCell? {
        cells.indices.contains(row) && cells[row].indices.contains(column) ? cells[row][column] : nil
    }

    /// The style of the first cell of this text; nil when the screen does not contain it.
    public func style(of text: String) -> CellStyle? {
        position(of: text).flatMap { cell(row: $0.row, column: $0.column)?.style }
    }

    /// The position of the cursor.
    public var cursor: Position { pen.position }
    /// Whether the cursor is visible.
    public var isCursorVisible: Bool { modes.contains(25) }
    /// Whether the alternate screen is active, which full-screen programs use.
    public var isInAlternateScreen: Bool { mainCells != nil }
    /// Whether the program enabled mouse reporting (modes 1000, 1002, 1003).
    public var isMouseReported: Bool { !modes.isDisjoint(with: [1000, 1002, 1003]) }
    /// Whether the program enabled bracketed paste (mode 2004).
    public var isPasteBracketed: Bool { modes.contains(2004) }

    /// The screen in a frame, with the size and the cursor, for messages of failed tests.
    public var picture: String {
        let edge = "+" + String(repeating: "-", count: columns) + "+"
        let lines = cells.map { row in "|" + row.map { $0.width == 0 ? "" : $0.text.isEmpty ? " " : $0.text }.joined() + "|" }
        let facts =
            "\(columns)×\(rowCount), cursor \(isCursorVisible ? "shown" : "hidden") at row \(cursor.row), column \(cursor.column)"
            + (isInAlternateScreen ? ", alternate screen" : "")
        return ([edge] + lines + [edge, facts]).joined(separator: "\n")
    }
}
