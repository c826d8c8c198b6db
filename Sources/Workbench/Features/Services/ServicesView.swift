internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The services pane: the tree of services, endpoints and runs.
struct ServicesView {
    private let state: AppState
    /// The area of the pane with its border.
    private let rect: Rect

    private let services: ServicesState

    init(_ state: AppState, _ rect: Rect) {
        self.state = state
        self.rect = rect
        services = state.services
    }

    func draw(on canvas: inout Canvas) {
        canvas.box(rect, title: [Span("Services", state.titleStyle(.services))], style: state.borderStyle(.services))
        let list = list
        if services.filter != nil, rect.height > 3 {
            let point = Point(column: rect.column + 1, row: rect.endRow - 2)
            canvas.write("/", at: point, style: .key)
            if services.isFiltering {
                services.filter?.draw(on: &canvas, at: point.moved(columns: 1), width: rect.width - 3, placeholder: "filter")
            } else {
                canvas.write(services.filter?.text ?? "", at: point.moved(columns: 1), style: .accent, width: rect.width - 3)
            }
        }
        guard !services.rows.isEmpty else {
            let isFiltered = services.filter?.isEmpty == false
            canvas.writeHint(
                isFiltered
                    ? ["Nothing matches.", "\(state.key(.back)) shows all."]
                    : [
                        "No services yet.",
                        "A folder with a service.yaml is a service; every other YAML file in it is an endpoint.",
                    ], in: list)
            return
        }
        let top = top
        for offset in 0..<list.height where top + offset < services.rows.count {
            let row = services.rows[top + offset]
            draw(row, on: &canvas, at: Point(column: list.column, row: list.row + offset), width: list.width)
            if row.kind == services.selected {
                canvas.select(row: list.row + offset, in: list, isFocused: state.isActive(.services))
            }
        }
    }

    private func draw(_ row: TreeRow, on canvas: inout Canvas, at point: Point, width: Int) {
        let indent = String(repeating: " ", count: min(row.depth, 8))
        var spans = [Span(indent)]
        var mark: Span?
        switch row.kind {
        case .service, .runs:
            spans += [Span(row.isFolded == true ? "▸ " : "▾ ", .muted), Span(row.name, .strong)]
            if row.isUnreadable { mark = Span("✗", .error) }
        case .group:
            spans += [Span(row.isFolded == true ? "▸ " : "▾ ", .muted), Span(row.name)]
        case .endpoint(let target) where row.isUnreadable:
            spans.append(Span("✗    ", .error))
            spans.append(Span(state.endpoint(target)?.name ?? row.name, target == state.openTarget ? .strong : .muted))
        case .endpoint(let target):
            if let method = state.endpoint(target)?.method ?? row.method {
                let name = StatusText.short(method)
                spans.append(Span(name + String(repeating: " ", count: max(1, 5 - name.count)), StatusText.style(of: method)))
            }
            mark = self.mark(of: target)
            spans.append(Span(row.name, target == state.openTarget ? .strong : .text))
        case .run: spans += [row.isUnreadable ? Span("✗ ", .error) : Span("  "), Span(row.name, row.isUnreadable ? .muted : .text)]
        }
        let markWidth = mark.map { CellWidth.width(of: $0.text) + 1 } ?? 0
        let isEdited = if case .endpoint(let target) = row.kind { state.drafts[target]?.isEdited == true } else { false }
        let room = max(0, width - markWidth - (isEdited ? 2 : 0))
        // The name is the last span; it is truncated before the mark.
        if let name = spans.popLast() {
            let before = spans.reduce(0) { $0 + CellWidth.width(of: $1.text) }
            spans.append(Span(CellWidth.truncated(name.text, to: max(0, room - before)), name.style))
        }
        let used = canvas.write(spans, at: point, width: room)
        if isEdited { canvas.write(" •", at: point.moved(columns: used), style: .accent) }
        if let mark { canvas.write([mark], at: point.moved(columns: width - markWidth + 1)) }
    }

    /// The mark for the state of the endpoint's latest call.
    private func mark(of target: EndpointID) -> Span? {
        guard let call = state.calls[target] else { return nil }
        switch call.phase {
        case .sending where state.calls.isWaiting(call.id): return Span("⏸", .warning)
        case .sending, .cancelling: return Span(Spinner.frame(at: state.now), .accent)
        case .notSent: return Span("✗", .error)
        case .finished(let exchange):
            if call.isCancelled { return Span("–", .muted) }
            guard exchange.error == nil, let status = exchange.response?.status else { return Span("✗", .error) }
            return Span(String(status), StatusText.style(ofStatus: status))
        }
    }

    private var list: Rect {
        let inner = rect.inset()
        return services.filter != nil && rect.height > 3 ? inner.split(bottomHeight: 1).top : inner
    }

    private var top: Int {
        // The selection stays at two thirds of the height where possible, so that the following rows are visible.
        guard let index = services.selectedIndex else { return 0 }
        return Window.limited(index - list.height * 2 / 3, count: services.rows.count, height: list.height)
    }

    /// The row of the tree at a point.
    func row(at point: Point) -> TreeRow? {
        guard list.contains(point) else { return nil }
        let index = top + point.row - list.row
        return services.rows.indices.contains(index) ? services.rows[index] : nil
    }
}
