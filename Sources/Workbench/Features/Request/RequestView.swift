internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The request pane: the request line, the tabs, and the rows of the shown tab.
extension AppState {
    func drawRequest(on canvas: inout Canvas, in rect: Rect) {
        let isEdited = openTarget.flatMap { drafts[$0]?.isEdited } ?? false
        var title = [Span("Request", titleStyle(.request))]
        if let endpoint = openEndpoint { title += [Span("  "), Span(endpoint.name, .muted)] }
        if isEdited { title += [Span(" • edited", .accent)] }
        var trailing = openEndpoint.map { endpoint in [Span(endpoint.target, .muted)] } ?? []
        if let openTarget, drafts[openTarget]?.onDisk != nil { title += [Span(" • changed on disk", .warning)] }
        if let openTarget, openEndpoint != nil, let problem = workspace.problem(of: .endpoint(openTarget)) {
            let room = rect.width - title.reduce(0) { $0 + CellWidth.width(of: $1.text) } - 7
            trailing = [Span(CellWidth.truncated("✗ \(problem.location): \(problem.message)", to: max(0, room)), .error)]
        }
        if case .body = requestState.editing, let problem = openEndpoint?.body.jsonProblem { trailing = [Span(problem, .error)] }
        canvas.box(rect, title: title, trailing: trailing, style: borderStyle(.request))
        let inner = rect.inset(columns: 2, rows: 1)
        guard inner.height > 0, inner.width > 0 else { return }
        guard let endpoint = openEndpoint else {
            if let openTarget, drawProblems(of: openTarget, on: &canvas, in: inner) { return }
            let hint =
                workspace.endpoints.isEmpty
                ? "There is no endpoint in this workspace."
                : "Choose an endpoint in Services with ↑ and ↓; \(key(.open)) opens it here, \(key(.send)) sends it."
            canvas.writeHint([hint], in: inner)
            return
        }
        drawRequestLine(endpoint, on: &canvas, at: inner.origin, width: inner.width)
        guard inner.height > 1 else { return }
        canvas.write(requestTabBar(endpoint).spans, at: inner.origin.moved(rows: 1), width: inner.width)
        drawRows(endpoint, on: &canvas, in: requestListRect)
        drawSearch(.request, on: &canvas, in: inner)
    }

    /// Draws the problems of the file of an unreadable endpoint; false when there are none.
    private func drawProblems(of target: EndpointID, on canvas: inout Canvas, in rect: Rect) -> Bool {
        guard let first = workspace.problem(of: .endpoint(target)) else { return false }
        let others = workspace.problems.filter { $0.location.file == first.location.file && $0 != first }
        var lines: [Span] = []
        for problem in [first] + others {
            let style: Style = problem.severity == .error ? .error : .warning
            lines.append(Span(CellWidth.truncated(problem.location.description, to: rect.width), .strong))
            lines += WrappedText.lines(problem.message, width: rect.width).map { Span($0, style) }
        }
        if let editor = keymap.keyLabel(of: .editOutside) {
            lines.append(Span(""))
            lines += WrappedText.lines("\(editor) opens the file at this place; Sortie reads it after saving.", width: rect.width)
                .map { Span($0, .muted) }
        }
        for (offset, line) in lines.prefix(rect.height).enumerated() {
            canvas.write([line], at: rect.origin.moved(rows: offset), width: rect.width)
        }
        return true
    }

    func requestTabBar(_ endpoint: Endpoint) -> TabBar {
        let marks = RequestTab.allCases.indices.filter { endpoint.hasContent(RequestTab.allCases[$0], in: workspace) }
        return TabBar(
            titles: RequestTab.allCases.map(\.title), selected: RequestTab.allCases.firstIndex(of: requestState.tab) ?? 0,
            marks: Set(marks))
    }

    private func drawRequestLine(_ endpoint: Endpoint, on canvas: inout Canvas, at point: Point, width: Int) {
        var column = canvas.write(
            endpoint.method.rawValue, at: point, style: StatusText.style(of: endpoint.method).bold(), width: width)
        column += 2
        let place = point.moved(columns: column)
        if case .url(let field) = requestState.editing {
            field.draw(on: &canvas, at: place, width: width - column, placeholder: "/path or https://…")
            return
        }
        let preview = RequestPreview(self, endpoint)
        if let problem = preview.problem {
            // The undefined templates are red, and the message follows as far as it fits.
            let spans = preview.pieces(of: preview.text).map { Span($0.text, $0.isUndefined ? .error : .text) }
            canvas.write(spans + [Span("  " + problem, .error)], at: place, width: max(0, width - column))
        } else {
            canvas.write(CellWidth.truncated(preview.text, to: width - column), at: place, style: .text)
        }
        if requestState.row < 0 {
            let line = Rect(column: point.column, row: point.row, width: width, height: 1)
            canvas.select(row: point.row, in: line, isFocused: isActive(.request))
        }
    }

