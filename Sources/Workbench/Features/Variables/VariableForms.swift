internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The forms and questions that change variables.
extension VariablesFeature {
    /// Where a variable is defined, as a word of a form.
    private enum Place: Hashable {
        case layer(VariableLayer)
        case variableOfProcess, command, stored

        var word: String {
            switch self {
            case .layer(.environment(let name)): name
            case .layer(let layer): layer == .workspace ? "all environments" : layer.text
            case .variableOfProcess: "secret: environment variable"
            case .command: "secret: command"
            case .stored: "secret: stored on this machine"
            }
        }

        /// What the value of a secret is.
        var subject: String {
            switch self {
            case .layer: "the value"
            case .variableOfProcess: "the name of the environment variable"
            case .command: "the command"
            case .stored: "the value, which only this machine stores"
            }
        }

        var layer: VariableLayer {
            switch self {
            case .layer(let layer): layer
            case .variableOfProcess, .command, .stored: .secret
            }
        }

        /// The value of a definition; nil for one whose text is not in the files.
        func value(_ text: String) -> VariableValue? {
            switch self {
            case .layer: .text(text)
            case .variableOfProcess: .secret(.environment(text))
            case .command: .secret(.command(text))
            case .stored: nil
            }
        }

        /// All places, those of environments first.
        static func all(_ state: AppState) -> [Place] {
            state.workspace.environments.map { .layer(.environment($0.name)) } + [.layer(.workspace), .variableOfProcess, .command, .stored]
        }
    }

    private static let placeLabel = "Defined in"

    // MARK: Adding and editing

    /// Where the guide describes the forms.
    private static var guide: String { "workspaces#variables-in-the-workbench" }

    /// Opens the form for a new variable.
    ///
    /// - Parameter name: The name; nil to type one.
    static func add(_ name: String?, in environment: String?, _ state: inout AppState) {
        let words = Place.all(state).map(\.word)
        let chosen = environment ?? Place.layer(.workspace).word
        let rows: [Form.Row] = [
            .init("Name", name ?? "", placeholder: "used as {{name}}; or name=value"),
            .init("Value", "", placeholder: "text, {{other}}, $VARIABLE or a command", keepsLineBreaks: true),
            .init(placeLabel, chosen, of: words),
        ]
        var form = Form("New variable", rows, guide: Self.guide) { form, state throws(FormProblem) in
            let form = form.dividingName()
            let name = form.text("Name")
            if let problem = VariableKey.nameProblem(name) { throw FormProblem(problem, at: "Name") }
            return try set(name, form, from: nil, &state)
        }
        if name != nil { form.selected = 1 }
        form.keep(as: .variable, of: [name, environment].compactMap(\.self)) { form, state in
            let form = form.dividingName()
            return storedValues(of: form, named: form.text("Name"), state)
        }
        state.showForm(form)
    }

    /// Opens the form for the definition that applies in an environment, or for a new one there.
    static func edit(_ choice: VariablesPopup.Choice, _ state: inout AppState) {
        let name = choice.row.name
        guard let definition = choice.definition else { return add(name, in: choice.environment, &state) }
        let place: Place
        var text = definition.text
        var old: VariableValue?
        switch (definition.layer, definition.secret) {
        case (.option, _):
            state.toast = Toast("The command line sets \(name) until Sortie ends", .warning)
            return
        case (.publicParameters, _):
            state.toast = Toast("It is a public parameter; \(state.key(.openDefinition)) opens workspace.yaml there", .warning)
            return
        case (.environmentFile(let file), _):
            state.toast = Toast("It is a variable of \(file); \(state.key(.openDefinition)) opens the file there", .warning)
            return
        case (_, .environment(let variable)?): (place, text) = (.variableOfProcess, variable)
        case (_, .command(let command)?): (place, text) = (.command, command)
        // The stored value is not known here.
        case (_, .stored(let stored)?): (place, text, old) = (.stored, "", .secret(.stored(stored)))
        case (_, .file?): return
        case (let layer, nil): place = .layer(layer)
        }
        guard let old = old ?? place.value(text) else { return }
        let isStored = place == .stored
        let isSecret = isStored || VariablesPopup.isMasked(name, definition, state)
        let rows: [Form.Row] = [
            .init("Value", text, placeholder: isStored ? "empty keeps the value" : "", isSecret: isSecret, keepsLineBreaks: true),
            .init(placeLabel, place.word, of: Place.all(state).map(\.word)),
        ]
        var form = Form("Edit \(name)", rows, guide: Self.guide) { form, state throws(FormProblem) in
            try set(name, form, from: VariableSeen(layer: place.layer, value: old), &state)
        }
        form.keep(as: .value, of: [name] + [choice.environment].compactMap(\.self)) { storedValues(of: $0, named: name, $1) }
        state.showForm(form)
    }

