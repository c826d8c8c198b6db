internal import SortieTerminal

/// The log tab: the newest line at the bottom, with the parts of a call folded below its head line.
extension LogFeature {
    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) {
        guard !state.log.items.isEmpty else {
            canvas.writeHint(["The log is empty. Requests, decisions and responses are logged here."], in: rect)
            return
        }
        let pane = LogPane(state)
        // The search field takes the last row, and must not hide the match.
        let places = pane.window(height: rect.height - (state.searchEntry?.place == .log ? 1 : 0))
        if places.isEmpty {
            let (words, level, service) = (pane.filterWords.joined(separator: " · "), state.key(.changeLogLevel), state.key(.chooseLogService))
            canvas.writeHint(["Nothing in the log matches: \(words). \(level) and \(service) change the filter."], in: rect)
        }
        let search = state.lineSearch(.log)
        let selected = pane.tab.place == nil ? nil : pane.place
        for (offset, place) in places.enumerated() {
            let line = Rect(column: rect.column, row: rect.row + offset, width: rect.width, height: 1)
            Self.draw(place, of: pane, on: &canvas, in: line)
            if let search, search.matches(pane.text(at: place)) { canvas.restyle(line) { $0.role = .searchMatch } }
            if place == selected { canvas.select(row: line.row, in: line, isFocused: state.isActive(.bottom)) }
        }
        state.drawSearch(.log, on: &canvas, in: rect)
    }

    func click(row: Int, height: Int, _ state: inout AppState) {
        LogPane.change(&state) { pane in
            let places = pane.window(height: height)
            if places.indices.contains(row) { pane.select(places[row]) }
        }
    }

    /// The right part of the title: the filter, whether the log follows new lines, and the number of dropped lines.
    func trailingTitle(_ state: AppState) -> [Span] {
        var pieces = LogPane(state).filterWords.map { Span($0, .accent) }
        if state.states[LogState.self].place != nil {
            let key = state.keymap.bindings(in: [.panes]).first { $0.command == .move(.last) }?.keys.last?.label ?? ""
            pieces.append(Span("\(key) follows", .muted))
        }
        if state.log.dropped > 0, pieces.count < 2 { pieces.append(Span("\(state.log.dropped) dropped", .muted)) }
        return Array(pieces.map { [$0] }.joined(separator: [Span(" · ", .muted)]))
    }

    private static func draw(_ place: LogPlace, of pane: LogPane, on canvas: inout Canvas, in line: Rect) {
        if let row = pane.row(at: place) {
            canvas.write(row.spans, at: line.origin, width: line.width)
            return
        }
        let isOpen = pane.tab.unfolded[place.item] != nil
        switch pane.log[place.item] {
        case .entry(let entry):
            let isCut = pane.isFoldable(place.item)
            canvas.write(pane.line(entry, mark: isOpen ? "▾" : isCut ? "▸" : " "), at: line.origin, width: line.width)
            if isCut { canvas.write("…", at: Point(column: line.endColumn - 1, row: line.row), style: entry.level.style) }
        case .call(let call): draw(call, isOpen: isOpen, of: pane, on: &canvas, in: line)
        }
    }

    private static func draw(_ call: LoggedCall, isOpen: Bool, of pane: LogPane, on canvas: inout Canvas, in line: Rect) {
        let short = StatusText.short(call.method)
        let spans =
            pane.head(call.level, call.time) + [
                Span(isOpen ? "▾ " : "▸ ", .muted), Span(ColumnText.padded(short, to: 5), StatusText.style(of: call.method)), Span(call.target),
            ]
        let end = outcome(of: call)
        let width = end.reduce(0) { $0 + CellWidth.width(of: $1.text) }
        canvas.write(spans, at: line.origin, width: max(0, line.width - width - 2))
        canvas.write(end, at: line.origin.moved(columns: max(0, line.width - width)), width: width)
    }

    /// The right part of a call's line: the outcome, the size and the duration.
    private static func outcome(of call: LoggedCall) -> [Span] {
        let time = Span(ColumnText.right(NumberText.seconds(call.duration), to: 9), .muted)
        switch call.state {
        case .running: return [Span("in flight", .accent)]
        case .answered(let status, let grpc, let bytes, let isFromCache):
            let size = ColumnText.right(isFromCache ? "cached" : ByteText.amount(Int64(bytes)), to: 9)
            return [StatusText.span(status, grpc: grpc), Span(size, isFromCache ? .info : .muted), time]
        case .failed(let word): return [Span(word, .error), time]
        case .cancelled: return [Span("cancelled", .warning), time]
        }
    }
}
