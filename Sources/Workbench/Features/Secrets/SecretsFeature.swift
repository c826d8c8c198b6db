internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Storing secrets, and asking before credentials are saved: the files get `{{name}}` and its declaration, and the value goes to the store of this machine.
struct SecretsFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(.everywhere, [], .storeSecret, "Store a secret", "Store a value on this machine, and declare it as {{name}}")
                .alsoKnownAs("New secret", "Password", "Token", "Credential", "Keyring", "Vault")
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .storeSecret:
            state.stopEditing()
            state.stopTyping()
            SecretForm.show(.init(title: "Store a secret", name: "", mayReplace: true), &state)
        // Before the features that save.
        case .save: return Self.asks(&state) { DraftsFeature.save(&$0) } ? [] : nil
        case .saveAs:
            let isAsked = Self.asks(&state) { state in
                ItemsFeature.saveAs(&state)
                return []
            }
            return isAsked ? [] : nil
        default: return nil
        }
        return []
    }

    func alert(_ state: AppState) -> Span? {
        guard let first = Self.clearCredentials(state).first else { return nil }
        let remedy = state.size.width < 100 ? "" : "; \(state.key(.makeSecret, in: .request)) in Request hides it"
        return Span("\(first.label) in clear text\(remedy)", .warning)
    }

    /// The longest body that is searched for credentials while it is shown.
    private static let alertLimit = 16 << 10

    /// The credentials in clear text of the open request, or of the service in its place.
    static func clearCredentials(_ state: AppState) -> [ClearCredentials.Credential] {
        guard var endpoint = state.openEndpoint else {
            return state.editedService.map { ClearCredentials(of: $0, ignoring: state.workspace.publicValues).credentials } ?? []
        }
        let texts = [endpoint.body.text(.content), endpoint.body.text(.variables)].compactMap(\.self)
        if texts.contains(where: { $0.utf8.count > alertLimit }) { endpoint.body = .none }
        endpoint.messages = []
        return ClearCredentials(of: endpoint, ignoring: state.workspace.publicValues).credentials
    }

    // MARK: Saving

    /// Asks before a credential that is new in the open request reaches its file; false where there is none.
    private static func asks(_ state: inout AppState, then: @escaping @Sendable (inout AppState) -> [Effect]) -> Bool {
        guard let open = state.openTarget, let draft = state.drafts[open] else { return false }
        return asks(about: [draft], &state) { state in
            // Another request may have been opened while the value was stored.
            guard state.openTarget == open else {
                state.notify("Not saved, because another request was opened", .warning, source: open)
                return []
            }
            return then(&state)
        }
    }

    /// Asks before credentials that are new in drafts reach their files; false where there are none.
    static func asks(about drafts: [Draft], _ state: inout AppState, then: @escaping @Sendable (inout AppState) -> [Effect]) -> Bool {
        // Credentials that the files already contain are not asked about.
        let known = drafts.flatMap { ClearCredentials(of: $0.original).credentials.map(\.value) }
        var found = ClearCredentials(taken: state.secretNamesTaken, ignoring: state.workspace.publicValues.union(known), secrets: state.knownSecrets)
        for draft in drafts { found.add(draft.edited) }
        guard !found.isEmpty else { return false }
        let (credentials, ids) = (found, drafts.map(\.edited.id))
        ask(
            about: found, &state,
            hidden: { state in
                for id in ids { state.change(id) { $0 = credentials.replaced(in: $0) } }
                return then(&state)
            }, clear: then)
        return true
    }

    /// Asks before credentials that are new among the variables of a step reach the file of its run; false where there are none.
    ///
    /// - Parameter then: Saves the step, with templates in the places of the credentials that were stored.
    static func asks(
        about step: RunDefinition.Step, instead old: RunDefinition.Step, _ state: inout AppState,
        then: @escaping @Sendable (RunDefinition.Step, inout AppState) -> [Effect]
    ) -> Bool {
        var before = ClearCredentials()
        before.add(old)
        let known = state.workspace.publicValues.union(before.credentials.map(\.value))
        var found = ClearCredentials(taken: state.secretNamesTaken.union(step.variables.keys), ignoring: known, secrets: state.knownSecrets)
        if let endpoint = state.workspace.endpoint(step.target) { found.usedVariables = ClearCredentials(of: endpoint).usedVariables }
        found.add(step)
        guard !found.isEmpty else { return false }
        let hidden = found.replaced(in: step)
        ask(about: found, &state, hidden: { then(hidden, &$0) }, clear: { then(step, &$0) })
        return true
    }

    /// Asks before new credentials reach a shared file; a form that has them stays open below the question.
    ///
    /// - Parameters:
    ///   - hidden: What is done after the credentials were stored on this machine.
    ///   - clear: What is done where they are to be saved in clear text.
    static func ask(
        about found: ClearCredentials, _ state: inout AppState, hidden: @escaping @Sendable (inout AppState) -> [Effect],
        clear: @escaping @Sendable (inout AppState) -> [Effect]
    ) {
        let labels = (Set(found.credentials.map(\.label)).sorted() + found.known.sorted()).joined(separator: ", ")
        let names = found.secretNames.map { "{{\($0)}}" }.joined(separator: ", ")
        state.stopEditing()
        if !(state.popup is Form) { state.popups.removeAll() }
        state.popups.push(
            ListPopup(
                title: "Save a credential?",
                message: "\(labels) \(found.secretNames.count == 1 ? "is a credential" : "are credentials"), and workspace files are shared.",
                items: [
                    .init(label: "Keep it on this machine", detail: "the file gets \(names)", isCurrent: true) { store(found, &$0, then: hidden) },
                    .init(label: "Save it in clear text", detail: "everyone with the file can read it", choice: clear),
                    .plain(label: "Do not save"),
                ], isMenu: false))
    }

    // MARK: Storing

    /// Stores credentials on this machine and declares their secrets; those of known secrets are stored already.
    ///
    /// - Parameters:
    ///   - otherwise: What is done where that fails.
    ///   - then: What is done afterwards, such as writing the templates.
    static func store(
        _ found: ClearCredentials, _ state: inout AppState, otherwise: @escaping @Sendable (inout AppState) -> [Effect] = { _ in [] },
        then: @escaping @Sendable (inout AppState) -> [Effect]
    ) -> [Effect] {
        guard !found.credentials.isEmpty else { return then(&state) }
        let workspace = state.workspace.name
        let named = found.credentials.map { ($0, SecretName.stored($0.name, in: workspace)) }
        let declarations = SecretDeclarations(named.map { .init($0.name, in: .stored($1)) })
        let names = found.credentials.map { "{{\($0.name)}}" }.joined(separator: ", ")
        var job = EditWorkspaceJob(edit: .declareSecrets(declarations), text: "Stored \(names) on this machine")
        let secrets = Dictionary(found.credentials.map { ($0.value, $0.name) }) { first, _ in first }
        job.then = { state in
            state.note(secrets)
            return then(&state)
        }
        job.otherwise = otherwise
        return store(named.map { SecretValue($0.value, named: $1) }, job, declarations, &state)
    }

    /// Starts the change of the files, and closes its form.
    static func store(_ values: [SecretValue], _ job: EditWorkspaceJob, _ declarations: SecretDeclarations, _ state: inout AppState) -> [Effect] {
        if job.form != nil { state.popups.pop() }
        return [.storeSecrets(state.nextJob(job), values, declarations)]
    }
}

