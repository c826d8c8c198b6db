internal import SortieWorkbench

extension Action {
    /// Whether the action can change unsaved edits, or the names of their endpoints.
    var mayEdit: Bool {
        switch self {
        // The result of pasted commands is new drafts.
        case .worked, .input, .saved, .edited, .workspaceLoaded, .workspaceEdited, .hooksChanged: true
        default: false
        }
    }
}