    /// The values of a form that are stored while it is open: not a value that is or may become a secret, which is not known before it has a name.
    private static func storedValues(of form: Form, named name: String, _ state: AppState) -> [String: String] {
        let value = form.text("Value")
        let isSecret =
            name.isEmpty || form.text(placeLabel) == Place.stored.word || isSecret(value, named: name, state)
            || !CredentialValues.findings(in: value).isEmpty
        return form.values.filter { !isSecret || $0.key != "Value" }
    }

    /// Opens the form for the definition of a variable in an environment again; without that, nothing.
    static func edit(_ name: String, in environment: String?, _ state: inout AppState) {
        guard let row = VariableTable(state.workspace, overrides: state.overrides).rows.first(where: { $0.name == name }) else { return }
        edit(VariablesPopup.Choice(row: row, environment: environment, definition: row.definition(in: environment)), &state)
    }

    /// A definition as it was shown when a form was opened.
    private struct VariableSeen: Sendable {
        var layer: VariableLayer
        var value: VariableValue
    }

    /// Sets a variable to the values of a form.
    private static func set(_ name: String, _ form: Form, from seen: VariableSeen?, _ state: inout AppState) throws(FormProblem) -> [Effect] {
        guard let place = Place.all(state).first(where: { $0.word == form.text(placeLabel) }) else { return [] }
        let (text, layer) = (form.text("Value"), place.layer)
        let value = place.value(text)
        var stored: String?
        if case .secret(.stored(let name))? = seen?.value { stored = name }
        let isKept = place == .stored && stored != nil && text.isEmpty
        if isKept || seen?.layer == layer && seen?.value == value {
            state.popups.pop()
            state.notify("Nothing was changed")
            return []
        }
        let row = VariableTable(state.workspace, overrides: state.overrides).rows.first { $0.name == name }
        let there = row?.definitions.first { $0.layer == layer }
        if there != nil, seen?.layer != layer { throw FormProblem("\(place.word) defines \(name) already; edit it in its column", at: placeLabel) }
        if layer != .secret, let unclosed = Template(text).unclosedText {
            throw FormProblem(TemplateError(unclosed: unclosed).message, at: "Value")
        }
        if layer == .secret {
            if let other = row?.definitions.first(where: { $0.layer != .secret && $0.location != nil }) {
                throw FormProblem("\(other.place) defines \(name), which precedes a secret; delete that first", at: placeLabel)
            }
            if text.isEmpty {
                throw FormProblem("enter \(place.subject)", at: "Value")
            }
        } else if row?.definitions.contains(where: { $0.layer == .secret }) == true {
            throw FormProblem("\(name) is a secret, which a variable would replace; delete the secret first", at: placeLabel)
        } else if isSecret(text, named: name, state) {
            throw FormProblem("Files are shared: choose a secret below, or type {{$promptSecret \(name)}}", at: "Value")
        }
        let verb = there == nil ? "Added" : "Changed"
        guard let value else {
            return store(text, of: name, as: stored, replacing: seen?.layer == .secret ? seen?.value : nil, "\(verb) \(name)", form, &state)
        }
        let edit = WorkspaceEdit.setVariable(VariableKey(name, layer), value, from: seen?.layer == layer ? seen?.value : nil)
        let effects = ItemsFeature.start(.init(edit: edit, text: "\(verb) \(name) in \(place.word)", form: form), &state)
        state.popups.change(VariablesPopup.self) { $0.select(name) }
        return effects
    }

