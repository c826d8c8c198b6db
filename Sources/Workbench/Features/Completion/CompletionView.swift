internal import SortieTerminal

/// Draws the list of completions below the cursor, or above it where there is more room.
struct CompletionView {
    /// The maximum number of visible rows.
    private static let mostRows = 8

    let frame: Rect
    private let list: CompletionList
    private let labelWidth: Int
    private let top: Int

    /// - Parameter canvas: The screen with the text that is being typed. Nil where there is no room.
    init?(_ list: CompletionList, on canvas: Canvas) {
        guard let cursor = canvas.cursor else { return nil }
        self.list = list
        let size = canvas.size
        let (above, below) = (cursor.row, size.height - cursor.row - 2)
        let isBelow = below >= min(list.items.count, Self.mostRows) + 2 || below >= above
        let rows = min(list.items.count, Self.mostRows, max(above, below) - 2)
        guard rows > 0 else { return nil }
        let widest = list.items.reduce(0) { max($0, CellWidth.width(of: $1.label)) }
        let most = max(8, size.width - 6)
        labelWidth = min(widest, max(8, most * 3 / 5), 44)
        let details = list.items.reduce(0) { max($0, Self.detailWidth($1)) }
        let width = min(labelWidth + (details > 0 ? details + 2 : 0), most) + 4
        let column = max(0, min(cursor.column - list.before - 2, size.width - width))
        frame = Rect(column: column, row: isBelow ? cursor.row + 1 : cursor.row - rows - 2, width: width, height: rows + 2)
        top = Window.top(0, showing: list.selected ?? 0, count: list.items.count, height: rows)
    }

    private static func detailWidth(_ item: Completion) -> Int {
        let parts = [item.detail, item.source].filter { !$0.isEmpty }.map { min(40, CellWidth.width(of: $0)) }
        return parts.reduce(0, +) + (parts.count > 1 ? 2 : 0)
    }

    /// The index of the completion at a point; nil on the border.
    func index(at point: Point) -> Int? {
        guard frame.inset().contains(point) else { return nil }
        let index = top + point.row - frame.row - 1
        return list.items.indices.contains(index) ? index : nil
    }

    func draw(on canvas: inout Canvas, key: String) {
        let cursor = canvas.cursor
        canvas.fill(frame, style: .overlay)
        canvas.box(frame, trailing: frame.width > 24 ? [Span("\(key) inserts", .muted)] : [], style: .borderFocused)
        let inner = frame.inset(columns: 2, rows: 1)
        for offset in 0..<inner.height where top + offset < list.items.count {
            let item = list.items[top + offset]
            let line = Rect(column: inner.column, row: inner.row + offset, width: inner.width, height: 1)
            var spans = [Span(ColumnText.padded(CellWidth.truncated(item.label, to: labelWidth), to: labelWidth), .strong)]
            if !item.detail.isEmpty { spans.append(Span("  " + CellWidth.truncated(item.detail, to: 40))) }
            if !item.source.isEmpty { spans.append(Span("  " + CellWidth.truncated(item.source, to: 40), .muted)) }
            canvas.write(spans, at: line.origin, width: line.width)
            if top + offset == list.selected { canvas.select(row: line.row, in: line, isFocused: true) }
        }
        canvas.cursor = cursor
    }
}
