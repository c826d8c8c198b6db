internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The variables and secrets of all environments: showing, comparing, editing, and defining unresolved ones.
struct VariablesFeature: Feature {
    let stacks: [[Context]] = [[.variables], Context.typingSearch]

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .variables:
            state.stopEditing()
            state.popups.show(VariablesPopup())
        case .defineVariable:
            guard let name = Self.undefinedName(state) else { return [] }
            state.stopEditing()
            Self.add(name, in: state.environment, &state)
        default: return nil
        }
        return []
    }

    // MARK: Unresolved names

    /// A name in the open request that nothing defines: of the selected row, else the first one.
    static func undefinedName(_ state: AppState) -> String? {
        guard let endpoint = state.openEndpoint else { return nil }
        let scan = state.needsScan
        if let row = RequestFeature.selectedRow(state), row.value.contains("{{") || row.name.contains("{{"),
            let name = scan.needs(of: [row.name, row.value], in: endpoint).undefined.first
        {
            return name
        }
        return scan.needs(of: endpoint).undefined.first
    }

    // MARK: Uses

    /// Lists the places that use a variable.
    static func showUses(of row: VariableTable.Row, _ state: inout AppState) {
        guard !row.uses.isEmpty else {
            state.toast = Toast("Nothing in the files uses {{\(row.name)}}")
            return
        }
        let items = row.uses.map { place in
            ListPopup.Item(key: "\(place.file):\(place.line)", label: label(of: place.file, state)) { jump(to: place, name: row.name, &$0) }
        }
        var list = ListPopup(title: "Uses of {{\(row.name)}}", items: items, filter: TextField())
        list.selectCurrent()
        state.popups.push(list)
    }

    /// The item that a file describes.
    private static func label(of file: String, _ state: AppState) -> String {
        if let endpoint = state.workspace.endpoints.first(where: { $0.location?.file == file }) {
            return "\(endpoint.shownMethod.rawValue) \(endpoint.name)"
        }
        if let service = state.workspace.services.first(where: { $0.location?.file == file }) { return "service \(service.name)" }
        if let run = state.workspace.runs.first(where: { $0.location?.file == file }) { return "\(run.kind.rawValue) \(run.name)" }
        return file == "workspace.yaml" ? "the workspace" : ""
    }

    /// Shows a place: the row of an endpoint that uses the name, a service or a run in the tree, another file in `$EDITOR`.
    private static func jump(to place: SourceLocation, name: String, _ state: inout AppState) -> [Effect] {
        state.popups.removeAll()
        if let endpoint = state.workspace.endpoints.first(where: { $0.location?.file == place.file }) {
            ServicesFeature.select(.endpoint(endpoint.id), &state)
            state.focus(.request)
            selectRow(using: name, &state)
            return []
        }
        guard place.file != "workspace.yaml" else { return [.openFile(state.nextJob(OpenFileJob()), place)] }
        state.services.showRow(of: place.file, in: state.workspace)
        state.openSelected()
        state.focus(.services)
        return []
    }

    /// Selects the first row of the request whose text uses a name.
    private static func selectRow(using name: String, _ state: inout AppState) {
        guard let endpoint = state.openEndpoint else { return }
        func uses(_ text: String) -> Bool {
            Template(text).segments.contains { if case .variable(name, _) = $0 { true } else { false } }
        }
        if uses(endpoint.path) {
            state.requestState.row = -1
            return
        }
        let tab = state.requestState.tab
        for candidate in RequestTab.allCases {
            state.requestState.tab = candidate
            if let index = RequestFeature.rows(state).firstIndex(where: { uses($0.name) || uses($0.value) }) {
                state.requestState.row = index
                return
            }
        }
        state.requestState.tab = tab
    }
}