    /// Stores the value of a secret on this machine, and declares the secret.
    ///
    /// - Parameters:
    ///   - stored: The name in the store whose value is replaced; nil for a new one.
    ///   - seen: The declaration as it was shown; nil for a new one.
    private static func store(
        _ value: String, of name: String, as stored: String?, replacing seen: VariableValue?, _ verb: String, _ form: Form, _ state: inout AppState
    ) -> [Effect] {
        var old: SecretSource?
        if case .secret(let source)? = seen { old = source }
        let entry = stored ?? SecretName.stored(name, in: state.workspace.name)
        let declarations = SecretDeclarations([.init(name, in: .stored(entry), replacing: old)])
        var job = EditWorkspaceJob(edit: .declareSecrets(declarations), text: "\(verb); its value is stored on this machine", form: form)
        job.then = { state in
            state.note([value: name])
            return []
        }
        let effects = SecretsFeature.store([SecretValue(value, named: entry, replaces: stored != nil)], job, declarations, &state)
        state.popups.change(VariablesPopup.self) { $0.select(name) }
        return effects
    }

    /// Makes the value of a definition a secret, of the same name where nothing else defines it.
    static func makeSecret(_ choice: VariablesPopup.Choice, _ state: inout AppState) {
        let name = choice.row.name
        guard let definition = choice.definition, definition.secret == nil, definition.layer.isEditable else {
            let endpoint = state.openEndpoint.flatMap { $0.variables[name] == nil ? nil : $0.target }
            let reason =
                choice.definition == nil
                ? endpoint.map { "is a variable of \($0); \(state.key(.makeSecret, in: .request)) on its line in Rules makes it a secret" }
                    ?? "is not defined here"
                : choice.definition?.secret != nil ? "is a secret already" : "is not in a list of variables"
            state.toast = Toast("\(name) \(reason)", .warning)
            return
        }
        guard ClearCredentials.isLiteral(definition.text) else {
            state.toast = Toast("\(name) has \(definition.text.isEmpty ? "no value" : "templates; what they stand for can be a secret")", .warning)
            return
        }
        let isOnly = choice.row.definitions.count { $0.layer != .option } == 1
        let key = VariableKey(name, definition.layer)
        var base = SecretName.variable(name)
        if !isOnly, case .environment(let environment) = definition.layer { base = SecretName.variable("\(base) \(environment)") }
        let value = Template.unquoting(definition.text)
        var purpose = SecretForm.Purpose(
            title: "Make \(name) a secret", name: isOnly ? name : SecretName.free(for: base, taken: state.secretNamesTaken))
        purpose.value = value
        purpose.ownNames = isOnly ? [name] : []
        purpose.variables = { secret in [.init(key, from: definition.text, to: secret == name ? nil : "{{\(secret)}}")] }
        SecretForm.show(purpose, &state)
        state.popups.change(VariablesPopup.self) { $0.select(name) }
    }

    /// Whether a value must not be written into a shared file: literal text with the name of a credential, or the value of a known secret.
    private static func isSecret(_ text: String, named name: String, _ state: AppState) -> Bool {
        if state.secrets.masked(text) != text { return true }
        return state.secrets.isSecretPath(name) && !text.isEmpty && Template(text).isPlain
    }

    // MARK: Deleting

