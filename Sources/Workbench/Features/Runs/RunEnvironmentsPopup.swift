internal import SortieTerminal
internal import WorkspaceModel

/// The choice of the environments in which a run is started, one after the other.
struct RunEnvironmentsPopup: Popup {
    private let run: String
    private let environments: [String]
    private var marked: Set<String>
    private var list: ListPopup

    /// Creates the choice.
    ///
    /// - Parameter marked: The environments that are marked at first.
    init(run: String, environments: [(name: String, detail: String)], marked: Set<String>) {
        self.run = run
        self.environments = environments.map(\.name)
        self.marked = marked
        let items = environments.map { ListPopup.Item.plain(key: Self.mark(marked.contains($0.name)), label: $0.name, detail: $0.detail) }
        list = ListPopup(title: "Run \(run) in environments", items: items)
        list.selected = self.environments.firstIndex { marked.contains($0) } ?? 0
    }

    private static func mark(_ isMarked: Bool) -> String { isMarked ? "[x]" : "[ ]" }

    private mutating func setMark(_ index: Int, _ isMarked: Bool) {
        if isMarked { marked.insert(environments[index]) } else { marked.remove(environments[index]) }
        list.items[index].key = Self.mark(isMarked)
    }

    // MARK: Popup

    var contexts: [Context] { [.runEnvironments, .menu] }
    var guideAddress: String? { "runs#several-environments" }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .toggle: setMark(list.selected, !marked.contains(environments[list.selected]))
        case .markAllEnvironments:
            let marksAll = marked.count < environments.count
            for index in environments.indices { setMark(index, marksAll) }
        case .choose:
            let chosen = environments.filter(marked.contains)
            guard !chosen.isEmpty else {
                state.toast = Toast("Mark an environment first: \(state.key(.toggle, in: .runEnvironments))", .warning)
                return []
            }
            state.popups.pop()
            return RunsFeature.start(run, in: chosen, &state)
        default: return list.perform(command, &state)
        }
        return []
    }

    mutating func name(_ character: Character, isKey: Bool, _ state: inout AppState) -> [Effect]? {
        list.name(character, isKey: isKey, &state)
    }

    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] {
        guard mouse.kind == .press else { return list.use(mouse, &state) }
        guard let index = list.window(in: area(state)).index(at: mouse.position) else { return [] }
        list.selected = index
        return perform(.toggle, &state) ?? []
    }

    func area(_ state: AppState) -> Rect { list.area(state) }

    func draw(on canvas: inout Canvas, _ state: AppState) { list.draw(on: &canvas, state) }
}

/// The choice of the environments of a run.
extension RunsFeature {
    /// The run for which environments are chosen: that of Services, while it has the focus, otherwise the shown one.
    static func runForEnvironments(_ state: AppState) -> String? {
        if state.focus == .services {
            if case .run(let name) = state.services.selected { return name }
            if let folder = selectedFolder(state), state.workspace.run(named: folder)?.steps.isEmpty == false { return folder }
        }
        return state.states[RunsState.self].shown
    }

    /// Asks in which environments the run is started; those of its last start are marked.
    static func chooseEnvironments(_ state: inout AppState) {
        guard let name = runForEnvironments(state) else { return }
        let last = state.runs[name].map { $0.areSeveral ? $0.views.compactMap(\.environment) : [] } ?? []
        let marked = last.isEmpty ? [state.environment].compactMap(\.self) : last
        let environments = state.workspace.environments.map { environment in
            (name: environment.name, detail: environment.name == state.environment ? "selected in the workbench" : "")
        }
        state.stopEditing()
        state.popups.show(RunEnvironmentsPopup(run: name, environments: environments, marked: Set(marked)))
    }
}