extension Command {
    static let storeSecret = Command.named("storeSecret")
}

extension AppState {
    /// The names that a new secret must not have.
    var secretNamesTaken: Set<String> {
        drafts.values.reduce(into: workspace.variableNames.union(overrides.keys)) { $0.formUnion($1.edited.variables.keys) }
    }

    /// The names of the secrets that were stored in this session, by their values, so that an equal value becomes the same secret.
    var knownSecrets: [String: String] {
        states[SecretsState.self].stored.filter { workspace.secrets[$0.value.name] == $0.value.source }.mapValues(\.name)
    }

    /// Notes the names of stored secrets by their values, and masks these everywhere from now on.
    mutating func note(_ names: [String: String]) {
        // An earlier value no longer belongs to the secret.
        states[SecretsState.self].stored = states[SecretsState.self].stored.filter { !names.values.contains($0.value.name) }
        for (value, name) in names {
            guard let source = workspace.secrets[name] else { continue }
            states[SecretsState.self].stored[value] = SecretsState.Stored(name: name, source: source)
        }
        secrets.hide(contentsOf: names.keys)
        layoutChanged()
    }
}

/// The secrets that were stored in this session; their values are only in memory.
struct SecretsState: FeatureState {
    struct Stored: Hashable, Sendable {
        var name: String
        var source: SecretSource
    }

    /// The secrets by their values.
    var stored: [String: Stored] = [:]
}
