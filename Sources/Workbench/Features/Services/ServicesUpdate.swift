internal import SortieBase
internal import SortieTerminal
internal import WorkspaceModel

/// The services pane: the tree of services, endpoints and runs.
struct ServicesFeature: PaneFeature {
    let context = Context.services

    func guideAddress(_ state: AppState) -> String {
        switch state.services.selected {
        case .service: "workspaces#service-yaml"
        case .group, .endpoint: "workspaces#endpoints"
        case .runs, .run: "runs"
        case nil: "workspaces#begin"
        }
    }

    func contexts(_ state: AppState) -> [Context] { state.services.isFiltering ? Context.typingSearch : [.services, .panes] }

    func label(of command: Command, _ state: AppState) -> String? {
        switch command {
        case .back where hasSearchOrFilter(state): "Clear filter"
        case .back where canGoBack(state): "Clear marks"
        case .toggle: Self.selectedEndpoint(state).map { state.services.marked.contains($0) ? "Unmark" : "Mark" }
        case .newRun where canGoBack(state): "Run of \(state.services.marked.count)"
        case .accept where state.services.isFiltering: "Open"
        case .search: "Filter"
        default: nil
        }
    }

    func hint(of command: Command, _ state: AppState) -> Int? { command == .newRun && canGoBack(state) ? 1 : nil }

    func places(_ state: AppState) -> [ListPopup.Item] {
        func item(_ name: String, _ label: String, _ place: String, _ keywords: [String], _ kind: TreeRow.Kind) -> ListPopup.Item {
            .init(name: name, label: label, place: place, keywords: keywords) { state in
                Self.select(kind, &state)
                return open(&state)
            }
        }
        let endpoints = state.workspace.endpoints.map { state.drafts[$0.id]?.edited ?? $0 }.map { endpoint in
            let words = [endpoint.target, endpoint.path, FilePath.name(of: endpoint.target)]
            return item(endpoint.name, "\(StatusText.short(endpoint.method)) \(endpoint.target)", "Endpoint", words, .endpoint(endpoint.id))
        }
        let runs = state.workspace.runs.map { run in
            item(run.name, run.kind == .chain ? "a chain" : "a batch", "Run", [run.name, FilePath.name(of: run.name)], .run(run.name))
        }
        return endpoints + runs + state.workspace.services.map { item($0.name, $0.folder, "Service", [$0.folder], .service($0.folder)) }
    }

