internal import WorkspaceModel

extension AppState {
    /// The rows of the open view of variables; empty where it is closed.
    var shownVariables: [VariableTable.Row] {
        mutating get {
            var rows: [VariableTable.Row] = []
            var open: VariablesPopup?
            popups.change(VariablesPopup.self) { open = $0 }
            if let open { rows = open.rows(self) }
            return rows
        }
    }

    /// Keeps a row of the view of variables selected across a change of the files.
    mutating func keepSelectedVariable(after edit: WorkspaceEdit, undone: WorkspaceEdit?, before: [VariableTable.Row]) {
        popups.change(VariablesPopup.self) { $0.keepSelection(after: edit, undone: undone, before: before) }
    }
}
