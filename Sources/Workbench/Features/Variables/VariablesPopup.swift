internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The variables of all environments: a row for each variable, a column for each environment.
struct VariablesPopup: Popup {
    /// The name of the selected variable; nil for the first one.
    private(set) var name: String?
    /// The index of the selected row, for when its variable is deleted.
    private var index = 0
    /// The selected column.
    private(set) var column = 0
    /// The filter of the rows; nil when all are shown.
    private(set) var filter: TextField?
    private(set) var isFiltering = false
    /// The environment that is compared with the selected one; equal rows are hidden then.
    private(set) var compared: String?

    var guideAddress: String? { "workspaces#variables-in-the-workbench" }
    var contexts: [Context] { isFiltering ? Context.typingSearch : [.variables] }

    // MARK: Rows

    /// The environments of the columns, the selected one first; nil for a workspace without environments.
    func environments(_ state: AppState) -> [String?] {
        let names = state.workspace.environments.map(\.name)
        guard !names.isEmpty else { return [nil] }
        if let compared = compared(state) { return [state.environment, compared] }
        return [state.environment] + names.filter { $0 != state.environment }
    }

    private func compared(_ state: AppState) -> String? {
        compared.flatMap { name in state.workspace.environments.contains { $0.name == name } && name != state.environment ? name : nil }
    }

    /// The rows that are shown.
    func rows(_ state: AppState) -> [VariableTable.Row] {
        var rows = VariableTable(state.workspace, overrides: state.overrides).rows
        if let other = compared(state) {
            rows.removeAll { row in
                let (own, others) = (row.definition(in: state.environment), row.definition(in: other))
                return own?.text == others?.text && own?.secret == others?.secret
            }
        }
        guard let text = filter?.text.lowercased(), !text.isEmpty else { return rows }
        return rows.filter { row in
            row.name.lowercased().contains(text)
                || row.definitions.contains { !Self.isMasked(row.name, $0, state) && $0.text.lowercased().contains(text) }
        }
    }

    /// The selected row, the environment of the selected column, and the definition that applies there.
    struct Choice {
        var row: VariableTable.Row
        var environment: String?
        var definition: VariableTable.Definition?
    }

    func chosen(_ state: AppState) -> Choice? { chosen(of: rows(state), state) }

    /// The selection among the shown rows.
    func chosen(of rows: [VariableTable.Row], _ state: AppState) -> Choice? {
        guard !rows.isEmpty else { return nil }
        let row = rows[selectedIndex(rows)]
        let environments = environments(state)
        let environment = environments[column.clamped(to: 0...environments.count - 1)]
        return Choice(row: row, environment: environment, definition: row.definition(in: environment))
    }

    func selectedIndex(_ rows: [VariableTable.Row]) -> Int {
        rows.firstIndex { $0.name == name } ?? index.clamped(to: 0...max(0, rows.count - 1))
    }

    /// Selects a variable, also one that is about to be added.
    mutating func select(_ name: String) { self.name = name }

    /// Keeps a row selected across a change of the files: the variable that had another name, else the row at its index.
    mutating func keepSelection(after edit: WorkspaceEdit, undone: WorkspaceEdit?, before: [VariableTable.Row]) {
        index = selectedIndex(before)
        switch edit {
        case .apply: if let name = undone?.variableName { self.name = name }
        case .renameVariable(let old, let new, _): if name == old { name = new }
        default: break
        }
        if name == nil, before.indices.contains(index) { name = before[index].name }
    }

    private mutating func move(_ movement: Movement, _ state: AppState) {
        let rows = rows(state)
        guard !rows.isEmpty else { return }
        index = movement.target(from: selectedIndex(rows), count: rows.count, page: Self.page(state))
        name = rows[index].name
    }

    private mutating func moveColumn(by distance: Int, _ state: AppState) {
        column = (column + distance).clamped(to: 0...environments(state).count - 1)
    }

