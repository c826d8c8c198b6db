internal import SortieBase
internal import SortieTerminal
internal import WorkspaceModel

extension Command {
    static let moveStepUp = Command.named("moveStepUp")
    static let moveStepDown = Command.named("moveStepDown")
    static let addStep = Command.named("addStep")
    static let deleteStep = Command.named("deleteStep")
    /// Changes the conditions, the repetition, the variables and the captures of a step.
    static let editStep = Command.named("editStep")
    /// Sends a step at the same time as the one above, or by itself again.
    static let toggleParallel = Command.named("toggleParallel")
    /// Makes a variable of a step a secret.
    static let makeStepSecret = Command.named("makeStepSecret")
    /// Undoes the last change of files, such as one of a run.
    static let undoStep = Command.named("undoStep", isInPalette: false)
}

/// Changing the steps of the shown run: each change is saved in the run's file at once, and can be undone.
extension RunsFeature {
    static let stepBindings: [Binding] = [
        Binding(
            .runs, [.character("a")], .addStep, "Add", "Add the endpoints that are marked in Services after the step, or choose one", hint: 10,
            unless: noRunFile
        ).alsoKnownAs("Add a step", "Insert step"),
        Binding(
            .runs, [.character("i")], .editStep, "Step", "Edit when the step is sent, how it is repeated, its variables and captures", hint: 9,
            unless: noStep
        ).alsoKnownAs("Condition", "Repeat", "Loop", "For each", "While", "If"),
        Binding(.runs, [.character("J")], .moveStepDown, "Step down", "Send the step later", hint: 11, unless: noStep).alsoKnownAs(
            "Reorder", "Move step"),
        Binding(.runs, [.character("K")], .moveStepUp, "Step up", "Send the step earlier", hint: 12, unless: noStep).alsoKnownAs(
            "Reorder", "Move step"),
        Binding(
            .runs, [.character("|")], .toggleParallel, "Parallel", "Send the step at the same time as the one above, or by itself again", hint: 13,
            unless: noStep
        ).alsoKnownAs("Group", "Concurrent", "At the same time"),
        Binding(.runs, [.character("X"), .delete], .deleteStep, "Remove", "Remove the step from the run; it can be undone", hint: 14, unless: noStep)
            .alsoKnownAs("Delete step"),
        Binding(
            .runs, [.character("s")], .makeStepSecret, "Secret",
            "Make a variable of the step a secret: the file gets {{name}}, this machine the value", unless: noStepSecret
        ).alsoKnownAs("Hide value", "Credential", "Password", "Token"),
        Binding(
            .runs, [.character("u")], .undoStep, "Undo", "Undo the last change of the run, or of other files", unless: ItemsFeature.nothingToUndo),
    ]

    /// Why the steps of the shown run cannot be changed.
    private static func noRunFile(_ state: AppState) -> String? {
        guard let name = state.states[RunsState.self].shown else { return "No run is shown" }
        guard let run = state.workspace.runs.first(where: { $0.name == name }), run.location != nil else {
            return "\(name) has no file: it sends all endpoints of the folder; \(state.key(.newRun)) in Services creates a run of marked ones"
        }
        if state.runs[name]?.isUnderWay == true { return "\(name) is running; its steps can be changed when it has ended" }
        return state.isChangingFiles ? "Files are being changed; repeat it when that has ended" : nil
    }

    private static func noStep(_ state: AppState) -> String? {
        noRunFile(state) ?? (selectedDefinition(state) == nil ? "No step is selected" : nil)
    }

    /// The shown run as its file describes it.
    static func definition(_ state: AppState) -> RunDefinition? {
        state.states[RunsState.self].shown.flatMap { name in state.workspace.runs.first { $0.name == name } }
    }

    private static func noStepSecret(_ state: AppState) -> String? {
        noStep(state) ?? (StepSecret.all(state).isEmpty ? "The step has no variable in clear text; \(state.key(.editStep)) adds one" : nil)
    }

    /// The selected step in the file of the shown run.
    static func selectedDefinition(_ state: AppState) -> (run: RunDefinition, index: Int)? {
        guard let run = definition(state), let step = selectedStep(state)?.step,
            let index = RunOutline(run, in: state.workspace).index(named: step.name)
        else { return nil }
        return (run, index)
    }

