internal import SortieTerminal

/// Draws the list.
extension ListPopup {
    func frame(in area: Rect) -> Rect {
        let widest = items.reduce(30) { max($0, rowWidth($1) + 4) }
        let width = min(max(widest, CellWidth.width(of: message) + 4), max(20, area.width - 4), 110)
        let extra = headHeight + detailHeight
        return area.centered(Size(width: width, height: min(max(3, items.count + 2 + extra), max(5, area.height - 2))))
    }

    /// The area of the rows.
    func rows(in frame: Rect) -> Rect {
        frame.inset(columns: 2, rows: 1).split(topHeight: headHeight).bottom.split(bottomHeight: detailHeight).top
    }

    /// The number of lines above the rows for the message and the filter.
    private var headHeight: Int { (message.isEmpty ? 0 : 1) + (filter == nil ? 0 : 1) }

    /// The number of lines below the rows for the detail of the selected row.
    private var detailHeight: Int { showsDetail && !items.isEmpty ? 3 : 0 }

    func top(height: Int) -> Int { Window.limited(selected - height * 2 / 3, count: shown.count, height: height) }

    func draw(on canvas: inout Canvas, _ state: AppState) {
        let frame = frame(in: state.popupArea)
        canvas.fill(frame, style: .overlay)
        canvas.box(frame, title: [Span(title, .titleFocused)], trailing: state.closingHint, style: .borderFocused)
        let inner = frame.inset(columns: 2, rows: 1)
        var row = inner.row
        if !message.isEmpty {
            canvas.write(CellWidth.truncated(message, to: inner.width), at: Point(column: inner.column, row: row), style: .warning)
            row += 1
        }
        if let filter {
            filter.draw(on: &canvas, at: Point(column: inner.column, row: row), width: inner.width, placeholder: "type a name")
        }
        let rows = rows(in: frame)
        let shown = shown
        if shown.isEmpty { canvas.writeHint([emptyText], in: rows) }
        let top = top(height: rows.height)
        for offset in 0..<max(0, rows.height) where top + offset < shown.count {
            let line = Rect(column: rows.column, row: rows.row + offset, width: rows.width, height: 1)
            draw(shown[top + offset], on: &canvas, in: line)
            if top + offset == selected { canvas.select(row: line.row, in: line, isFocused: true) }
        }
        guard detailHeight > 0, let detail = chosen?.detail else { return }
        for (offset, line) in WrappedText.lines(detail, width: rows.width).prefix(detailHeight).enumerated() {
            canvas.write(line, at: Point(column: rows.column, row: rows.endRow + offset), width: rows.width)
        }
    }

    private func draw(_ item: Item, on canvas: inout Canvas, in line: Rect) {
        if item.choice == nil {
            canvas.write(item.label, at: line.origin, style: .title, width: line.width)
            return
        }
        let keyWidth = keyWidth
        var spans: [Span] = []
        if keyWidth > 0 { spans.append(Span(ColumnText.padded(item.key, to: keyWidth) + "  ", .key)) }
        spans.append(Span(item.isCurrent ? "• " : keyWidth > 0 ? "" : "  ", .accent))
        let nameWidth = nameWidth
        if nameWidth > 0 { spans.append(Span(ColumnText.padded(item.name, to: nameWidth) + "  ", item.isUnavailable ? .muted : .strong)) }
        spans.append(Span(item.label, item.isUnavailable || nameWidth > 0 ? .muted : .text))
        if !item.detail.isEmpty { spans.append(Span("  " + item.detail, nameWidth > 0 ? .warning : .muted)) }
        let placeWidth = item.place.isEmpty ? 0 : CellWidth.width(of: item.place) + 2
        let room = line.width - placeWidth
        guard placeWidth > 0, room >= 40 else {
            canvas.write(spans, at: line.origin, width: line.width)
            return
        }
        canvas.write(spans, at: line.origin, width: room)
        canvas.write(item.place, at: Point(column: line.endColumn - placeWidth + 2, row: line.row), style: .muted)
    }

    private var nameWidth: Int { min(20, items.reduce(0) { max($0, CellWidth.width(of: $1.name)) }) }

    private var keyWidth: Int { min(20, items.reduce(0) { max($0, CellWidth.width(of: $1.key)) }) }

    private func rowWidth(_ item: Item) -> Int {
        let name = nameWidth > 0 ? nameWidth + 2 : 0
        let place = item.place.isEmpty ? 0 : CellWidth.width(of: item.place) + 2
        let label = CellWidth.width(of: item.label)
        return keyWidth + 2 + name + place + label + (item.detail.isEmpty ? 0 : min(60, CellWidth.width(of: item.detail)) + 2)
    }
}
