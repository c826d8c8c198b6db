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

/// The rows of the view of variables before a change of the files, by which the same row stays selected after it.
struct VariableSelection {
    private let rows: [VariableTable.Row]

    /// The rows as they are now; nil when the view is closed.
    init?(_ state: AppState) {
        guard let popup = state.popups.popup(VariablesPopup.self) else { return nil }
        rows = popup.rows(state)
    }

    /// Selects the row of the same variable, which the change may have renamed; else the row at the same place.
    func restore(after edit: WorkspaceEdit, undone: WorkspaceEdit?, in popups: inout PopupStack) {
        popups.change(VariablesPopup.self) { $0.keepSelection(after: edit, undone: undone, before: rows) }
    }
}

extension AppState {
    /// The selection of the view of variables; nil when the view is closed.
    var variableSelection: VariableSelection? { VariableSelection(self) }
}

extension Context {
    /// The variables popup.
    static let variables = Context("Variables")
}

extension Command {
    static let variables = Command.named("variables")
    static let defineVariable = Command.named("defineVariable")
    static let renameVariable = Command.named("renameVariable", isInPalette: false)
    static let compareEnvironments = Command.named("compareEnvironments", isInPalette: false)
    static let openDefinition = Command.named("openDefinition", isInPalette: false)
}

extension VariablesFeature {
    var bindings: [Binding] {
        Binding.movements(.variables, "variable") + [
            Binding(.variables, [.left, .character("h")], .previousTab, "Left", "Go to the environment on the left"),
            Binding(.variables, [.right, .character("l")], .nextTab, "Right", "Go to the environment on the right"),
            Binding(.variables, [.enter], .open, "Uses", "List the places that use the variable, and go to one", hint: 1, unless: Self.noVariable),
            Binding(.variables, [.character("e")], .editRow, "Edit", "Edit the value in the environment", hint: 2, unless: Self.noVariable),
            Binding(.variables, [.character("a")], .addRow, "Add", "Add a variable or a secret", hint: 3),
            Binding(
                .variables, [.character("d"), .delete], .deleteRow, "Delete", "Delete the variable; it can be undone", hint: 4,
                unless: Self.noVariable),
            Binding(
                .variables, [.character("r")], .renameVariable, "Rename", "Rename the variable; the templates that use it can follow", hint: 7,
                unless: Self.noVariable),
            Binding(
                .variables, [.character("u")], .undoItems, "Undo", "Undo the last change of the workspace's files", hint: 8,
                unless: ItemsFeature.nothingToUndo),
            Binding(
                .variables, [.character("c")], .compareEnvironments, "Compare",
                "Show only what differs between the environment and another one; again for the next one", hint: 5, unless: Self.nothingToCompare),
            Binding(.variables, [.character("/")], .search, "Filter", "Show the variables whose name or value contains a text", hint: 6),
            Binding(.variables, [.character("x")], .reveal, "Reveal", "Show the value until the next key", hint: 9, unless: Self.noVariable),
            Binding(
                .variables, [.character("s")], .makeSecret, "Secret", "Make the value a secret: the files get {{name}}, this machine the value",
                unless: Self.noVariable),
            Binding(.variables, [.character("S")], .toggleSecrets, "Secrets", "Show values with secret names, or mask them again"),
            Binding(.variables, [.character("n")], .newEnvironment, "New environment", "Create an environment, as a copy of another one or empty")
                .alsoKnownAs("Create an environment", "Add an environment"),
            Binding(
                .variables, [.character("o")], .openDefinition, "Open", "Open the file in $EDITOR at the definition", unless: Self.noVariable),
            Binding(.variables, [.character("y")], .copy, "Copy", "Copy the value, with unresolved templates", unless: Self.noVariable),
            Binding(.variables, [.escape, .control("c"), .character("q")], .close, "Close", "Close the variables", hint: 20),
            Binding(.panes, [.character("E")], .variables, "Variables", "Show, compare and edit variables", hint: 7)
                .alsoKnownAs("Compare environments", "Secrets"),
            Binding(
                .request, [.character("+")], .defineVariable, "Define", "Define a variable that the request uses and nothing defines", hint: 2,
                unless: Self.nothingUndefined
            ).alsoKnownAs("Unresolved variable", "New variable"),
        ]
    }

    private static func noVariable(_ state: AppState) -> String? {
        guard let popup = state.popup as? VariablesPopup else { return "The variables are not open; \(state.key(.variables)) shows them" }
        return popup.chosen(state) == nil ? "No variable is selected" : nil
    }

    private static func nothingToCompare(_ state: AppState) -> String? {
        state.workspace.environments.count > 1 ? nil : "There is no other environment; \(state.key(.newEnvironment, in: .variables)) creates one"
    }

    private static func nothingUndefined(_ state: AppState) -> String? {
        state.noEndpointReason ?? (undefinedName(state) == nil ? "Every variable of this request is defined" : nil)
    }
}
