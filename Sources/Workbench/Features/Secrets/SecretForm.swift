internal import WorkspaceModel

/// The form for a new secret: its name, where its value is, and the value where it is not known yet.
enum SecretForm {
    /// The kinds of places for values.
    enum Kind: String, CaseIterable {
        case stored = "this machine"
        case environment = "environment variable"
        case pass
        case keyring
        case vault = "Vault"
        case command
    }

    private static let nameLabel = "Name"
    private static let valueLabel = "Value"
    private static let kindLabel = "Kept in"
    private static let entryLabel = "Entry"

    /// What a form is for.
    struct Purpose: Sendable {
        var title: String
        /// The proposed name.
        var name: String
        /// The value; nil to type it.
        var value: String?
        /// Whether the name of a secret that the workspace has may be typed, whose value in the store is then replaced.
        var mayReplace = false
        /// The names that variables have and that may be typed nevertheless.
        var ownNames: Set<String> = []
        /// The changes of the variables, for the name of the secret.
        var variables: @Sendable (String) -> [SecretDeclarations.Variable] = { _ in [] }
        /// What follows when the secret with this name is declared.
        var then: @Sendable (String, inout AppState) -> [Effect] = { _, _ in [] }
    }

    static func show(_ purpose: Purpose, _ state: inout AppState) {
        var rows: [Form.Row] = [.init(nameLabel, proposing: purpose.name, placeholder: "used as {{name}}")]
        if purpose.value == nil { rows.append(.init(valueLabel, "", placeholder: "only this machine stores it", isSecret: true)) }
        rows += [
            .init(kindLabel, Kind.stored.rawValue, of: Kind.allCases.map(\.rawValue)),
            .init(entryLabel, "", placeholder: "empty for this machine; a variable, an entry, a command"),
        ]
        var form = Form(purpose.title, rows, guide: "workspaces#secrets") { form, state throws(FormProblem) in try accept(form, purpose, &state) }
        // Only the value of a secret with a name is asked for.
        if purpose.mayReplace, purpose.value == nil, !purpose.name.isEmpty { form.select(1) }
        state.showForm(form)
    }

    private static func accept(_ form: Form, _ purpose: Purpose, _ state: inout AppState) throws(FormProblem) -> [Effect] {
        let name = form.text(nameLabel)
        if let problem = VariableKey.nameProblem(name) { throw FormProblem(problem, at: nameLabel) }
        let kind = Kind(rawValue: form.text(kindLabel)) ?? .stored
        let place = try place(of: kind, form.text(entryLabel), name, state)
        let value = purpose.value ?? form.text(valueLabel)
        if kind == .stored, value.isEmpty { throw FormProblem("enter the value", at: valueLabel) }
        if purpose.mayReplace, kind == .stored, case .stored(let stored)? = state.workspace.secrets[name] {
            let declarations = SecretDeclarations([.init(name, in: .stored(stored), replacing: .stored(stored))])
            var job = EditWorkspaceJob(edit: .declareSecrets(declarations), text: "Replaced the value of {{\(name)}} on this machine", form: form)
            job.then = { state in
                state.note([value: name])
                return purpose.then(name, &state)
            }
            return SecretsFeature.store([SecretValue(value, named: stored, replaces: true)], job, declarations, &state)
        }
        guard !state.secretNamesTaken.subtracting(purpose.ownNames).contains(name) else {
            throw FormProblem("{{\(name)}} is defined already; choose another name", at: nameLabel)
        }
        let declarations = SecretDeclarations([.init(name, in: place)], replacing: purpose.variables(name))
        var job = EditWorkspaceJob(edit: .declareSecrets(declarations), text: text(name, place), form: form)
        job.then = { state in
            if !value.isEmpty { state.note([value: name]) }
            return purpose.then(name, &state)
        }
        var values: [SecretValue] = []
        if case .stored(let stored) = place { values = [SecretValue(value, named: stored)] }
        return SecretsFeature.store(values, job, declarations, &state)
    }

    private static func text(_ name: String, _ place: SecretPlace) -> String {
        switch place {
        case .stored: "Stored {{\(name)}} on this machine"
        case .environment(let variable): "Declared {{\(name)}}; the environment variable \(variable) has to be set before Sortie starts"
        case .pass, .keyring, .vault, .command: "Declared {{\(name)}}; its value has to be entered there"
        }
    }

    /// The place that a form names.
    private static func place(of kind: Kind, _ entry: String, _ name: String, _ state: AppState) throws(FormProblem) -> SecretPlace {
        func argument(_ text: some StringProtocol, _ example: String) throws(FormProblem) -> String {
            guard !text.isEmpty, SecretPlace.isArgument(String(text)) else { throw FormProblem("enter \(example)", at: entryLabel) }
            return String(text)
        }
        let words = entry.split(separator: " ")
        switch kind {
        case .stored:
            guard !entry.isEmpty else { return .stored(SecretName.stored(name, in: state.workspace.name)) }
            if let problem = SecretSource.problem(ofStored: entry) { throw FormProblem(problem, at: entryLabel) }
            return .stored(entry)
        case .environment:
            let variable = entry.isEmpty ? SecretName.environment("\(state.workspace.name) \(name)") : entry
            guard !variable.contains(where: { $0 == "=" || $0.isWhitespace }) else {
                throw FormProblem("the name of an environment variable has no spaces and no “=”", at: entryLabel)
            }
            return .environment(variable)
        case .pass: return .pass(try argument(entry, "the entry of pass, such as shop/token"))
        case .keyring:
            var attributes: [Parameter] = []
            for word in words {
                let parts = word.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { break }
                attributes.append(Parameter(String(parts[0]), String(parts[1])))
            }
            guard !attributes.isEmpty, attributes.count == words.count,
                attributes.allSatisfy({ SecretPlace.isArgument($0.name) && SecretPlace.isArgument($0.value) })
            else { throw FormProblem("enter attributes, such as service=shop account=me", at: entryLabel) }
            return .keyring(attributes)
        case .vault:
            let example = "the path and the field, such as secret/shop token"
            guard words.count == 2 else { throw FormProblem("enter \(example)", at: entryLabel) }
            return .vault(path: try argument(words[0], example), field: try argument(words[1], example))
        case .command:
            guard !entry.isEmpty else { throw FormProblem("enter the command that prints the value", at: entryLabel) }
            return .command(entry)
        }
    }
}
