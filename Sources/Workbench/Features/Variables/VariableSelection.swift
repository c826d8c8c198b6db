internal import WorkspaceModel

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