    /// Compares with the next environment; after the last one, all rows are shown again.
    private mutating func compareNext(_ state: inout AppState) {
        let others = state.workspace.environments.map(\.name).filter { $0 != state.environment }
        let next = compared(state).flatMap { others.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        compared = others.indices.contains(next) ? others[next] : nil
        column = 0
        state.toast = Toast(compared.map { "What differs between \(state.environment ?? "") and \($0)" } ?? "All variables")
    }

    // MARK: Commands

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): move(movement, state)
        case .nextMatch: move(.down, state)
        case .previousMatch: move(.up, state)
        case .nextTab: moveColumn(by: 1, state)
        case .previousTab: moveColumn(by: -1, state)
        case .open: if let choice = chosen(state) { VariablesFeature.showUses(of: choice.row, &state) }
        case .addRow: VariablesFeature.add(nil, in: chosen(state)?.environment ?? state.environment, &state)
        case .editRow: if let choice = chosen(state) { VariablesFeature.edit(choice, &state) }
        case .makeSecret: if let choice = chosen(state) { VariablesFeature.makeSecret(choice, &state) }
        case .deleteRow: return chosen(state).map { VariablesFeature.delete($0, &state) } ?? []
        case .renameVariable: if let choice = chosen(state) { VariablesFeature.rename(choice.row, &state) }
        case .compareEnvironments: compareNext(&state)
        case .reveal: return reveal(&state)
        case .openDefinition:
            guard let place = chosen(state)?.definition?.location else {
                state.toast = Toast("No file defines it here", .warning)
                break
            }
            return [.openFile(state.nextJob(OpenFileJob()), place)]
        case .copy:
            guard let choice = chosen(state), let definition = choice.definition else { return state.copy("", "the value") }
            return state.copy(definition.text, definition.secret == nil ? "the value of \(choice.row.name)" : "the source of \(choice.row.name)")
        case .search:
            isFiltering = true
            filter = TextField()
        case .accept:
            isFiltering = false
            if filter?.isEmpty == true { filter = nil }
        case .leave: (isFiltering, filter) = (false, nil)
        case .close:
            // Esc goes back to all rows first.
            if filter != nil || compared != nil { (filter, compared) = (nil, nil) } else { state.popups.pop() }
        default: return nil
        }
        return []
    }

    private func reveal(_ state: inout AppState) -> [Effect] {
        guard let choice = chosen(state) else { return [] }
        let endpoint = Endpoint(target: "", name: "", path: "")
        let scan = TemplateNeedsScan(state.workspace, environment: choice.environment, overrides: state.overrides)
        return RevealFeature.reveal(scan.needs(of: ["{{\(choice.row.name)}}"], in: endpoint).secrets, &state)
    }

    mutating func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        filter?.apply(change)
        return []
    }

    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] {
        switch mouse.kind {
        case .scrollUp: for _ in 0..<3 { move(.up, state) }
        case .scrollDown: for _ in 0..<3 { move(.down, state) }
        case .press, .doubleClick:
            if mouse.kind == .press, let command = command(at: mouse.position, state) {
                return perform(command, &state) ?? state.perform(command)
            }
            guard let (row, column) = cell(at: mouse.position, state) else { break }
            name = row
            self.column = column ?? self.column
            if mouse.kind == .doubleClick { return perform(.editRow, &state) ?? [] }
        case .release, .drag: break
        }
        return []
    }

    func area(_ state: AppState) -> Rect { Self.frame(in: state.popupArea) }

    // MARK: Values

    /// Whether the value of a definition is secret by its name, and not only a template.
    static func isMasked(_ name: String, _ definition: VariableTable.Definition, _ state: AppState) -> Bool {
        guard definition.secret == nil, !definition.text.isEmpty, state.secrets.isSecretPath(name) else { return false }
        return Template(definition.text).segments.contains { if case .text = $0 { true } else { false } }
    }
}

extension WorkspaceEdit {
    /// The variable that the edit changes, by its name before; nil for other edits.
    fileprivate var variableName: String? {
        switch self {
        case .setVariable(let key, _, _): key.name
        case .declareSecrets(let declarations): declarations.variables.first?.key.name ?? declarations.secrets.first?.name
        case .deleteVariable(let name, _), .renameVariable(let name, _, _): name
        default: nil
        }
    }
}