    static func performOnStep(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .addStep: return addSteps(&state)
        case .undoStep: return ItemsFeature.undo(&state)
        case .makeStepSecret: return StepSecret.make(&state)
        case .editStep: selectedDefinition(state).map { StepForm.show($0.run, $0.index, &state) }
        case .moveStepUp: return move(down: false, &state)
        case .moveStepDown: return move(down: true, &state)
        case .toggleParallel:
            guard let (run, index) = selectedDefinition(state) else { return [] }
            var new = run
            do throws(ConditionError) {
                let place = try new.toggleParallel(index)
                let isGroup = new.steps[place].group != nil
                let text = "\(new.steps[place].name) is sent \(isGroup ? "at the same time as the steps beside it" : "by itself")"
                return change(run, to: new, text, selecting: place, &state)
            } catch {
                state.toast = Toast(error.message.prefix(1).uppercased() + error.message.dropFirst(), .warning)
            }
        case .deleteStep:
            guard let (run, index) = selectedDefinition(state) else { return [] }
            guard run.steps.count > 1 else {
                state.toast = Toast("A run has at least one step; \(state.key(.deleteItem)) in Services deletes the run", .warning)
                return []
            }
            var new = run
            new.removeStep(index)
            return change(
                run, to: new, "Removed \(run.steps[index].name); \(state.key(.undoStep)) undoes that", selecting: min(index, new.steps.count - 1),
                &state)
        default: return nil
        }
        return []
    }

    private static func move(down: Bool, _ state: inout AppState) -> [Effect] {
        guard let (run, index) = selectedDefinition(state) else { return [] }
        var new = run
        guard let place = new.moveStep(index, down: down) else {
            state.toast = Toast("\(run.steps[index].name) is the \(down ? "last" : "first") step", .warning)
            return []
        }
        return change(run, to: new, "Moved \(run.steps[index].name) \(down ? "down" : "up")", selecting: place, &state)
    }

    /// Adds the marked endpoints, or asks for one.
    private static func addSteps(_ state: inout AppState) -> [Effect] {
        let marked = state.services.marked
        guard marked.isEmpty else {
            state.services.clearMarks()
            return add(marked, &state)
        }
        let items = state.workspace.endpoints.map { endpoint in
            ListPopup.Item(label: endpoint.target, detail: endpoint.name) { add([endpoint.id], &$0) }
        }
        var list = ListPopup(title: "Add a step", items: items)
        list.filter = TextField()
        list.guideAddress = "runs#build-a-run-in-the-workbench"
        state.show(list)
        return []
    }

    private static func add(_ endpoints: [EndpointID], _ state: inout AppState) -> [Effect] {
        guard let run = definition(state) else { return [] }
        var new = run
        var place = selectedDefinition(state)?.index
        for endpoint in endpoints { place = new.addStep(sending: endpoint.path, after: place) }
        return change(run, to: new, "Added \(endpoints.map { FilePath.name(of: $0.path) }.joined(separator: ", "))", selecting: place, &state)
    }

    /// Saves the changed steps of a run, and selects one of them.
    static func change(
        _ run: RunDefinition, to new: RunDefinition, _ text: String, selecting index: Int?, form: Form? = nil, _ state: inout AppState
    ) -> [Effect] {
        guard run != new else {
            if form != nil { state.popups.pop() }
            state.notify("Nothing was changed")
            return []
        }
        var job = EditWorkspaceJob(edit: .changeRun(from: run, to: new), text: "\(run.name): \(text)", form: form)
        job.then = { state in
            guard let index, let name = index < new.steps.count ? RunPlan(new).name(ofStep: index) : nil,
                let row = state.runs[run.name]?.shown.record?.index(of: name), state.states[RunsState.self].shown == run.name
            else { return [] }
            select(row, &state)
            return []
        }
        return ItemsFeature.start(job, &state)
    }
}

/// The form of a step: its variables and captures, when it is sent, and how it is repeated.
enum StepForm {
    private static let (once, forEach, whileHolds) = ("once", "for each item", "while a condition holds")

