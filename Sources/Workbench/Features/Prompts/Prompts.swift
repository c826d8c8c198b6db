internal import WorkspaceModel

/// What the user typed for prompts in this session, by label; values of secrets are not kept.
struct PromptsState: FeatureState {
    var values: [String: String] = [:]
}

/// Asks for the values of `{{$prompt LABEL}}` before a request is sent: all of them in one form.
enum Prompts {
    /// Asks for what an endpoint needs and does not have yet, and continues with the endpoint that has the values.
    static func ask(
        for endpoint: Endpoint, _ state: inout AppState, then work: @escaping @Sendable (Endpoint, inout AppState) -> [Effect]
    ) -> [Effect] {
        let needs = state.needsScan.needs(of: endpoint)
        let questions = needs.prompts.filter { endpoint.promptValues[$0.label] == nil && state.overrides[$0.label] == nil }
        // What is entered would be lost, because the request cannot be sent.
        if let name = needs.undefined.first, !questions.isEmpty {
            let remedy = endpoint.id == state.openTarget ? "; \(state.key(.defineVariable)) defines it" : ""
            state.notify("Not sent: nothing defines {{\(name)}}\(remedy)", .error, source: endpoint.id)
            return []
        }
        return ask(questions, for: endpoint.name, &state) { values, state in
            var endpoint = endpoint
            endpoint.promptValues.merge(values) { $1 }
            return work(endpoint, &state)
        }
    }

    /// Asks the questions that the command line does not answer, and continues with the values by label.
    static func ask(
        _ questions: [PromptQuestion], for name: String, _ state: inout AppState,
        then work: @escaping @Sendable ([String: String], inout AppState) -> [Effect]
    ) -> [Effect] {
        let questions = questions.filter { state.overrides[$0.label] == nil }
        guard !questions.isEmpty else { return work([:], &state) }
        let rows = questions.map { question in
            Form.Row(
                question.label, remembered(state)[question.label] ?? question.suggestion,
                placeholder: question.isSecret ? "masked, and not kept" : "", isSecret: question.isSecret)
        }
        state.popups.show(
            Form("Send \(name) with", rows) { form, state throws(FormProblem) in
                var values: [String: String] = [:]
                for (question, row) in zip(questions, form.rows) {
                    values[question.label] = row.text
                    if !question.isSecret { state.states[PromptsState.self].values[question.label] = row.text }
                }
                state.popups.pop()
                return work(values, &state)
            })
        return []
    }

    /// The last values of this session.
    static func remembered(_ state: AppState) -> [String: String] { state.states[PromptsState.self].values }
}
