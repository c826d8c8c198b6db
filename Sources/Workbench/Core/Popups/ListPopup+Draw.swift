internal import Terminal

/// Draws lists and prompts.
extension AppState {
    func listPopupRect(_ list: ListPopup) -> Rect {
        let whole = Rect(origin: .zero, size: size).split(bottomHeight: 1).top
        let widest = list.items.reduce(30) { max($0, rowWidth($1, keyWidth(list)) + 4) }
        let width = min(max(widest, CellWidth.width(of: list.message) + 4), max(20, whole.width - 4), 110)
        let extra = (list.message.isEmpty ? 0 : 1) + (list.filter == nil ? 0 : 1) + detailHeight(list)
        return whole.centered(Size(width: width, height: min(max(3, list.items.count + 2 + extra), max(5, whole.height - 2))))
    }

    /// The area of the rows.
    func listPopupRows(_ list: ListPopup, _ rect: Rect) -> Rect {
        let head = (list.message.isEmpty ? 0 : 1) + (list.filter == nil ? 0 : 1)
        return rect.inset(columns: 2, rows: 1).split(topHeight: head).bottom.split(bottomHeight: detailHeight(list)).top
    }

    /// The number of lines below the rows for the detail of the selected row.
    private func detailHeight(_ list: ListPopup) -> Int { list.showsDetail && !list.items.isEmpty ? 3 : 0 }

    func listPopupHeight(_ list: ListPopup) -> Int { listPopupRows(list, listPopupRect(list)).height }

    func listPopupTop(_ list: ListPopup, height: Int) -> Int {
        Window.limited(list.selected - height * 2 / 3, count: list.shown.count, height: height)
    }

    func drawList(_ list: ListPopup, on canvas: inout Canvas) {
        let rect = listPopupRect(list)
        canvas.fill(rect, style: .overlay)
        canvas.box(rect, title: [Span(list.title, .titleFocused)], trailing: [Span("Esc closes", .muted)], style: .borderFocused)
        let inner = rect.inset(columns: 2, rows: 1)
        var row = inner.row
        if !list.message.isEmpty {
            canvas.write(
                CellWidth.truncated(list.message, to: inner.width), at: Point(column: inner.column, row: row), style: .warning)
            row += 1
        }
        if let filter = list.filter {
            filter.draw(on: &canvas, at: Point(column: inner.column, row: row), width: inner.width, placeholder: "type a name")
        }
        let rows = listPopupRows(list, rect)
        let shown = list.shown
        if shown.isEmpty { canvas.writeHint([list.emptyText], in: rows) }
        let top = listPopupTop(list, height: rows.height)
        for offset in 0..<max(0, rows.height) where top + offset < shown.count {
            let line = Rect(column: rows.column, row: rows.row + offset, width: rows.width, height: 1)
            draw(shown[top + offset], keyWidth: keyWidth(list), on: &canvas, in: line)
            if top + offset == list.selected { canvas.select(row: line.row, in: line, isFocused: true) }
        }
        guard detailHeight(list) > 0, let detail = list.chosen?.detail else { return }
        for (offset, line) in WrappedText.lines(detail, width: rows.width).prefix(detailHeight(list)).enumerated() {
            canvas.write(line, at: Point(column: rows.column, row: rows.endRow + offset), width: rows.width)
        }
    }

    private func draw(_ item: ListPopup.Item, keyWidth: Int, on canvas: inout Canvas, in line: Rect) {
        if item.choice == nil {
            canvas.write(item.label, at: line.origin, style: .title, width: line.width)
            return
        }
        var spans: [Span] = []
        if keyWidth > 0 { spans.append(Span(ColumnText.padded(item.key, to: keyWidth) + "  ", .key)) }
        let isOff = !item.detail.isEmpty && isCommand(item)
        spans += [Span(item.isCurrent ? "• " : keyWidth > 0 ? "" : "  ", .accent), Span(item.label, isOff ? .muted : .text)]
        if !item.detail.isEmpty { spans.append(Span("  " + item.detail, .muted)) }
        canvas.write(spans, at: line.origin, width: line.width)
    }

    private func isCommand(_ item: ListPopup.Item) -> Bool { if case .command = item.choice { true } else { false } }

    private func keyWidth(_ list: ListPopup) -> Int {
        min(20, list.items.reduce(0) { max($0, CellWidth.width(of: $1.key)) })
    }

    private func rowWidth(_ item: ListPopup.Item, _ keyWidth: Int) -> Int {
        keyWidth + 2 + CellWidth.width(of: item.label) + (item.detail.isEmpty ? 0 : min(60, CellWidth.width(of: item.detail)) + 2)
    }

    func drawPrompt(_ prompt: Prompt, on canvas: inout Canvas) {
        let whole = Rect(origin: .zero, size: size).split(bottomHeight: 1).top
        let width = min(70, max(20, whole.width - 4))
        let message = prompt.message.isEmpty ? [] : WrappedText.lines(prompt.message, width: width - 4)
        let problem = prompt.problem.map { WrappedText.lines($0, width: width - 4).prefix(3) } ?? []
        let rect = whole.centered(Size(width: width, height: min(3 + message.count + problem.count, whole.height)))
        canvas.fill(rect, style: .overlay)
        canvas.box(
            rect, title: [Span(prompt.title, .titleFocused)], trailing: [Span("Esc closes", .muted)], style: .borderFocused)
        let inner = rect.inset(columns: 2, rows: 1)
        for (index, line) in message.prefix(max(0, inner.height - 1 - problem.count)).enumerated() {
            canvas.write(line, at: inner.origin.moved(rows: index), style: .muted, width: inner.width)
        }
        let row = inner.endRow - 1 - problem.count
        prompt.field.draw(
            on: &canvas, at: Point(column: inner.column, row: row), width: inner.width, placeholder: prompt.placeholder, isMasked: prompt.isSecret)
        for (offset, line) in problem.enumerated() {
            canvas.write(line, at: Point(column: inner.column, row: row + 1 + offset), style: .error, width: inner.width)
        }
    }
}
