internal import BodyViews
internal import SortieTerminal

/// Draws the table of a body: the names of the columns, and below them the visible rows with their numbers.
struct BodyTableView {
    /// The cells between two columns.
    static let gap = 2

    private let shown: BodyTableState
    private let isActive: Bool
    private let area: Rect

    init(_ shown: BodyTableState, in area: Rect, isActive: Bool) {
        self.shown = shown
        self.area = area
        self.isActive = isActive
    }

    /// The cells for columns, beside the numbers of the rows.
    static func room(_ shown: BodyTableState, _ width: Int) -> Int { max(1, width - numberWidth(shown)) }

    private static func numberWidth(_ shown: BodyTableState) -> Int { max(2, String(max(0, shown.table.rowCount - 1)).count) + 1 }

    func draw(on canvas: inout Canvas) {
        guard area.height > 0, area.width > 0 else { return }
        let columns = visibleColumns
        for (column, start, width) in columns {
            canvas.write(header(column, width), at: Point(column: start, row: area.row), width: min(width, area.endColumn - start))
        }
        if let last = columns.last, last.column + 1 < shown.table.columns.count || last.start + last.width > area.endColumn {
            canvas.write("›", at: Point(column: area.endColumn - 1, row: area.row), style: .muted)
        }
        if shown.left > 0 { canvas.write("‹", at: Point(column: columns.first.map { $0.start - 1 } ?? area.column, row: area.row), style: .muted) }
        guard shown.rowCount > 0 else {
            canvas.writeHint([shown.table.isComplete ? "There are no rows." : "The rows are being read."], in: area.split(topHeight: 1).bottom)
            return
        }
        for (index, row) in shown.rows(shown.top..<shown.top + area.height - 1).enumerated() {
            draw(row, isCurrent: shown.top + index == shown.row, at: area.row + 1 + index, columns, on: &canvas)
        }
    }

    /// The columns from the first displayed one, with their first cells and widths.
    private var visibleColumns: [(column: Int, start: Int, width: Int)] {
        var columns: [(column: Int, start: Int, width: Int)] = []
        var start = area.column + Self.numberWidth(shown)
        var column = shown.left
        while column < shown.widths.count, start < area.endColumn {
            columns.append((column, start, shown.widths[column]))
            start += shown.widths[column] + Self.gap
            column += 1
        }
        return columns
    }

    private func header(_ column: Int, _ width: Int) -> [Span] {
        let about = shown.table.columns[column]
        let mark = shown.sort.flatMap { $0.column == column ? ($0.isAscending ? " ▲" : " ▼") : nil } ?? ""
        let name = about.name.isEmpty ? "(value)" : VisibleText.of(about.name)
        let text = CellWidth.truncated(name, to: max(1, width - CellWidth.width(of: mark)))
        let pad = about.isNumeric ? String(repeating: " ", count: max(0, width - CellWidth.width(of: text + mark))) : ""
        return [Span(pad), Span(text, column == shown.column ? .accent : .strong), Span(mark, .accent)]
    }

    private func draw(
        _ row: (row: Int, offset: Int), isCurrent: Bool, at line: Int, _ columns: [(column: Int, start: Int, width: Int)], on canvas: inout Canvas
    ) {
        let number = ColumnText.right(String(row.row), to: Self.numberWidth(shown) - 1)
        canvas.write(number, at: Point(column: area.column, row: line), style: isCurrent ? .accent : .muted)
        let cells = shown.table.cells(at: row.offset)
        for (column, start, width) in columns {
            let width = min(width, area.endColumn - start)
            if let cell = cells[column] {
                let text = CellWidth.truncated(VisibleText.of(cell.text.prefix(2 * BodyTableState.widest)).replacing("\n", with: "␊"), to: width)
                canvas.write(
                    cell.kind == .number ? ColumnText.right(text, to: width) : text, at: Point(column: start, row: line),
                    style: Self.style(of: cell.kind), width: width)
            }
            if isCurrent, isActive, column == shown.column {
                canvas.restyle(Rect(column: start, row: line, width: width, height: 1)) { $0.isSelected = true }
            }
        }
    }

    private static func style(of kind: BodyTable.Cell.Kind) -> Style {
        switch kind {
        case .string: .jsonString
        case .number: .jsonNumber
        case .literal: .jsonLiteral
        case .container: .muted
        case .text: .text
        }
    }

    /// The row and the column at a point; nil beside them.
    func place(at point: Point) -> (row: Int, column: Int)? {
        let row = shown.top + point.row - area.row - 1
        guard area.contains(point), point.row > area.row, row < shown.rowCount else { return nil }
        let column = visibleColumns.last { $0.start <= point.column }?.column ?? shown.column
        return (row, column)
    }

    /// The text of the lower border: the position, and how the rows are sorted.
    var position: String {
        let table = shown.table
        var text = " table · \(shown.rowCount == 0 ? 0 : shown.row + 1)/\(shown.rowCount)\(table.isComplete ? "" : "+") "
        if let order = shown.order, order.isPartial { text = " first \(order.count) rows sorted ·" + text }
        if let progress = shown.progress { text = " sorting \(NumberText.percent(progress)) ·" + text }
        if !table.isComplete, table.isFinal { text = " \(NumberText.percent(table.progress)) read ·" + text }
        return text
    }
}
