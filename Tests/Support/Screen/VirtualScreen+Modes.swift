extension VirtualScreen {
    mutating func set(_ mode: Int) {
        modes.insert(mode)
        switch mode {
        case 6:
            pen.isOriginMode = true
            moveTo(row: 0, column: 0)
        case 47, 1047: enterAlternateScreen()
        case 1048: saved = pen
        case 1049:
            saved = pen
            enterAlternateScreen()
        default: break
        }
    }

    mutating func unset(_ mode: Int) {
        modes.remove(mode)
        switch mode {
        case 6:
            pen.isOriginMode = false
            moveTo(row: 0, column: 0)
        case 47, 1047: leaveAlternateScreen()
        case 1048: restoreCursor()
        case 1049:
            let wasInside = isInAlternateScreen
            leaveAlternateScreen()
            if wasInside { restoreCursor() }
        default: break
        }
    }

    mutating func restoreCursor() {
        pen = saved
        pen.position.row = min(pen.position.row, rowCount - 1)
        pen.position.column = min(pen.position.column, columns - 1)
    }

    private mutating func enterAlternateScreen() {
        if isInAlternateScreen { return }
        mainCells = cells
        cells = Array(repeating: Array(repeating: ScreenCell(), count: columns), count: rowCount)
    }

    private mutating func leaveAlternateScreen() {
        guard let mainCells else { return }
        cells = Self.fitted(mainCells, columns, rowCount)
        self.mainCells = nil
    }

    /// Changes the size as a terminal without reflow does: cells outside are lost, new cells are empty.
    mutating func resize(columns: Int, rows: Int) {
        // On the main screen the row with the cursor stays visible, so rows at the top are removed.
        let surplus = isInAlternateScreen ? 0 : max(0, pen.position.row - rows + 1)
        cells = Self.fitted(Array(cells.dropFirst(surplus)), columns, rows)
        pen.position.row = max(0, min(pen.position.row - surplus, rows - 1))
        pen.position.column = min(pen.position.column, columns - 1)
        pen.wrapsNext = false
        self.columns = columns
        (top, bottom) = (0, rows - 1)
    }

    private static func fitted(_ cells: [[ScreenCell]], _ columns: Int, _ rows: Int) -> [[ScreenCell]] {
        var fitted = cells.prefix(rows).map { row -> [ScreenCell] in
            var row = Array(row.prefix(columns))
            // The edge split a wide character.
            if row.last?.width == 2 { row[row.count - 1] = ScreenCell() }
            return row + Array(repeating: ScreenCell(), count: columns - row.count)
        }
        while fitted.count < rows { fitted.append(Array(repeating: ScreenCell(), count: columns)) }
        return fitted
    }
}
