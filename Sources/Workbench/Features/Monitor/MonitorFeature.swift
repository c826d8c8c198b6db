internal import FoundationEssentials
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The monitor tab: the statistics of all services, servers and addresses, and the events that moved requests between them.
struct MonitorFeature: TabFeature {
    let tab = BottomTab.monitor
    let context = Context.monitor
    let opensOnDoubleClick = false

    /// The number of rows below the column titles.
    private func listHeight(_ height: Int) -> Int { max(0, height - 1) }

    private func top(_ state: AppState, count: Int, height: Int) -> Int {
        Window.top(showing: state.monitor.selected, count: count, height: listHeight(height))
    }

    func guideAddress(_ state: AppState) -> String { "history#monitor" }

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

extension Context {
    static let monitor = Context("Monitor")
}

extension BottomTab {
    static let monitor = BottomTab("Monitor")
}

extension MonitorFeature {
    var bindings: [Binding] { [Binding(.panes, [.character("M")], .show(.monitor), "Monitor", "Show the Monitor")] }
}

/// A row of the monitor tab.
enum MonitorRow: Hashable, Sendable {
    /// The level of a row in the hierarchy.
    enum Level: Int, Hashable, Sendable {
        case service, server, address
    }

    /// The statistics of a service, server or address, with the requests per second of the last minute where available.
    case place(Level, name: String, TrafficReport, recent: [Int])
    /// The score of an address, and whether and why it is in use.
    case standing(String, isInUse: Bool)
    /// The heading of the rows that follow.
    case heading(String)
    /// An event of the timeline.
    case event(MonitorEvent)

    static func rows(of report: MonitorReport) -> [MonitorRow] {
        var rows: [MonitorRow] = []
        for service in report.services {
            rows.append(.place(.service, name: service.name ?? "no service", service.traffic, recent: service.recent))
            for server in service.servers {
                rows.append(.place(.server, name: server.origin, server.traffic, recent: []))
                // A single address without a score adds nothing to its server.
                guard server.addresses.count > 1 || server.addresses.contains(where: { $0.standing != nil }) else { continue }
                for address in server.addresses {
                    rows.append(.place(.address, name: address.address ?? "none reached", address.traffic, recent: []))
                    if let standing = Self.standing(of: address) { rows.append(standing) }
                }
            }
        }
        guard !report.timeline.isEmpty else { return rows }
        rows.append(.heading("Changes, newest first"))
        return rows + report.timeline.reversed().map { .event($0) }
    }

    private static func standing(of address: AddressReport) -> MonitorRow? {
        guard let standing = address.standing else { return nil }
        let use = address.isInUse.map { $0 ? "in use" : "not in use" }
        return .standing([use, standing.text, address.reason].compactMap { $0 }.joined(separator: " · "), isInUse: address.isInUse == true)
    }

    /// The row as text for the clipboard.
    var text: String {
        switch self {
        case .place(_, let name, let traffic, _):
            ([name] + MonitorColumn.allCases.map { "\($0.title) \($0.text(of: traffic))" }).joined(separator: "  ")
        case .standing(let text, _), .heading(let text): text
        case .event(let event): "\(MonitorRow.time(of: event)) \(event.kind.rawValue): \(event.text)"
        }
    }

    /// The time of day in UTC, so that it is comparable between machines.
    static func time(of event: MonitorEvent) -> String {
        String(CalendarTime(secondsSince1970: event.time.timeIntervalSince1970).iso8601.dropFirst(11))
    }
}

/// A column of the monitor tab.
enum MonitorColumn: String, CaseIterable, Sendable {
    case requests, errors, success, p50, p95, p99
    case sent = "↑"
    case received = "↓"
    case opened, reused

    var title: String { rawValue }

    /// The width in cells.
    var width: Int {
        switch self {
        case .requests, .success: 8
        case .errors, .opened, .reused: 6
        case .p50, .p95, .p99: 7
        case .sent, .received: 7
        }
    }

    /// The columns that fit, without the least important ones: connections go first, then bytes, then the other percentiles and the
    /// success rate; p95 stays.
    static func fitting(_ width: Int) -> [MonitorColumn] {
        var columns = Self.allCases
        for column in [MonitorColumn.reused, .opened, .sent, .received, .p99, .success, .p50] where columns.reduce(0, { $0 + $1.width + 2 }) > width {
            columns.removeAll { $0 == column }
        }
        return columns
    }

    func text(of traffic: TrafficReport) -> String {
        switch self {
        case .requests: String(traffic.requests)
        case .errors: String(traffic.errors)
        case .success: traffic.successRate.map { NumberText.tenths($0 * 100) + " %" } ?? "–"
        case .p50: time(traffic.p50)
        case .p95: time(traffic.p95)
        case .p99: time(traffic.p99)
        case .sent: ByteText.amount(traffic.bytesSent)
        case .received: ByteText.amount(traffic.bytesReceived)
        case .opened: String(traffic.connectionsOpened)
        case .reused: String(traffic.connectionsReused)
        }
    }

    private func time(_ seconds: Double) -> String { seconds > 0 ? NumberText.seconds(seconds) : "–" }
}

/// The state of the monitor tab.
struct MonitorState: FeatureState {
    /// The latest statistics.
    var report = MonitorReport()
    /// The selected row.
    var selected = 0

    /// Whether there are no statistics and no events.
    var isEmpty: Bool { report.services.isEmpty && report.timeline.isEmpty }

    /// The rows from top to bottom.
    var rows: [MonitorRow] { MonitorRow.rows(of: report) }
}

extension AppState {
    /// The state of the monitor tab.
    var monitor: MonitorState {
        get { states[MonitorState.self] }
        _modify { yield &states[MonitorState.self] }
    }

    /// The index of the server that requests of a service go to, from 0.
    func serverIndex(of service: Service) -> Int { monitor.report.serverIndex(of: service.folder, in: environment) }
}
