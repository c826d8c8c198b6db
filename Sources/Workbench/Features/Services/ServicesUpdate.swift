internal import SortieTerminal
internal import WorkspaceModel

/// The services pane: the tree of services, endpoints and runs.
struct ServicesFeature: PaneFeature {
    let context = Context.services
    var guideTopic: String { "workspaces" }

    func contexts(_ state: AppState) -> [Context] { state.services.isFiltering ? Context.typingSearch : [.services, .panes] }

    func label(of command: Command, _ state: AppState) -> String? {
        switch command {
        case .back where hasSearchOrFilter(state): "Clear filter"
        case .accept where state.services.isFiltering: "Keep filter"
        case .search: "Filter"
        default: nil
        }
    }

    /// Commands that the palette performs on the tree while another pane has the focus.
    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .open: return open(&state)
        case .toggle: state.toggleFold()
        default: return nil
        }
        return []
    }

    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): state.moveInServices(movement)
        case .nextMatch where state.services.isFiltering: state.moveInServices(.down)
        case .previousMatch where state.services.isFiltering: state.moveInServices(.up)
        case .fold: state.foldSelected(-1)
        case .unfold: state.foldSelected(1)
        case .search:
            state.services.isFiltering = true
            state.services.filter = TextField()
            state.services.rebuild(state.workspace)
        case .accept where state.services.isFiltering:
            state.services.isFiltering = false
            if state.services.filter?.isEmpty == true { state.services.filter = nil }
            state.services.rebuild(state.workspace)
        case .leave where state.services.isFiltering:
            state.services.isFiltering = false
            _ = clearSearchOrFilter(&state)
        case .copy:
            switch state.services.selected {
            case .endpoint(let target): return state.copy(target.path, "the target")
            case .run(let name): return state.copy(name, "the name")
            default: return nil
            }
        default: return nil
        }
        return []
    }

    func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        guard state.services.isFiltering else { return [] }
        var filter = state.services.filter ?? TextField()
        filter.apply(change)
        state.services.filter = filter
        state.services.rebuild(state.workspace)
        state.selectFirstMatch()
        return []
    }

    func stopTyping(_ state: inout AppState) { state.services.isFiltering = false }

    func hasSearchOrFilter(_ state: AppState) -> Bool { state.services.filter != nil }

    func clearSearchOrFilter(_ state: inout AppState) -> Bool {
        guard state.services.filter != nil else { return false }
        state.services.filter = nil
        state.services.rebuild(state.workspace)
        return true
    }

    func runningCall(_ state: AppState) -> Call? {
        guard case .endpoint(let target) = state.services.selected else { return nil }
        return state.calls.sending(.endpoint(target))
    }

    /// Opens the selected item: an endpoint, a run, a file with problems; folds a service.
    private func open(_ state: inout AppState) -> [Effect] {
        switch state.services.selected {
        case .endpoint:
            state.openSelected()
            state.focus(.request)
        case .run(let name) where state.workspace.problem(of: .run(name)) != nil: return state.perform(.problems)
        case .run(let name): RunsFeature.look(at: name, &state)
        case .service, .group, .runs: state.toggleFold()
        case nil: break
        }
        return []
    }

    // MARK: Screen

    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) { state.drawServices(on: &canvas, in: rect) }

    func click(at point: Point, _ layout: Layout, _ state: inout AppState) {
        guard let index = state.serviceRow(at: point, layout.services) else { return }
        let row = state.services.rows[index]
        state.select(row.kind)
        if row.isFolded != nil { state.toggleFold() }
    }

    func doubleClick(at point: Point, _ layout: Layout, _ state: inout AppState) -> [Effect] {
        guard let index = state.serviceRow(at: point, layout.services), case .endpoint = state.services.rows[index].kind else { return [] }
        return open(&state)
    }
}

/// Selecting and folding rows of the tree.
extension AppState {
    mutating func moveInServices(_ movement: Movement) {
        let rows = services.rows
        guard !rows.isEmpty else { return }
        let index = movement.target(from: services.selectedIndex ?? 0, count: rows.count, page: layout.services.height - 2)
        select(rows[index].kind)
    }

    /// Selects a row of the tree and opens its endpoint, if it is one.
    mutating func select(_ kind: TreeRow.Kind) {
        services.selected = kind
        if case .endpoint = kind { dismissPast() }
        openSelected()
    }

    mutating func openSelected() {
        guard case .endpoint(let target) = services.selected, target != openTarget else { return }
        leaveEditing()
        openTarget = target
        if requests[target] == nil, let endpoint = endpoint(target) {
            // The first tab is the body if the endpoint has one and no parameters.
            var state = RequestState()
            state.tab = endpoint.query.isEmpty && endpoint.body != .none ? .body : .params
            requests[target] = state
        }
    }

    mutating func foldSelected(_ direction: Int) {
        guard let index = services.selectedIndex else { return }
        let row = services.rows[index]
        if direction < 0 {
            if row.isFolded == false {
                services.folded.insert(row.kind)
            } else if let parent = services.rows[..<index].last(where: { $0.depth < row.depth }) {
                select(parent.kind)
            }
        } else if row.isFolded == true {
            services.folded.remove(row.kind)
        } else if row.isFolded == false, index + 1 < services.rows.count {
            select(services.rows[index + 1].kind)
        }
        services.rebuild(workspace)
    }

    mutating func toggleFold() {
        guard let index = services.selectedIndex, let isFolded = services.rows[index].isFolded else { return }
        if isFolded {
            services.folded.remove(services.rows[index].kind)
        } else {
            services.folded.insert(services.rows[index].kind)
        }
        services.rebuild(workspace)
    }

    /// Keeps an endpoint selected while a filter is typed, so that Enter opens a match.
    mutating func selectFirstMatch() {
        if case .endpoint = services.selected, services.selectedIndex != nil { return openSelected() }
        let first = services.rows.first {
            if case .endpoint = $0.kind { return true }
            return false
        }
        if let first { select(first.kind) }
    }
}
