internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The services pane: the tree of services, endpoints and runs.
struct ServicesView {
    private let state: AppState
    /// The area of the pane with its border.
    private let rect: Rect

    private let services: ServicesState
    /// Finds endpoints that cannot be sent in the environment, because nothing defines a variable that they use.
    private let needs: TemplateNeedsScan

    init(_ state: AppState, _ rect: Rect) {
        self.state = state
        self.rect = rect
        services = state.services
        needs = state.needsScan
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
            rowView(row, width: list.width).draw(on: &canvas, at: Point(column: list.column, row: list.row + offset))
            if row.kind == services.selected {
                canvas.select(row: list.row + offset, in: list, isFocused: state.isActive(.services))
            }
        }
        drawFacts(on: &canvas, in: list.split(topHeight: min(list.height, services.rows.count)).bottom)
    }

    private func rowView(_ row: TreeRow, width: Int) -> TreeRowView {
        var view = TreeRowView(row: row, width: width)
        view.git = row.file.flatMap { state.git.marks[$0] }
        view.hasGitColumn = !state.git.marks.isEmpty
        switch row.kind {
        case .endpoint(let target):
            // The draft has the name and the method that the user sees in Request.
            if let endpoint = state.endpoint(target) {
                view.row.method = row.isUnreadable ? nil : endpoint.shownMethod
                if row.isUnreadable { view.row.name = endpoint.name }
            }
            view.isOpen = target == state.openTarget
            view.isEdited = state.drafts[target]?.isEdited == true
            if !row.isUnreadable { view.mark = mark(of: target) ?? undefinedMark(of: target) }
        case .service, .runs: if row.isUnreadable { view.mark = Span("✗", .error) }
        case .group, .run: break
        }
        return view
    }

    /// Draws what is known about the open endpoint below the tree, where at least a few lines are free.
    private func drawFacts(on canvas: inout Canvas, in room: Rect) {
        // Beside the response, Request has free rows itself.
        guard room.height >= EndpointFacts.leastHeight, !state.layout.isSideBySide, let endpoint = state.openEndpoint else { return }
        let lines = EndpointFacts(state, endpoint).linesWithHeading(width: room.width, height: room.height - 1)
        for (offset, line) in lines.enumerated() {
            canvas.write(line, at: Point(column: room.column, row: room.endRow - lines.count + offset), width: room.width)
        }
    }

    /// The mark for an endpoint that uses an undefined variable; muted where only runs supply it.
    private func undefinedMark(of target: EndpointID) -> Span? {
        let undefined = state.endpoint(target).map { needs.needs(of: $0).undefined } ?? []
        return undefined.isEmpty ? nil : Span("{}", undefined.allSatisfy { $0.contains(".") } ? .muted : .warning)
    }

    /// The mark for the state of the endpoint's latest call.
    private func mark(of target: EndpointID) -> Span? {
        guard let call = state.calls[target] else { return nil }
        switch call.phase {
        case .sending where state.calls.isWaiting(call.id): return Span("⏸", .warning)
        case .sending, .cancelling: return Span(Spinner.frame(at: state.now), .accent)
        case .notSent: return Span("✗", .error)
        case .finished(let exchange):
            // The result of another request says nothing about the one that the row has now.
            if state.requestChange(since: call)?.isOtherRequest == true { return nil }
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
