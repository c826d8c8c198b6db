internal import WorkspaceModel

/// A value in clear text among the variables of a step, which can become a secret.
struct StepSecret {
    /// The run and the number of the step in it.
    let run: String
    let step: Int
    /// The step before the change.
    let definition: RunDefinition.Step
    /// The name of the variable.
    let variable: String
    /// The text in the file, which is the value of the variable or a part of it.
    let text: String
    let isCredential: Bool

    /// The values of the selected step, credentials first; where it has none, the credentials of the other steps, which the footer names.
    static func all(_ state: AppState) -> [StepSecret] {
        guard let (run, index) = RunsFeature.selectedDefinition(state) else { return [] }
        let ignored = state.workspace.publicValues
        let own = values(of: run, index, ignoring: ignored).sorted { $0.isCredential && !$1.isCredential }
        guard own.isEmpty else { return own }
        return run.steps.indices.flatMap { values(of: run, $0, ignoring: ignored) }.filter(\.isCredential)
    }

    private static func values(of run: RunDefinition, _ index: Int, ignoring ignored: Set<String>) -> [StepSecret] {
        let step = run.steps[index]
        var found = ClearCredentials(ignoring: ignored)
        found.add(step)
        let credentials = found.credentials.map { Template.quoting($0.value) }
        return step.variables.sorted { $0.key < $1.key }.compactMap { name, value in
            let credential = credentials.first { value.contains($0) }
            guard credential != nil || ClearCredentials.isLiteral(value) else { return nil }
            return StepSecret(
                run: run.name, step: index, definition: step, variable: name, text: credential ?? value, isCredential: credential != nil)
        }
    }

    /// Asks which variable becomes a secret where that is not clear, and for the name of the secret.
    static func make(_ state: inout AppState) -> [Effect] {
        let all = all(state)
        guard let first = all.first else { return [] }
        guard all.count > 1, !first.isCredential || all[1].isCredential else { return first.hide(&state) }
        let items = all.map { secret in
            ListPopup.Item(label: secret.variable, detail: "of \(secret.definition.name)") { secret.hide(&$0) }
        }
        state.show(ListPopup(title: "Make it a secret", items: items))
        return []
    }

    /// Asks for the name of the secret, and writes its template in place of the value.
    private func hide(_ state: inout AppState) -> [Effect] {
        let value = Template.unquoting(text)
        if let known = state.knownSecrets[value] { return replace(by: known, &state) }
        let taken = state.secretNamesTaken.union(definition.variables.keys)
        var purpose = SecretForm.Purpose(
            title: "Make it a secret", name: SecretName.free(for: SecretName.variable(variable), taken: taken), value: value)
        purpose.then = { name, state in replace(by: name, &state) }
        SecretForm.show(purpose, &state)
        return []
    }

    private func replace(by name: String, _ state: inout AppState) -> [Effect] {
        guard let old = state.workspace.runs.first(where: { $0.name == run }), old.steps.indices.contains(step),
            let value = old.steps[step].variables[variable], value.contains(text)
        else {
            state.notify("The value was changed meanwhile; write {{\(name)}} in its place", .warning)
            return []
        }
        var new = old
        new.steps[step].variables[variable] = value.replacing(text, with: "{{\(name)}}")
        return RunsFeature.change(
            old, to: new, "{{\(name)}}, stored on this machine, is the value of \(variable); \(state.key(.undoStep)) takes it back", selecting: step,
            &state)
    }
}
