internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Draws a service in the request pane: its name, the tabs, and the rows of the shown tab.
struct ServiceView {
    private let state: AppState
    private let layout: Layout
    private let pane: ServicePane
    private let list: Rect
    /// The lines below the list for the whole text of the selected row; empty where there is room for it below all rows.
    private let detail: Rect
    private let rows: [RequestRow]
    /// The widths of the names: the long ones of settings leave the URLs of servers their room.
    private let nameWidths: (list: Int, settings: Int)

    /// - Parameter layout: The layout on the screen, which a click refers to; nil for that of the state.
    init(_ state: AppState, _ layout: Layout? = nil) {
        self.state = state
        self.layout = layout ?? state.layout
        let pane = state.servicePane
        let whole = RequestView.listRect(self.layout)
        let rows = ServiceFeature.rows(state)
        func nameWidth(isInList: Bool) -> Int {
            RequestRowView.nameWidth(rows.filter { pane.isInList($0) == isInList }, width: whole.width)
        }
        let nameWidths = (list: nameWidth(isInList: true), settings: nameWidth(isInList: false))
        let height = RequestRowView.detailHeight(rows, in: whole) { row in
            RequestRowView(row: row, nameWidth: pane.isInList(row) ? nameWidths.list : nameWidths.settings, hasBoxes: pane.tab == .headers)
        }
        // A text that is edited takes the whole room.
        if case .text = pane.editing { (list, detail) = whole.split(bottomHeight: 0) } else { (list, detail) = whole.split(bottomHeight: height) }
        (self.pane, self.rows, self.nameWidths) = (pane, rows, nameWidths)
    }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        guard let service = state.editedService else { return }
        var title = [Span("Request", state.titleStyle(.request)), Span("  "), Span("service \(service.name)", .muted)]
        if state.serviceChanges.changes[service.folder] != nil, pane.editing == nil, !ServiceFeature.isWriting(service.folder, state) {
            title.append(Span(" • not saved, \(state.key(.saveService)) saves it", .warning))
        }
        let trailing: Span =
            if case .text(let key, _) = pane.editing {
                Span("\(key.root):", problem.isEmpty ? .accent : .error)
            } else {
                Span(service.location?.file ?? service.folder, .muted)
            }
        canvas.box(rect, title: title, trailing: [trailing], style: state.borderStyle(.request))
        let inner = rect.inset(columns: 2, rows: 1)
        guard inner.height > 0, inner.width > 0 else { return }
        let environment = state.environment.map { "environment \($0)" } ?? "no environment"
        let facts = [Span(service.name, .strong), Span("  " + (service.summary ?? environment), .muted)]
        canvas.write(facts, at: inner.origin, width: inner.width)
        guard inner.height > 1 else { return }
        canvas.write(tabBar(service, room: inner.width).spans, at: inner.origin.moved(rows: 1), width: inner.width)
        drawRows(on: &canvas)
        state.drawSearch(.service, on: &canvas, in: inner)
    }

    private func tabBar(_ service: Service, room: Int) -> TabBar {
        let tabs = ServiceTab.allCases
        let keys = state.sections?.texts(of: service, folder: state.workspace.folder, base: state.workspace.timeouts).keys.map { $0 } ?? []
        let marks = tabs.indices.filter { index in
            switch tabs[index] {
            case .servers: !service.servers.isEmpty
            case .headers: !service.headers.isEmpty || !service.removedHeaders.isEmpty
            case .auth: service.auth != .none
            case .trust, .settings: keys.contains { ServiceTab(of: $0) == tabs[index] }
            }
        }
        return TabBar(titles: tabs.map(\.title), selected: tabs.firstIndex(of: pane.tab) ?? 0, marks: Set(marks), room: room)
    }

    private func drawRows(on canvas: inout Canvas) {
        guard list.height > 0 else { return }
        if case .text(_, let area) = pane.editing {
            area.draw(on: &canvas, in: areaRect)
            canvas.write(lines: below, at: Point(column: list.column, row: areaRect.endRow), width: list.width)
            return
        }
        if rows.isEmpty { canvas.writeHint(["Nothing here. \(state.key(.addRow, in: .service)) adds a row."], in: list) }
        if rows.count > list.height, list.width >= 52 {
            let text = " \(pane.row + 1)/\(rows.count) "
            canvas.write(text, at: Point(column: list.endColumn - text.count, row: list.row - 1), style: .muted)
        }
        let window = window
        if state.isActive(.request), pane.editing == nil, rows.indices.contains(pane.row) {
            let view = rowView(pane.row)
            if detail.height == 0 { _ = view.drawWhole(on: &canvas, in: list.split(topHeight: rows.count).bottom, keeping: 0) }
            view.drawWhole(on: &canvas, inDetail: detail)
        }
        for index in window.indices {
            let line = window.line(of: index)
            var edit: RequestState.RowEdit?
            if case .row(let current) = pane.editing, current.row == index { edit = current }
            rowView(index, edit).draw(on: &canvas, in: line)
            if index == pane.row, edit == nil { canvas.select(row: line.row, in: line, isFocused: state.isActive(.request)) }
        }
    }

    private func rowView(_ index: Int, _ edit: RequestState.RowEdit? = nil) -> RequestRowView {
        let row = rows[index]
        let width = pane.isInList(row) ? nameWidths.list : nameWidths.settings
        return RequestRowView(row: row, nameWidth: width, hasBoxes: pane.tab == .headers, edit: edit)
    }

    private var window: ListWindow { ListWindow(list, showing: pane.row, of: rows.count, at: state.pressedLine(.pane(.request), in: list)) }

    // MARK: A text of several lines

    /// Why the text that is being edited is not valid; empty for a valid one.
    private var problem: String {
        guard case .text(let key, let area) = pane.editing, let service = state.editedService, let sections = state.sections else { return "" }
        do throws(Diagnostic) {
            _ = try sections.setting(key, of: service, to: area.text, in: state.workspace)
            return ""
        } catch { return error.location == .nowhere ? error.message : error.place }
    }

    /// The lines below the text: its problem, and the keys that it may have as far as there is room.
    private var below: [[Span]] {
        guard case .text(let key, let area) = pane.editing, list.width > 0, list.height > 1 else { return [] }
        let problem = problem
        let lines = problem.isEmpty ? [] : WrappedText.lines(problem, width: list.width).prefix(2).map { [Span($0, Style.error)] }
        let keys = state.sections?.keys(of: key) ?? []
        let nameWidth = keys.reduce(0) { max($0, CellWidth.width(of: $1.name)) } + 2
        let help = keys.map { [Span(ColumnText.padded($0.name, to: nameWidth), .headerName), Span("\($0.value) · \($0.summary)", .muted)] }
        let room = list.height - lines.count - min(6, area.lines.count + 1)
        return lines + help.prefix(max(0, room))
    }

    /// The area of the text of several lines that is being edited.
    var areaRect: Rect { list.split(bottomHeight: min(below.count, max(0, list.height - 1))).top }

    // MARK: The mouse

    /// What a click selects.
    enum Target {
        case tab(ServiceTab)
        /// A row, its checkbox, or a field of the row.
        case row(Int, isBox: Bool, RequestRow.Column)
        /// The empty space below the rows.
        case empty
    }

    func target(at point: Point) -> Target? {
        guard let service = state.editedService else { return nil }
        let inner = layout.request.inset(columns: 2, rows: 1)
        if point.row == inner.row + 1, let index = tabBar(service, room: inner.width).index(atColumn: point.column - inner.column) {
            return .tab(ServiceTab.allCases[index])
        }
        guard list.contains(point) else { return nil }
        if case .text = pane.editing { return nil }
        guard let index = window.index(at: point) else { return .empty }
        let hasBox = pane.tab == .headers && (rows[index].listIndex != nil || rows[index].isLeftOut == true)
        return .row(
            index, isBox: hasBox && point.column < list.column + 3, rowView(index).column(at: point.column, in: window.line(of: index)))
    }

    /// The positions of the tabs and the rows.
    var jumpPoints: [Point] {
        let inner = layout.request.inset(columns: 2, rows: 1)
        guard let service = state.editedService, !inner.isEmpty else { return [] }
        let starts = tabBar(service, room: inner.width).starts(width: inner.width)
        var points = starts.map { Point(column: inner.column + $0, row: inner.row + 1) }
        for row in inner.rows.dropFirst(2) {
            // Beside the box, which a click switches.
            let point = Point(column: inner.column + 4, row: row)
            if case .row = target(at: point) { points.append(point) }
        }
        return points
    }
}
