internal import Terminal

/// The log: the newest entry at the bottom; it follows while the last one is selected.
extension AppState {
    func logTop(height: Int) -> Int {
        let count = log.entries.count
        guard let line = bottom.logLine else { return max(0, count - height) }
        return Window.limited(line - height * 2 / 3, count: count, height: height)
    }

    func drawLog(on canvas: inout Canvas, in rect: Rect) {
        let entries = log.entries
        guard !entries.isEmpty else {
            canvas.writeHint(["Nothing happened yet. What is sent, decided and answered is written here."], in: rect)
            return
        }
        let top = logTop(height: rect.height)
        let search = needles[.log].map { LineSearch(needle: $0) }
        for offset in 0..<rect.height where top + offset < entries.count {
            let entry = entries[top + offset]
            let row = rect.row + offset
            let isMatch = search?.matches(entry.source + " " + entry.text) ?? false
            canvas.write(spans(of: entry, isMatch: isMatch), at: Point(column: rect.column, row: row), width: rect.width)
            if top + offset == bottom.logLine { canvas.select(row: row, in: rect, isFocused: focus == .bottom && popup == nil) }
        }
        drawSearch(.log, on: &canvas, in: rect)
    }

    private func spans(of entry: LogEntry, isMatch: Bool) -> [Span] {
        // A mark beside the colour, for terminals and people without it.
        let (mark, style): (String, Style) =
            switch entry.level {
            case .detail: ("·", .muted)
            case .info: (" ", .text)
            case .warning: ("!", .warning)
            case .error: ("✗", .error)
            }
        let time = entry.time.map { NumberText.moment($0) } ?? ""
        return [
            Span(ColumnText.right(time, to: 7) + " ", .muted), Span(mark + " ", style),
            Span(entry.source.isEmpty ? "" : entry.source + "  ", .info),
            Span(entry.text, isMatch ? .searchMatch : style),
        ]
    }
}
