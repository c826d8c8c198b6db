internal import WorkspaceModel

/// The forms that the next session opens again, with what was typed in them.
enum FormDrafts {
    static let environment = "environment"
    static let variable = "variable"
    static let value = "value"
    static let endpoint = "endpoint"
    static let folder = "folder"
    static let service = "service"

    /// Opens forms above what is open; one whose subject does not exist any more is left out.
    static func restore(_ drafts: [FormDraft], _ state: inout AppState) {
        for draft in drafts {
            let popups = state.popups
            state.popups = PopupStack()
            show(draft, &state)
            var form = state.popups.popup(Form.self)
            form?.set(draft.values)
            state.popups = popups
            if let form { state.popups.push(form) }
        }
    }

    private static func show(_ draft: FormDraft, _ state: inout AppState) {
        switch draft.kind {
        case environment: ItemsFeature.newEnvironment(from: nil, &state)
        case endpoint: ItemsFeature.newEndpoint(&state)
        case folder: ItemsFeature.newFolder(&state)
        case service: ItemsFeature.newService(&state)
        case variable: VariablesFeature.add(nil, in: nil, &state)
        case value:
            guard let name = draft.subject.first else { return }
            VariablesFeature.edit(name, in: draft.subject.dropFirst().first, &state)
        default: break
        }
    }
}
