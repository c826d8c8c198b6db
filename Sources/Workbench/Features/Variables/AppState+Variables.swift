internal import WorkspaceModel

extension AppState {
    /// Finds what templates need in the selected environment.
    var needsScan: TemplateNeedsScan { TemplateNeedsScan(workspace, environment: environment, overrides: overrides) }

    /// Whether the variables are the popup that is shown.
    var showsVariables: Bool { popup is VariablesPopup }

    /// Opens a form, above the variables where they are shown.
    mutating func showForm(_ form: Form) {
        if showsVariables { popups.push(form) } else { popups.show(form) }
    }

    /// The message about a name that nothing defines, with the key that defines it.
    static func message(undefined name: String, nearest: String?, _ keymap: Keymap) -> String {
        let hint = nearest.map { "; did you mean {{\($0)}}?" }
        let remedy = keymap.keyLabel(of: .defineVariable).map { "\(hint == nil ? ";" : "") \($0) defines it" } ?? ""
        return "nothing defines {{\(name)}}" + (hint ?? "") + remedy
    }
}