    private func drawRows(_ endpoint: Endpoint, on canvas: inout Canvas, in list: Rect) {
        guard list.height > 0 else { return }
        if case .body(let area) = requestState.editing {
            area.draw(on: &canvas, in: list, top: areaTop(area))
            return
        }
        let rows = requestRows
        if rows.isEmpty { canvas.writeHint([emptyRowsHint], in: list) }
        let top = requestTop(count: rows.count)
        if rows.count > list.height, list.width >= 52 {
            // Shows that there are more rows than are visible.
            let text = " \(max(0, requestState.row) + 1)/\(rows.count) "
            canvas.write(text, at: Point(column: list.endColumn - text.count, row: list.row - 1), style: .muted)
        }
        drawDescription(of: endpoint, on: &canvas, in: list.split(topHeight: max(1, rows.count)).bottom)
        let nameWidth = RequestRowView.nameWidth(rows, width: list.width)
        let hasBoxes = requestState.tab != .auth
        let preview = RequestPreview(self, endpoint)
        for offset in 0..<list.height where top + offset < rows.count {
            let index = top + offset
            let line = Rect(column: list.column, row: list.row + offset, width: list.width, height: 1)
            var edit: RequestState.RowEdit?
            if case .row(let current) = requestState.editing, current.row == index { edit = current }
            var row = rows[index]
            if let edit, edit.column == .value, case .pair = row.kind, requestState.tab != .headers {
                row.problem = RequestRows.problem(
                    of: row.name, value: edit.field.text, by: workspace.parameterStyle(of: endpoint).rules, preview)
            }
            if row.problem.isEmpty, row.isEnabled, row.mayHaveTemplates {
                row.problem = preview.problem(of: row.name) ?? preview.problem(of: row.value) ?? ""
            }
            RequestRowView(row: row, nameWidth: nameWidth, hasBoxes: hasBoxes, edit: edit).draw(on: &canvas, in: line)
            if index == requestState.row, edit == nil {
                canvas.select(row: line.row, in: line, isFocused: isActive(.request))
            }
        }
    }

    /// Draws the endpoint's `description:` at the bottom of `room`, the part of the list without rows, truncated to fit.
    private func drawDescription(of endpoint: Endpoint, on canvas: inout Canvas, in room: Rect) {
        guard let summary = endpoint.summary, room.height > 0 else { return }
        var lines = WrappedText.lines(summary, width: room.width)
        if lines.count > room.height {
            lines = Array(lines[..<room.height])
            lines[room.height - 1] = CellWidth.truncated(lines[room.height - 1] + " …", to: room.width)
        }
        for (offset, line) in lines.enumerated() {
            canvas.write(line, at: Point(column: room.column, row: room.endRow - lines.count + offset), style: .muted, width: room.width)
        }
    }

    private var emptyRowsHint: String {
        switch requestState.tab {
        case .params: "No parameters. \(key(.addRow)) adds one."
        case .headers: "No headers. \(key(.addRow)) adds one."
        case .body, .auth, .options: "Nothing here."
        }
    }

    /// The area of the rows.
    var requestListRect: Rect {
        let inner = layout.request.inset(columns: 2, rows: 1)
        return inner.split(topHeight: 2).bottom
    }

    func requestTop(count: Int) -> Int {
        let height = requestListRect.height
        return Window.limited(max(0, requestState.row) - height * 2 / 3, count: count, height: height)
    }

    func areaTop(_ area: TextArea) -> Int {
        let height = requestListRect.height
        return Window.limited(area.row - height * 2 / 3, count: area.lines.count, height: height)
    }

    /// Handles a click on a tab, the request line, a row or a position in a text.
    mutating func clickRequest(at point: Point, _ layout: Layout) {
        guard let endpoint = openEndpoint else { return }
        let inner = layout.request.inset(columns: 2, rows: 1)
        if point.row == inner.row, point.row > layout.request.row {
            leaveEditing()
            requestState.row = -1
        } else if point.row == inner.row + 1, let index = requestTabBar(endpoint).index(atColumn: point.column - inner.column) {
            leaveEditing()
            requestState.tab = RequestTab.allCases[index]
        } else if requestListRect.contains(point) {
            clickRow(at: point)
        }
    }

    private mutating func clickRow(at point: Point) {
        let list = requestListRect
        if case .body(var area) = requestState.editing {
            area.moveCursor(row: areaTop(area) + point.row - list.row, column: point.column - list.column)
            requestState.editing = .body(area)
            return
        }
        let rows = requestRows
        let index = requestTop(count: rows.count) + point.row - list.row
        guard rows.indices.contains(index) else { return leaveEditing() }
        if case .row(let edit) = requestState.editing, edit.row == index { return }
        leaveEditing()
        requestState.row = min(index, max(0, requestRows.count - 1))
        // The checkbox is a button.
        if rows[index].listIndex != nil, point.column < list.column + 3 { toggleRow() }
    }
}
