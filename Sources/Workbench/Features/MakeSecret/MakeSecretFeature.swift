internal import SortieTerminal
internal import WorkspaceModel

extension Command {
    static let makeSecret = Command.named("makeSecret")
}

/// Making the selected value of a request or a service a secret.
struct MakeSecretFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .request, [.character("s")], .makeSecret, "Secret",
                "Make the selected value a secret: the files get {{name}}, this machine the value",
                unless: Self.noValue
            ).alsoKnownAs("Make it a secret", "Hide value", "Credential", "Password", "Token", "pass", "keyring", "Vault"),
            Binding(.service, [.character("s")], .makeSecret, "Secret", "Make the selected value a secret of this machine", unless: Self.noValue),
            Binding(.row, [.alt("S")], .makeSecret, "Secret", "Make the value a secret", unless: Self.noValue),
            Binding(
                .area, [.alt("S")], .makeSecret, "Secret", "Make the selected text of the body, or the variable on the line, a secret",
                unless: Self.noValue),
        ]
    }

    private static func noValue(_ state: AppState) -> String? { SecretSelection(state).problem }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .makeSecret else { return nil }
        Self.make(&state)
        return []
    }

    /// Asks for the name of the selected value as a secret.
    private static func make(_ state: inout AppState) {
        guard case .value(let target) = SecretSelection(state) else { return }
        if let known = state.knownSecrets[target.value] {
            _ = replace(target, by: known, &state)
            state.toast = Toast("{{\(known)}} has this value; \(state.key(.undo)) takes it back\(remedy(of: target, state))")
            return
        }
        let name = SecretName.free(for: SecretName.variable(target.label), taken: state.secretNamesTaken)
        var purpose = SecretForm.Purpose(title: "Make it a secret", name: name, value: target.value)
        purpose.then = { name, state in
            if !replace(target, by: name, &state) {
                state.notify("The value was changed meanwhile; write {{\(name)}} in its place", .warning)
            } else if let toast = state.toast {
                state.toast = Toast("\(toast.text); \(state.key(.undo)) takes the value back\(remedy(of: target, state))")
            }
            return []
        }
        SecretForm.show(purpose, &state)
    }

    /// Writes a template in place of a value; false where the value is not there any more.
    private static func replace(_ target: SecretTarget, by name: String, _ state: inout AppState) -> Bool {
        // Not before, because Esc in the form returns to the text.
        state.stopEditing()
        switch target.owner {
        case .endpoint(let id):
            let before = state.endpoint(id)
            let files = state.requests.files.facts
            state.change(id) { $0.replaceSecret(target, by: name, files: files) }
            state.drafts[id]?.hidesOriginal = true
            return state.endpoint(id) != before
        case .service(let folder):
            let before = state.serviceChanges.changes[folder]
            ServiceFeature.change(folder, &state) { $0.replaceSecret(target, by: name) }
            return state.serviceChanges.changes[folder] != before
        }
    }

    /// How a request with a new template is saved; a service is saved as it is changed.
    private static func remedy(of target: SecretTarget, _ state: AppState) -> String {
        if case .endpoint = target.owner { ", \(state.key(.save)) saves the request" } else { "" }
    }
}