    static func show(_ run: RunDefinition, _ index: Int, _ state: inout AppState) {
        let step = run.steps[index]
        var rows = pairs("If", step.conditions, "login.role: admin, or name: condition")
        var (word, items, variable, conditions, every, limit) = (once, "", "", [Parameter](), "", "")
        switch step.loop {
        case .forEach(let name, .list(let texts)): (word, items, variable) = (forEach, text(of: texts), name)
        case .forEach(let name, .template(let template)): (word, items, variable) = (forEach, template, name)
        case .repeats(let tests, let pause, let most): (word, conditions, every, limit) = (whileHolds, tests, DurationText.text(pause), String(most))
        case nil: break
        }
        rows.append(.init("Repeat", word, of: run.kind == .chain ? [once, forEach, whileHolds] : [once, forEach]))
        rows.append(.init("Items", items, placeholder: "1, 2, 3 or {{list.ids}}", place: .templates))
        rows.append(.init("Item", variable, placeholder: "the variable of the item, \(StepLoop.defaultVariable) where it is empty"))
        if run.kind == .chain {
            rows += pairs("While", conditions, "\(step.name).state: pending")
            rows.append(.init("Every", every, placeholder: DurationText.text(StepLoop.defaultPause)))
            rows.append(.init("At most", limit, placeholder: "\(StepLoop.defaultLimit) times"))
        }
        rows += pairs("With", Self.rows(step.variables), "name: value")
        if run.kind == .chain { rows += pairs("Capture", Self.rows(step.captures), "token: $.token") }
        state.stopEditing()
        state.popups.show(
            Form("Step \(step.name) of \(run.name)", rows, guide: "runs#build-a-run-in-the-workbench") { form, state throws(FormProblem) in
                @Sendable func save(_ changed: RunDefinition.Step, _ state: inout AppState) -> [Effect] {
                    var new = run
                    new.steps[index] = changed
                    // The form may have been closed while a secret was stored.
                    return RunsFeature.change(
                        run, to: new, "Changed \(step.name)", selecting: index, form: state.popup is Form ? form : nil, &state)
                }
                let changed = try changed(step, by: form)
                return SecretsFeature.asks(about: changed, instead: step, &state, then: save) ? [] : save(changed, &state)
            })
    }

    private static func changed(_ step: RunDefinition.Step, by form: Form) throws(FormProblem) -> RunDefinition.Step {
        let old = step
        var step = step
        step.conditions = try conditions("If", form, old.conditions)
        step.loop = try loop(form, old.loop)
        if step.group != nil, case .repeats = step.loop {
            throw FormProblem("a step of a parallel group is not repeated while a condition holds; send it by itself first", at: "Repeat")
        }
        var variables: [String: String] = [:]
        for (label, row) in try pairs("With", form, Self.rows(old.variables)) {
            if let problem = VariableKey.nameProblem(row.name) { throw FormProblem(problem, at: label) }
            variables[row.name] = row.value
        }
        step.variables = variables
        // A batch has no rows for captures.
        guard form.rows.contains(where: { $0.label == "Capture" }) else { return step }
        step.captures = []
        for (label, row) in try pairs("Capture", form, Self.rows(old.captures)) {
            let capture = Capture(name: row.name, path: row.value)
            if let problem = capture.problem { throw FormProblem(problem, at: label) }
            step.captures.append(capture)
        }
        return step
    }

    private static func rows(_ variables: [String: String]) -> [Parameter] {
        variables.sorted { $0.key < $1.key }.map { Parameter($0.key, $0.value) }
    }

    private static func rows(_ captures: [Capture]) -> [Parameter] { captures.map { Parameter($0.name, $0.path) } }

    private static func loop(_ form: Form, _ old: StepLoop?) throws(FormProblem) -> StepLoop? {
        switch old == nil ? repetition(form) : form.text("Repeat") {
        case forEach:
            let variable = form.text("Item").isEmpty ? StepLoop.defaultVariable : form.text("Item")
            if let problem = VariableKey.nameProblem(variable) { throw FormProblem(problem, at: "Item") }
            let text = form.text("Items").trimmingBlanks
            guard text.contains(where: { $0 != "," && !$0.isWhitespace }) else {
                throw FormProblem("enter the items, such as 1, 2, 3, or a template of a list", at: "Items")
            }
            if text.contains("{{") { return .forEach(variable: variable, .template(text)) }
            return .forEach(variable: variable, .list(try items(of: text)))
        case whileHolds:
            let oldConditions: [Parameter] = if case .repeats(let tests, _, _)? = old { tests } else { [] }
            let conditions = try conditions("While", form, oldConditions)
            guard !conditions.isEmpty else { throw FormProblem("enter the condition while which the step is repeated", at: "While") }
            let (pause, most) = (form.text("Every"), form.text("At most"))
            guard let every = pause.isEmpty ? StepLoop.defaultPause : DurationText.parse(pause) else {
                throw FormProblem(DurationText.form, at: "Every")
            }
            guard let limit = most.isEmpty ? StepLoop.defaultLimit : Int(most), (1...WorkspaceLimits.repetitions).contains(limit) else {
                throw FormProblem("write a number from 1 to \(WorkspaceLimits.repetitions)", at: "At most")
            }
            return .repeats(while: conditions, every: every, limit: limit)
        default: return nil
        }
    }

