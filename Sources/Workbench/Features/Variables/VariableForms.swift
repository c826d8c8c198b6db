internal import SortieHTTP
internal import SortieTerminal
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
            case .stored: "secret: stored by sortie secret set"
            }
        }

        /// What the value of a secret is.
        var subject: String {
            switch self {
            case .layer: "the value"
            case .variableOfProcess: "the name of the environment variable"
            case .command: "the command"
            case .stored: "the name under which it is stored"
            }
        }

        var layer: VariableLayer {
            switch self {
            case .layer(let layer): layer
            case .variableOfProcess, .command, .stored: .secret
            }
        }

        func value(_ text: String) -> VariableValue {
            switch self {
            case .layer: .text(text)
            case .variableOfProcess: .secret(.environment(text))
            case .command: .secret(.command(text))
            case .stored: .secret(.stored(text))
            }
        }

        /// All places, those of environments first.
        static func all(_ state: AppState) -> [Place] {
            state.workspace.environments.map { .layer(.environment($0.name)) } + [.layer(.workspace), .variableOfProcess, .command, .stored]
        }
    }

    private static let placeLabel = "Defined in"

    // MARK: Adding and editing

    /// Opens the form for a new variable.
    ///
    /// - Parameter name: The name; nil to type one.
    static func add(_ name: String?, in environment: String?, _ state: inout AppState) {
        let words = Place.all(state).map(\.word)
        let chosen = environment ?? Place.layer(.workspace).word
        let rows: [Form.Row] = [
            .init("Name", name ?? "", placeholder: "used as {{name}}"), .init("Value", "", placeholder: "text, {{other}}, $VARIABLE or a command"),
            .init(placeLabel, chosen, of: words),
        ]
        var form = Form("New variable", rows) { form, state throws(FormProblem) in
            let name = form.text("Name")
            if let problem = VariableKey.nameProblem(name) { throw FormProblem(problem, at: "Name") }
            return try set(name, form, from: nil, &state)
        }
        if name != nil { form.selected = 1 }
        state.showForm(form)
    }

    /// Opens the form for the definition that applies in an environment, or for a new one there.
    static func edit(_ choice: VariablesPopup.Choice, _ state: inout AppState) {
        let name = choice.row.name
        guard let definition = choice.definition else { return add(name, in: choice.environment, &state) }
        let place: Place
        var text = definition.text
        switch (definition.layer, definition.secret) {
        case (.option, _):
            state.toast = Toast("The command line sets \(name) until Sortie ends", .warning)
            return
        case (.publicParameters, _):
            state.toast = Toast("It is a public parameter; \(state.key(.openDefinition)) opens workspace.yaml there", .warning)
            return
        case (_, .environment(let variable)?): (place, text) = (.variableOfProcess, variable)
        case (_, .command(let command)?): (place, text) = (.command, command)
        case (_, .stored(let stored)?): (place, text) = (.stored, stored)
        case (let layer, nil): place = .layer(layer)
        }
        let old = place.value(text)
        let isSecret = VariablesPopup.isMasked(name, definition, state)
        let rows: [Form.Row] = [
            .init("Value", text, isSecret: isSecret), .init(placeLabel, place.word, of: Place.all(state).map(\.word)),
        ]
        state.showForm(
            Form("Edit \(name)", rows) { form, state throws(FormProblem) in
                try set(name, form, from: VariableSeen(layer: place.layer, value: old), &state)
            })
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
        if seen?.layer == layer, seen?.value == value {
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
            if place == .stored, let problem = SecretSource.problem(ofStored: text) { throw FormProblem(problem, at: "Value") }
        } else if row?.definitions.contains(where: { $0.layer == .secret }) == true {
            throw FormProblem("\(name) is a secret, which a variable would replace; delete the secret first", at: placeLabel)
        } else if isSecret(text, named: name, state) {
            throw FormProblem("Files are shared: choose a secret below, or type {{$promptSecret \(name)}}", at: "Value")
        }
        let edit = WorkspaceEdit.setVariable(VariableKey(name, layer), value, from: seen?.layer == layer ? seen?.value : nil)
        let verb = there == nil ? "Added" : "Changed"
        let effects = ItemsFeature.start(.init(edit: edit, text: "\(verb) \(name) in \(place.word)", form: form), &state)
        state.popups.change(VariablesPopup.self) { $0.select(name) }
        return effects
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
            items.append(.init(label: "Delete it everywhere", detail: NumberText.count(all.count, "definition")) { ItemsFeature.start(every, &$0) })
        }
        let message = row.uses.isEmpty ? "" : "It is used \(NumberText.count(row.uses.count, "time"))."
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
        let (change, leave) = ("change \(NumberText.count(row.uses.count, "template")) in \(NumberText.count(files, "file"))", "leave them")
        var rows: [Form.Row] = [.init("Name", row.name)]
        if !row.uses.isEmpty { rows.append(.init("Uses", change, of: [change, leave])) }
        state.showForm(
            Form("Rename \(row.name)", rows) { form, state throws(FormProblem) in
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

extension Template {
    /// The text from braces that are not closed; nil where all are.
    fileprivate var unclosedText: String? {
        for case .unclosed(let text) in segments { return text }
        return nil
    }
}

extension VariableLayer {
    /// Whether the workbench changes its definitions.
    fileprivate var isEditable: Bool {
        switch self {
        case .environment, .workspace, .secret, .endpoint: true
        case .option, .publicParameters: false
        }
    }

    /// Whether a new name applies to it.
    fileprivate var isRenamed: Bool {
        switch self {
        case .environment, .workspace, .secret: true
        case .option, .publicParameters, .endpoint: false
        }
    }
}
