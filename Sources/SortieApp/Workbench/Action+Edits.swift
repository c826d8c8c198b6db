internal import SortieWorkbench

extension Action {
    /// Whether the action can change unsaved edits, or the names of their endpoints.
    var mayEdit: Bool {
        switch self {
        case .input, .saved, .edited, .workspaceLoaded, .workspaceEdited, .hooksChanged: true
        default: false
        }
    }
}