    /// The chosen repetition; that of what was typed where none was chosen, so that it is not lost.
    private static func repetition(_ form: Form) -> String {
        let word = form.text("Repeat")
        guard word == once else { return word }
        return !form.text("Items").isEmpty ? forEach : !form.text("While").isEmpty ? whileHolds : once
    }

    private static func conditions(_ label: String, _ form: Form, _ old: [Parameter]) throws(FormProblem) -> [Parameter] {
        var rows: [Parameter] = []
        for (label, row) in try pairs(label, form, old) {
            do throws(ConditionError) { _ = try Condition(row.value) } catch { throw FormProblem(error.message, at: label) }
            rows.append(row)
        }
        return rows
    }

    // MARK: Rows of a name and a value

    /// A row for each pair, and an empty one.
    private static func pairs(_ label: String, _ rows: [Parameter], _ placeholder: String) -> [Form.Row] {
        (rows.map { Self.text(of: $0) } + [""]).enumerated().map { index, text in
            var row = Form.Row(index == 0 ? label : "\(label) \(index + 1)", text, placeholder: placeholder, place: .templates)
            if index == rows.count { row.listLabel = label }
            return row
        }
    }

    private static func text(of pair: Parameter) -> String { "\(pair.name): \(pair.value)" }

    /// The pairs of the rows that are not empty, with the labels of their rows.
    ///
    /// - Parameter old: The pairs before. A row that was not changed has its pair, also where the value begins or ends with blanks.
    private static func pairs(
        _ label: String, _ form: Form, _ old: [Parameter]
    ) throws(FormProblem) -> [(label: String, row: Parameter)] {
        var pairs: [(label: String, row: Parameter)] = []
        for row in form.rows where row.label == label || row.label.hasPrefix("\(label) ") && Int(row.label.dropFirst(label.count + 1)) != nil {
            let text = row.text.trimmingBlanks
            guard !text.isEmpty else { continue }
            guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else { throw FormProblem("write NAME: VALUE", at: row.label) }
            let typed = Parameter(String(text[..<colon]).trimmingBlanks, String(text[text.index(after: colon)...]).trimmingBlanks)
            let pair = old.first { Self.text(of: $0).trimmingBlanks == text } ?? typed
            guard !pair.value.isEmpty || label == "With" else { throw FormProblem("write a value after \(pair.name):", at: row.label) }
            if pairs.contains(where: { $0.row.name == pair.name }), label != "If", label != "While" {
                throw FormProblem("\(pair.name) is there already", at: row.label)
            }
            pairs.append((row.label, pair))
        }
        return pairs
    }

    // MARK: Items

    /// The items separated by commas; as JSON where an item has a comma, a line break or spaces at its ends.
    private static func text(of items: [String]) -> String {
        let hasPlainItems = items.allSatisfy { item in
            !item.isEmpty && item.trimmingBlanks == item && !item.contains { $0 == "," || $0 == "\t" || $0.isNewline }
        }
        let isSimple = hasPlainItems && items.first?.hasPrefix("[") != true
        return isSimple ? items.joined(separator: ", ") : JSONValue.array(items.map { .string($0) }).text
    }

    private static func items(of text: String) throws(FormProblem) -> [String] {
        guard text.hasPrefix("[") else { return text.split(separator: ",").map { String($0).trimmingBlanks } }
        let value: JSONValue
        do throws(BodyProblem) { value = try JSONValue(parsing: text) } catch {
            throw FormProblem("it begins like a list of JSON, and is none: \(error)", at: "Items")
        }
        guard case .array(let values) = value, !values.isEmpty else { throw FormProblem("enter at least one item", at: "Items") }
        return values.map(\.plainText)
    }
}

extension Capture {
    /// Why the capture cannot be used; nil for a usable one.
    var problem: String? {
        if let problem = VariableKey.nameProblem(name) { return problem }
        do throws(JSONPathError) { _ = try source() } catch { return error.description }
        return nil
    }
}
