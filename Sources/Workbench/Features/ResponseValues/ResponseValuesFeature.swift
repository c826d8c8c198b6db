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
            .init("Name", selected.name), .init("Value", selected.path, placeholder: "$.path, header NAME or status"),
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
        var effects: [Effect] = []
        switch use?.place {
        case .variable(let name):
            if let use, let run = found.run {
                var new = run
                new.steps[use.step].variables[name] = template
                let job = EditWorkspaceJob(edit: .changeRun(from: run, to: new), text: "\(use.name) uses \(template)")
                effects += ItemsFeature.start(job, &state)
            }
        case .sameValue: if let use { edits[use.target] = { _ = $0.replace(value ?? "", by: template) } }
        case .bearer: if let use { edits[use.target] = { $0.auth = .bearer(token: template) } }
        case nil: break
        }
        let unsaved = change(edits, &state, &effects)
        let text = use.map { "\(template) is used by \($0.text)" } ?? "Captured as \(template)"
        state.notify(text + (unsaved.isEmpty ? "" : "; \(unsaved.joined(separator: ", ")) has other changes, \(state.key(.save)) saves it"))
        return effects
    }

    /// Changes endpoints, and saves those that had no unsaved changes before; returns the names of the others.
    static func change(
        _ edits: [EndpointID: (inout Endpoint) -> Void], _ state: inout AppState, _ effects: inout [Effect]
    ) -> [String] {
        var unsaved: [String] = []
        for (id, edit) in edits.sorted(by: { $0.key.path < $1.key.path }) {
            let wasEdited = state.drafts[id]?.isEdited == true
            state.change(id, edit)
            guard let draft = state.drafts[id], draft.isEdited else { continue }
            if wasEdited || draft.onDisk != nil {
                unsaved.append(draft.edited.name)
            } else {
                effects.append(DraftsFeature.save(draft, thenQuit: false, &state))
            }
        }
        return unsaved
    }

    // MARK: Expecting

    private static func askToExpect(_ selected: SelectedValue, _ state: inout AppState) {
        let value = selected.isSecret(state.secrets) ? nil : selected.value
        let condition = value.map { Condition.text(metBy: $0) } ?? "exists"
        let rows: [Form.Row] = [
            .init("Value", selected.path, placeholder: "$.path, header NAME or status"),
            .init(
                "Is", condition, placeholder: selected.path == "status" ? "200, 2xx" : "a value, exists, > 3, matches REGEX, type string",
                place: .templates),
        ]
        var form = Form("Expect of each response", rows, guide: "runs#expectations") { form, state throws(FormProblem) in
            var changed = state.endpoint(selected.endpoint.id) ?? selected.endpoint
            do throws(ConditionError) { try changed.expect(form.text("Is"), of: form.text("Value")) } catch {
                throw FormProblem(error.message, at: error.message.contains("path") ? "Value" : "Is")
            }
            state.popups.pop()
            var effects: [Effect] = []
            let expectation = changed.expectation
            let unsaved = change([selected.endpoint.id: { $0.expectation = expectation }], &state, &effects)
            let saved = unsaved.isEmpty ? "" : "; the endpoint has other changes, \(state.key(.save)) saves it"
            state.notify("\(form.text("Value")) is expected to be \(form.text("Is"))\(saved)", source: selected.endpoint.id)
            return effects
        }
        form.selected = 1
        state.popups.show(form)
    }
}
