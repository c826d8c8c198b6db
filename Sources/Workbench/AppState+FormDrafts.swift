internal import WorkspaceModel

extension AppState {
    /// Opens forms of an earlier session above what is open; one whose subject does not exist any more is left out.
    mutating func open(_ drafts: [FormDraft]) {
        for draft in drafts {
            let open = popups
            popups = PopupStack()
            show(draft)
            var form = popups.popup(Form.self)
            form?.set(draft.values)
            popups = open
            if let form { popups.push(form) }
        }
    }

    private mutating func show(_ draft: FormDraft) {
        switch KeptForm(rawValue: draft.kind) {
        case .environment: ItemsFeature.newEnvironment(from: nil, &self)
        case .endpoint: ItemsFeature.newEndpoint(&self)
        case .folder: ItemsFeature.newFolder(&self)
        case .service: ItemsFeature.newService(&self)
        case .variable: VariablesFeature.add(nil, in: nil, &self)
        case .value:
            guard let name = draft.subject.first else { return }
            VariablesFeature.edit(name, in: draft.subject.dropFirst().first, &self)
        case nil: break
        }
    }
}