    /// Commands that the palette performs on the tree while another pane has the focus.
    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .open: return open(&state)
        case .toggle: Self.markOrFold(&state)
        default: return nil
        }
        return []
    }

    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): Self.move(movement, &state)
        case .nextMatch where state.services.isFiltering: Self.move(.down, &state)
        case .previousMatch where state.services.isFiltering: Self.move(.up, &state)
        case .fold: Self.fold(true, &state)
        case .unfold: Self.fold(false, &state)
        case .search:
            state.services.isFiltering = true
            state.services.setFilter(TextField(), state.workspace)
        case .accept where state.services.isFiltering:
            state.services.isFiltering = false
            if state.services.filter?.isEmpty == true { _ = clearSearchOrFilter(&state) }
            state.services.selected.map { Self.select($0, &state) }
        case .leave where state.services.isFiltering:
            state.services.isFiltering = false
            _ = clearSearchOrFilter(&state)
            if let openTarget = state.openTarget { state.services.select(TreeRow.Kind.endpoint(openTarget).key) }
        case .copy:
            switch state.services.selected {
            case .endpoint(let target): return ExportFeature.copy(("the target", target.path), &state)
            case .run(let name): return ExportFeature.copy(("the name", name), &state)
            default: return ExportFeature.copy(nil, &state)
            }
        default: return nil
        }
        return []
    }

    func typedText(_ state: AppState) -> TypedText? { state.services.isFiltering ? TypedText(state.services.filter ?? TextField()) : nil }

    func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        guard state.services.isFiltering else { return [] }
        var filter = state.services.filter ?? TextField()
        filter.apply(change)
        state.services.setFilter(filter, state.workspace)
        // The best match is selected, and Enter opens it.
        if !filter.isEmpty, let first = state.services.firstEndpoint { state.services.selected = first }
        return []
    }

    func exportSubject(_ state: AppState) -> ExportSubject? {
        switch state.services.selected {
        case .endpoint(let id): return state.endpoint(id).map { .endpoints(id.path, [$0]) }
        case .service(let path), .group(let path):
            let endpoints = state.workspace.endpoints.filter { $0.target.hasPrefix(path + "/") }.map { state.endpoint($0.id) ?? $0 }
            return endpoints.isEmpty ? nil : .endpoints(path, endpoints)
        case .run(let name): return .run(name)
        case .runs, nil: return nil
        }
    }

    func stopTyping(_ state: inout AppState) { state.services.isFiltering = false }

    func hasSearchOrFilter(_ state: AppState) -> Bool { state.services.filter != nil }

    func clearSearchOrFilter(_ state: inout AppState) -> Bool {
        guard state.services.filter != nil else { return false }
        state.services.setFilter(nil, state.workspace)
        return true
    }

    func canGoBack(_ state: AppState) -> Bool { !state.services.marked.isEmpty }

    func back(_ state: inout AppState) -> [Effect]? {
        guard canGoBack(state) else { return nil }
        state.services.clearMarks()
        return []
    }

    func runningCall(_ state: AppState) -> Call? { Self.selectedEndpoint(state).flatMap { state.calls.sending(.endpoint($0)) } }

    private static func selectedEndpoint(_ state: AppState) -> EndpointID? {
        if case .endpoint(let id) = state.services.selected { id } else { nil }
    }

    /// Marks the selected endpoint and goes to the next row, or folds a service.
    private static func markOrFold(_ state: inout AppState) {
        guard let id = selectedEndpoint(state) else { return state.services.toggleFold(state.workspace) }
        state.services.mark(id)
        move(.down, &state)
    }

    /// Opens the selected item: an endpoint, a service, a run, a file with problems; folds a folder.
    private func open(_ state: inout AppState) -> [Effect] {
        switch state.services.selected {
        case .endpoint:
            state.openSelected()
            state.focus(.request)
        case .run(let name) where state.workspace.problem(of: .run(name)) != nil: return state.perform(.problems)
        case .run: return state.perform(.showSelectedRun)
        case .service(let folder):
            if state.workspace.problem(of: .service(folder)) != nil { return state.perform(.problems) }
            state.open(service: folder)
        case .group, .runs: state.services.toggleFold(state.workspace)
        case nil: break
        }
        return []
    }

    // MARK: Screen

    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) { ServicesView(state, rect).draw(on: &canvas) }

    func click(at point: Point, _ layout: Layout, _ state: inout AppState) {
        guard let row = ServicesView(state, layout.services).row(at: point) else { return }
        Self.select(row.kind, &state)
        state.services.toggleFold(state.workspace)
    }

    func select(at point: Point, _ layout: Layout, _ state: inout AppState) {
        if let row = ServicesView(state, layout.services).row(at: point) { Self.select(row.kind, &state) }
    }

    func jumpPoints(_ layout: Layout, _ state: AppState) -> [Point] {
        let view = ServicesView(state, layout.services)
        let inner = layout.services.inset()
        return inner.rows.map { Point(column: inner.column, row: $0) }.filter { view.row(at: $0) != nil }
    }

    func doubleClick(at point: Point, _ layout: Layout, _ state: inout AppState) -> [Effect] {
        switch ServicesView(state, layout.services).row(at: point)?.kind {
        // The first press folded or unfolded it.
        case .service: state.services.toggleFold(state.workspace)
        case .endpoint: break
        default: return []
        }
        return open(&state)
    }
}

/// Selecting and folding rows of the tree.
extension ServicesFeature {
    private static func move(_ movement: Movement, _ state: inout AppState) {
        let services = state.services
        guard !services.rows.isEmpty else { return }
        if state.states[PointerState.self].isScrolling {
            let line = ServicesView(state, state.layout.services).lineOfSelected(afterScrolling: movement)
            (state.states[PointerState.self].place, state.states[PointerState.self].line) = (.pane(.services), line)
            return
        }
        let page = state.layout.services.height - 2
        let row = services.rows[movement.target(from: services.selectedIndex ?? 0, count: services.rows.count, page: page)].kind
        // While the filter is typed, Enter opens the row.
        if services.isFiltering { state.services.selected = row } else { select(row, &state) }
    }

    private static func fold(_ folds: Bool, _ state: inout AppState) {
        if let other = state.services.setFolded(folds, state.workspace) { select(other, &state) }
    }

    /// Selects a row of the tree, unfolds what it is in, and opens its endpoint, if it is one.
    static func select(_ kind: TreeRow.Kind, _ state: inout AppState) {
        state.services.reveal(kind, state.workspace)
        state.services.selected = kind
        if case .endpoint = kind { ResponseFeature.dismissPast(&state) }
        state.openSelected()
    }
}

extension AppState {
    /// Shows a service in the request pane, in place of the endpoint, and selects it.
    mutating func open(service folder: String) {
        stopEditing()
        let before = openTarget ?? openService?.before
        openTarget = nil
        openService = OpenService(folder: folder, before: before)
        if services.rows.contains(where: { $0.kind == .service(folder) }) { services.selected = .service(folder) }
        focus(.request)
    }

    /// Opens the endpoint that is selected in Services in the request and response panes.
    ///
    /// A method of the state, as the features that change the workspace's files call it, and Services itself depends on some of them.
    mutating func openSelected() {
        guard case .endpoint(let target) = services.selected, target != openTarget else { return }
        stopEditing()
        openTarget = target
        if requests[target] == nil, let endpoint = endpoint(target) { requests[target] = RequestState(of: endpoint) }
    }
}
