extension VirtualScreen {
    mutating func write(_ scalar: Unicode.Scalar) {
        let shown = pen.graphics[pen.shift] ? Self.lineDrawing[scalar] ?? scalar : scalar
        let width = CellWidth.of(shown)
        if width == 0 { return combine(shown) }
        if pen.wrapsNext || (width == 2 && pen.position.column == columns - 1 && modes.contains(7)) {
            moveTo(column: 0)
            lineFeed()
        }
        if isInsertMode { insertCells(width) }
        put(String(Character(shown)), width)
        lastPrinted = scalar
        let next = pen.position.column + width
        pen.wrapsNext = next >= columns && modes.contains(7)
        pen.position.column = min(next, columns - 1)
    }

    private mutating func put(_ text: String, _ width: Int) {
        let (row, column) = (pen.position.row, pen.position.column)
        mend(row: row, column)
        if column + width - 1 < columns { mend(row: row, column + width - 1) }
        cells[row][column] = ScreenCell(text: text, width: width, style: pen.style)
        if width == 2 && column + 1 < columns { cells[row][column + 1] = ScreenCell(text: "", width: 0, style: pen.style) }
    }

    /// Adds a combining character to the character before the cursor.
    private mutating func combine(_ scalar: Unicode.Scalar) {
        var column = pen.wrapsNext ? pen.position.column : pen.position.column - 1
        guard column >= 0 else { return }
        if cells[pen.position.row][column].width == 0 && column > 0 { column -= 1 }
        if cells[pen.position.row][column].text.isEmpty { cells[pen.position.row][column].text = " " }
        cells[pen.position.row][column].text.unicodeScalars.append(scalar)
    }

    /// Erases the other half of a wide character before one half is overwritten.
    private mutating func mend(row: Int, _ column: Int) {
        guard cells[row].indices.contains(column) else { return }
        if cells[row][column].width == 0 && column > 0 { cells[row][column - 1] = blank }
        if cells[row][column].width == 2 && column + 1 < columns { cells[row][column + 1] = blank }
    }

    mutating func erase(row: Int, _ range: Range<Int>) {
        let range = range.clamped(to: 0..<columns)
        guard let last = range.last else { return }
        mend(row: row, range.lowerBound)
        mend(row: row, last)
        for column in range { cells[row][column] = blank }
        pen.wrapsNext = false
    }

    mutating func eraseInLine(_ part: Int) {
        let (row, column) = (pen.position.row, pen.position.column)
        switch part {
        case 0: erase(row: row, column..<columns)
        case 1: erase(row: row, 0..<column + 1)
        case 2: erase(row: row, 0..<columns)
        default: note("\u{1b}[\(part)K")
        }
    }

    mutating func eraseInScreen(_ part: Int) {
        let row = pen.position.row
        switch part {
        case 0:
            eraseInLine(0)
            for below in row + 1..<max(row + 1, rowCount) { erase(row: below, 0..<columns) }
        case 1:
            eraseInLine(1)
            for above in 0..<row { erase(row: above, 0..<columns) }
        case 2: for each in 0..<rowCount { erase(row: each, 0..<columns) }
        case 3: break  // Erases the scrollback, which is not kept
        default: note("\u{1b}[\(part)J")
        }
    }

    mutating func insertCells(_ count: Int) {
        let (row, column) = (pen.position.row, pen.position.column)
        let count = min(count, columns - column)
        if cells[row][column].width == 0 { mend(row: row, column) }
        cells[row].removeLast(count)
        cells[row].insert(contentsOf: Array(repeating: blank, count: count), at: column)
        if cells[row][columns - 1].width == 2 { cells[row][columns - 1] = blank }
        pen.wrapsNext = false
    }

    mutating func deleteCells(_ count: Int) {
        let (row, column) = (pen.position.row, pen.position.column)
        let count = min(count, columns - column)
        erase(row: row, column..<column + count)
        cells[row].removeSubrange(column..<column + count)
        cells[row] += Array(repeating: blank, count: count)
    }

    /// The DEC special graphics character set, which ncurses may use for borders.
    private static let lineDrawing: [Unicode.Scalar: Unicode.Scalar] = [
        "`": "◆", "a": "▒", "f": "°", "g": "±", "h": "▒", "i": "␋", "j": "┘", "k": "┐", "l": "┌", "m": "└", "n": "┼", "o": "⎺",
        "p": "⎻", "q": "─", "r": "⎼", "s": "⎽", "t": "├", "u": "┤", "v": "┴", "w": "┬", "x": "│", "y": "≤", "z": "≥", "{": "π",
        "|": "≠", "}": "£", "~": "·", "+": "→", ",": "←", "-": "↑", ".": "↓", "0": "█",
    ]
}