    /// Deletes the definition that applies in an environment; asks first where there are more, or where something uses it.
    static func delete(_ choice: VariablesPopup.Choice, _ state: inout AppState) -> [Effect] {
        let (row, name) = (choice.row, choice.row.name)
        guard let definition = choice.definition else {
            state.toast = Toast("\(name) is not defined\(choice.environment.map { " in \($0)" } ?? "")", .warning)
            return []
        }
        let all = row.definitions.map(\.layer).filter { $0.isEditable }
        guard definition.layer.isEditable else {
            state.toast = Toast("\(definition.place) defines it, not a list of variables; \(state.key(.openDefinition)) opens it", .warning)
            return []
        }
        func job(_ layers: [VariableLayer]) -> EditWorkspaceJob {
            let place = layers.count == 1 ? Place.layer(layers[0]).word : "all environments"
            return EditWorkspaceJob(edit: .deleteVariable(name, layers), text: "Deleted \(name) in \(place)")
        }
        guard all.count > 1 || !row.uses.isEmpty else { return ItemsFeature.start(job([definition.layer]), &state) }
        let one = job([definition.layer])
        var items: [ListPopup.Item] = [
            .plain(label: "Keep it", isCurrent: true),
            .init(label: "Delete it in \(Place.layer(definition.layer).word)", detail: definition.location.map { "\($0.file):\($0.line)" } ?? "") {
                ItemsFeature.start(one, &$0)
            },
        ]
        if all.count > 1 {
            let every = job(all)
            items.append(.init(label: "Delete it everywhere", detail: ItemCount.text(all.count, "definition")) { ItemsFeature.start(every, &$0) })
        }
        let message = row.uses.isEmpty ? "" : "It is used \(ItemCount.text(row.uses.count, "time"))."
        var list = ListPopup(title: "Delete \(name)?", message: message, items: items)
        list.selectCurrent()
        state.popups.push(list)
        return []
    }

    // MARK: Renaming

    static func rename(_ row: VariableTable.Row, _ state: inout AppState) {
        guard row.definitions.contains(where: { $0.layer.isRenamed && $0.location != nil }) else {
            state.toast = Toast("No environment defines \(row.name)", .warning)
            return
        }
        let files = Set(row.uses.map(\.file)).count
        let (change, leave) = ("change \(ItemCount.text(row.uses.count, "template")) in \(ItemCount.text(files, "file"))", "leave them")
        var rows: [Form.Row] = [.init("Name", row.name)]
        if !row.uses.isEmpty { rows.append(.init("Uses", change, of: [change, leave])) }
        state.showForm(
            Form("Rename \(row.name)", rows, guide: Self.guide) { form, state throws(FormProblem) in
                let name = form.text("Name")
                if let problem = VariableKey.nameProblem(name) { throw FormProblem(problem, at: "Name") }
                guard name != row.name else {
                    state.popups.pop()
                    state.notify("Nothing was changed")
                    return []
                }
                let others = VariableTable(state.workspace, overrides: state.overrides).rows
                if others.contains(where: { $0.name == name && !$0.definitions.isEmpty }) {
                    throw FormProblem("there is already a variable \(name); choose another name", at: "Name")
                }
                let edit = WorkspaceEdit.renameVariable(row.name, to: name, changesUses: form.text("Uses") == change)
                let effects = ItemsFeature.start(.init(edit: edit, text: "Renamed \(row.name) to \(name)", form: form), &state)
                state.popups.change(VariablesPopup.self) { $0.select(name) }
                return effects
            })
    }
}

extension Form {
    /// The form with the value in its own field where the field of the name has `name=value`.
    fileprivate func dividingName() -> Form {
        let typed = text("Name")
        guard text("Value").isEmpty, let equals = typed.firstIndex(of: "="), equals > typed.startIndex else { return self }
        var form = self
        for index in form.rows.indices {
            switch form.rows[index].label {
            case "Name": form.rows[index] = .init("Name", String(typed[..<equals]).trimmingBlanks)
            case "Value": form.rows[index] = .init("Value", String(typed[typed.index(after: equals)...]).trimmingBlanks)
            default: break
            }
        }
        return form
    }
}

extension Template {
    /// The text from braces that are not closed; nil where all are.
    var unclosedText: String? {
        for case .unclosed(let text) in segments { return text }
        return nil
    }
}

extension VariableLayer {
    /// Whether the workbench changes its definitions.
    fileprivate var isEditable: Bool {
        switch self {
        case .environment, .workspace, .secret, .endpoint: true
        case .option, .environmentFile, .publicParameters: false
        }
    }

    /// Whether a new name applies to it.
    fileprivate var isRenamed: Bool {
        switch self {
        case .environment, .workspace, .secret: true
        case .option, .environmentFile, .publicParameters, .endpoint: false
        }
    }
}
