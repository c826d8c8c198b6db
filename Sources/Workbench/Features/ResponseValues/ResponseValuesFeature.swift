internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

extension Command {
    /// Captures the value at the cursor of the response.
    static let captureValue = Command.named("captureValue")
    /// Saves the exchange as an example of its endpoint.
    static let saveExample = Command.named("saveExample")
    /// Expects the value at the cursor of the response.
    static let expectValue = Command.named("expectValue")
}

/// Capturing and expecting what the cursor of the response pane is on, in the file of its endpoint.
struct ResponseValuesFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .response, [.character("v")], .captureValue, "Capture", "Capture the value, header or status at the cursor, for later steps of a run",
                hint: 7, unless: SelectedValue.problem
            ).alsoKnownAs("Extract", "Use in another request", "capture:"),
            Binding(
                .response, [.character("e")], .expectValue, "Expect", "Expect the value, header or status at the cursor of each response", hint: 8,
                unless: Self.noExpectedValue
            ).alsoKnownAs("Assert", "Test", "Check", "expect:"),
            Binding(
                .response, [], .saveExample, "Save as example", "Save request and response as an example of the endpoint",
                unless: SavedExample.problem
            ).alsoKnownAs("examples:", "Sample"),
        ]
    }

    private static func noExpectedValue(_ state: AppState) -> String? {
        if SelectedValue.isMasked(state) {
            return "The response is from the history, where secrets are masked; \(state.key(.send)) sends the request"
        }
        return SelectedValue.problem(state)
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        if command == .saveExample { return SavedExample.ask(&state) }
        guard command == .captureValue || command == .expectValue else { return nil }
        do throws(FormProblem) {
            let selected = try SelectedValue(state)
            if command == .captureValue { Self.askToCapture(selected, &state) } else { Self.askToExpect(selected, &state) }
        } catch {
            state.toast = Toast(error.sentence, .warning)
        }
        return []
    }

    // MARK: Capturing

    private static let unused = "nothing yet"

    private static func askToCapture(_ selected: SelectedValue, _ state: inout AppState) {
        let found = CapturedValueUses(of: selected, isMasked: SelectedValue.isMasked(state), state)
        var rows: [Form.Row] = [
            .init("Name", proposing: selected.name), .init("Value", selected.path, placeholder: "$.path, header NAME or status"),
        ]
        if !found.uses.isEmpty {
            rows.append(.init("Used by", found.proposed(named: selected.name)?.text ?? unused, of: found.uses.map(\.text) + [unused]))
        }
        state.stopEditing()
        state.popups.show(
            Form("Capture for later steps", rows, guide: "runs#captures") { form, state throws(FormProblem) in
                let capture = Capture(name: form.text("Name"), path: form.text("Value"))
                if let problem = VariableKey.nameProblem(capture.name) { throw FormProblem(problem, at: "Name") }
                if let problem = capture.problem { throw FormProblem(problem, at: "Value") }
                state.popups.pop()
                let use = found.uses.first { $0.text == form.text("Used by") }
                return add(capture, to: selected.endpoint.id, usedBy: use, replacing: selected.text, in: found, &state)
            })
    }

    /// Adds a capture to an endpoint, and its template to a later step.
    private static func add(
        _ capture: Capture, to id: EndpointID, usedBy use: CapturedValueUse?, replacing value: String?, in found: CapturedValueUses,
        _ state: inout AppState
    ) -> [Effect] {
        let template = "{{\(found.step).\(capture.name)}}"
        var edits: [EndpointID: (inout Endpoint) -> Void] = [:]
        edits[id] = { endpoint in
            endpoint.captures.removeAll { $0.name == capture.name }
            endpoint.captures.append(capture)
        }
        var newRun: RunDefinition?
        switch use?.place {
        case .variable(let name):
            if let use, var run = found.run {
                run.steps[use.step].variables[name] = template
                newRun = run
            }
        case .sameValue: if let use { edits[use.target] = { _ = $0.replace(value ?? "", by: template) } }
        case .bearer: if let use { edits[use.target] = { $0.auth = .bearer(token: template) } }
        case nil: break
        }
        var (effects, text) = change(edits, saying: use.map { "\(template) is used by \($0.text)" } ?? "Captured as \(template)", &state)
        if let run = found.run, let newRun {
            effects = ItemsFeature.start(EditWorkspaceJob(edit: .changeRun(from: run, to: newRun), text: text), &state) + effects
        }
        return effects
    }

    /// Changes endpoints, and saves those that had no unsaved changes before.
    ///
    /// - Parameter text: What is said about it.
    /// - Returns: The effects, and the text with the names of the endpoints that are not saved.
    static func change(
        _ edits: [EndpointID: (inout Endpoint) -> Void], saying text: String, source: EndpointID? = nil, _ state: inout AppState
    ) -> (effects: [Effect], text: String) {
        var unsaved: [String] = []
        var saved: [Draft] = []
        for (id, edit) in edits.sorted(by: { $0.key.path < $1.key.path }) {
            let wasEdited = state.drafts[id]?.isEdited == true
            state.change(id, edit)
            guard let draft = state.drafts[id], draft.isEdited else { continue }
            if wasEdited || draft.onDisk != nil {
                unsaved.append(draft.edited.name)
            } else {
                saved.append(draft)
            }
        }
        let said = text + (unsaved.isEmpty ? "" : "; \(unsaved.joined(separator: ", ")) has other changes, \(state.key(.save)) saves it")
        state.notify(said, source: source?.path ?? "")
        // The message that the file was saved must not hide what was done, and what is not saved.
        return (saved.map { DraftsFeature.save($0, thenQuit: false, said: said, &state) }, said)
    }

    // MARK: Expecting

    private static func askToExpect(_ selected: SelectedValue, _ state: inout AppState) {
        let value = selected.isSecret(state.secrets) ? nil : selected.value
        let condition = value.map { Condition.text(metBy: $0) } ?? "exists"
        let rows: [Form.Row] = [
            .init("Value", selected.path, placeholder: "$.path, header NAME or status"),
            .init(
                "Is", proposing: condition, placeholder: selected.path == "status" ? "200, 2xx" : "a value, exists, > 3, matches REGEX, type string",
                place: .templates),
        ]
        var form = Form("Expect of each response", rows, guide: "runs#expectations") { form, state throws(FormProblem) in
            var changed = state.endpoint(selected.endpoint.id) ?? selected.endpoint
            do throws(ConditionError) { try changed.expect(form.text("Is"), of: form.text("Value")) } catch {
                throw FormProblem(error.message, at: error.message.contains("path") ? "Value" : "Is")
            }
            state.popups.pop()
            let expectation = changed.expectation
            let text = "Expects \(form.text("Value")): \(form.text("Is"))"
            return change([selected.endpoint.id: { $0.expectation = expectation }], saying: text, source: selected.endpoint.id, &state).effects
        }
        form.selected = 1
        state.popups.show(form)
    }
}
