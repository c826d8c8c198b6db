extension VirtualScreen {
    mutating func moveTo(column: Int) {
        pen.wrapsNext = false
        pen.position.column = max(0, min(column, columns - 1))
    }

    /// In origin mode the row is relative to the top of the scroll region, and cannot leave the region.
    mutating func moveTo(row: Int, column: Int) {
        pen.position.row =
            pen.isOriginMode ? max(top, min(top + row, bottom)) : max(0, min(row, rowCount - 1))
        moveTo(column: column)
    }

    /// The cursor stops at the edge of the scroll region when it starts inside.
    mutating func moveVertically(_ count: Int) {
        let row = pen.position.row
        let lowest = row <= bottom ? bottom : rowCount - 1
        let highest = row >= top ? top : 0
        pen.position.row = max(highest, min(row + count, lowest))
        pen.wrapsNext = false
    }

    mutating func tab(_ count: Int) {
        for _ in 0..<abs(count) {
            let column = pen.position.column
            let next = count > 0 ? tabStops.filter { $0 > column }.min() : tabStops.filter { $0 < column }.max()
            moveTo(column: next ?? (count > 0 ? columns - 1 : 0))
        }
    }

    mutating func lineFeed() {
        pen.wrapsNext = false
        if pen.position.row == bottom { scrollUp(1) } else { pen.position.row = min(pen.position.row + 1, rowCount - 1) }
    }

    mutating func reverseLineFeed() {
        pen.wrapsNext = false
        if pen.position.row == top { scrollDown(1) } else { pen.position.row = max(0, pen.position.row - 1) }
    }

    mutating func setScrollRegion(_ first: Int, _ last: Int) {
        guard first < last, last < rowCount else { return }
        (top, bottom) = (first, last)
        moveTo(row: 0, column: 0)
    }

    mutating func scrollUp(_ count: Int) { removeRows(at: top, count) }

    mutating func scrollDown(_ count: Int) { insertRows(at: top, count) }

    mutating func insertLines(_ count: Int) {
        guard (top...bottom).contains(pen.position.row) else { return }
        insertRows(at: pen.position.row, count)
        moveTo(column: 0)
    }

    mutating func deleteLines(_ count: Int) {
        guard (top...bottom).contains(pen.position.row) else { return }
        removeRows(at: pen.position.row, count)
        moveTo(column: 0)
    }

    private mutating func removeRows(at row: Int, _ count: Int) {
        let count = min(count, bottom - row + 1)
        cells.removeSubrange(row..<row + count)
        cells.insert(contentsOf: Array(repeating: emptyRow, count: count), at: bottom - count + 1)
    }

    private mutating func insertRows(at row: Int, _ count: Int) {
        let count = min(count, bottom - row + 1)
        cells.removeSubrange(bottom - count + 1...bottom)
        cells.insert(contentsOf: Array(repeating: emptyRow, count: count), at: row)
    }

    private var emptyRow: [ScreenCell] { Array(repeating: blank, count: columns) }

    /// An erased cell: it has the current background colour (`bce` of terminfo) and no other attributes.
    var blank: ScreenCell {
        var cell = ScreenCell()
        cell.style.background = pen.style.background
        return cell
    }
}
