internal import SortieHTTP
internal import SortieTerminal

/// The monitor tab: the statistics of all services, servers and addresses, and the events that moved requests between them.
struct MonitorFeature: TabFeature {
    let tab = BottomTab.monitor
    let context = Context.monitor
    var guideTopic: String { "addresses" }
    let opensOnDoubleClick = false

    /// The number of rows below the column titles.
    private func listHeight(_ height: Int) -> Int { max(0, height - 1) }

    private func top(_ state: AppState, count: Int, height: Int) -> Int {
        Window.limited(state.monitor.selected - listHeight(height) * 2 / 3, count: count, height: listHeight(height))
    }

    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) {
        guard !state.monitor.isEmpty else {
            canvas.writeHint(
                ["No requests yet. Requests, errors, times and connections of each service, server and address are counted here."], in: rect)
            return
        }
        let rows = state.monitor.rows
        let nameWidth = min(max(16, rect.width / 3), rows.reduce(12) { max($0, Self.width(ofNameIn: $1)) })
        let columns = MonitorColumn.fitting(rect.width - nameWidth)
        drawTitles(columns, nameWidth: nameWidth, on: &canvas, in: rect, state)
        let top = top(state, count: rows.count, height: rect.height)
        for offset in 0..<listHeight(rect.height) where top + offset < rows.count {
            let point = Point(column: rect.column, row: rect.row + 1 + offset)
            canvas.write(spans(of: rows[top + offset], nameWidth, columns, width: rect.width, state.redaction), at: point, width: rect.width)
            if top + offset == selectedRow(state, count: rows.count) {
                canvas.select(row: point.row, in: rect, isFocused: state.isActive(.bottom))
            }
        }
    }

    private func drawTitles(_ columns: [MonitorColumn], nameWidth: Int, on canvas: inout Canvas, in rect: Rect, _ state: AppState) {
        let network = network(state.monitor.report, width: nameWidth)
        var spans = [network, Span(String(repeating: " ", count: max(0, nameWidth - CellWidth.width(of: network.text))))]
        spans += columns.map { Span("  " + ColumnText.right($0.title, to: $0.width), .muted) }
        canvas.write(spans, at: Point(column: rect.column, row: rect.row), width: rect.width)
    }

    /// The state of the network, with the kinds of its interfaces where there is room.
    private func network(_ report: MonitorReport, width: Int) -> Span {
        guard report.isOnline else { return Span("no network", .warning) }
        let text = "network " + report.networks.map(\.rawValue).sorted().joined(separator: ", ")
        return Span(report.networks.isEmpty || text.count > width ? "network up" : text, .muted)
    }

    private func spans(of row: MonitorRow, _ nameWidth: Int, _ columns: [MonitorColumn], width: Int, _ redaction: Redaction) -> [Span] {
        switch row {
        case .place(let level, let name, let traffic, let recent):
            let indent = String(repeating: "  ", count: level.rawValue)
            var spans = [Span(ColumnText.padded(indent + redaction.masked(name), to: nameWidth), level == .service ? .strong : .text)]
            for column in columns {
                let isBad = traffic.errors > 0 && (column == .errors || column == .success)
                spans.append(Span("  " + ColumnText.right(column.text(of: traffic), to: column.width), isBad ? .warning : .text))
            }
            let room = width - nameWidth - columns.reduce(0) { $0 + $1.width + 2 } - 2
            if room >= 10, !recent.isEmpty { spans.append(Span("  " + Sparkline.text(recent.suffix(room).map { Double($0) }), .accent)) }
            return spans
        case .standing(let text, let isInUse):
            return [Span("      " + (isInUse ? "● " : "○ "), isInUse ? .success : .muted), Span(redaction.masked(text), .muted)]
        case .heading(let text): return [Span(text, .strong)]
        case .event(let event):
            let style: Style = event.kind == .network ? .warning : .info
            let kind = ColumnText.padded(event.kind.rawValue, to: 9)
            return [Span("  \(MonitorRow.time(of: event))  ", .muted), Span(kind, style), Span(redaction.masked(event.text))]
        }
    }

    private static func width(ofNameIn row: MonitorRow) -> Int {
        guard case .place(let level, let name, _, _) = row else { return 0 }
        return level.rawValue * 2 + CellWidth.width(of: name)
    }

    // MARK: Commands

    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? {
        let rows = state.monitor.rows
        let selected = selectedRow(state, count: rows.count)
        switch command {
        case .move(let movement):
            state.monitor.selected = movement.target(from: selected, count: rows.count, page: listHeight(state.layout.bottom.height - 2))
            return []
        case .copy where rows.indices.contains(selected): return state.copy(state.redaction.masked(rows[selected].text), "the row")
        default: return nil
        }
    }

    func click(row: Int, height: Int, _ state: inout AppState) {
        let count = state.monitor.rows.count
        let index = top(state, count: count, height: height) + row - 1
        if row > 0, (0..<count).contains(index) { state.monitor.selected = index }
    }

    private func selectedRow(_ state: AppState, count: Int) -> Int { min(state.monitor.selected, max(0, count - 1)) }
}
