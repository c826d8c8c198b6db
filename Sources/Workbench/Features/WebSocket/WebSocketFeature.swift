internal import SortieHTTP
internal import SortieTerminal
package import WorkspaceModel

extension Context {
    /// The response pane while its WebSocket connection is open.
    static let webSocket = Context("WebSocket")
}

extension Command {
    static let composeMessage = Command.named("composeMessage")
    static let earlierMessages = Command.named("earlierMessages")
}

/// Sending a message.
package struct SendMessageJob: WorkJob {
    /// The call of the connection.
    package let call: CallID
    let text: String
    /// The endpoint with the message as its body.
    package let endpoint: Endpoint
    package let environment: String?

    var sent: [SentByEffect] { [.endpoint(endpoint, environment: environment)] }

    func refused(_ problem: Diagnostic) -> JobOutcome? { .failed(problem.workbenchSentence) }

    /// Handles the end of sending a message, which replaces the failure of an earlier one; a text that was not sent can be corrected.
    func finish(_ outcome: JobOutcome, _ state: inout AppState) -> [Effect] {
        guard case .failed(let sentence) = outcome else {
            if state.toast?.text.hasPrefix(WebSocketFeature.failure) == true { state.toast = nil }
            return []
        }
        state.notify("\(WebSocketFeature.failure): \(sentence)", .error)
        guard state.openCall?.id == call, state.popups.isEmpty else { return [] }
        // A template may have a value with which the text is not JSON.
        let isJSON = if case .json = BodyTemplate(message: text) { true } else { false }
        WebSocketFeature.compose(text, problem: isJSON ? "\(sentence); \(WebSocketFeature.confirmation(state))." : sentence, &state)
        return []
    }
}

/// The messages that were sent in this session, by endpoint, the last one first.
struct WebSocketState: FeatureState {
    static let limit = 50

    var sent: [EndpointID: [String]] = [:]
}

/// Messages over the WebSocket connection of the response pane.
struct WebSocketFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .webSocket, [.character("i")], .composeMessage, "Message", "Send a message over the WebSocket connection", hint: 1,
                unless: Self.noConnection
            ).alsoKnownAs("Compose", "Write", "WebSocket"),
            Binding(
                .webSocket, [.character("I")], .earlierMessages, "Saved messages",
                "Send a message that the endpoint has in messages:, or one that was sent before", hint: 3, unless: Self.noConnection
            ).alsoKnownAs("Repeat", "Again", "Script"),
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .composeMessage: Self.compose("", &state)
        case .earlierMessages: Self.showEarlier(&state)
        default: return nil
        }
        return []
    }

    /// Why no message can be sent.
    private static func noConnection(_ state: AppState) -> String? {
        state.openCall?.isOpenWebSocket == true ? nil : "No WebSocket connection is open"
    }

    /// Asks for a message.
    ///
    /// - Parameters:
    ///   - text: The text to begin with.
    ///   - problem: Why that text was not sent.
    fileprivate static func compose(_ text: String, problem: String? = nil, _ state: inout AppState) {
        guard let call = state.openCall, call.isOpenWebSocket else { return }
        var prompt = Prompt(
            "Send to \(call.name)", text, placeholder: #"{"op": "subscribe"} or another text"#,
            message: "{{name}} is replaced as in a body; \(state.key(.editTextOutside)) opens the editor."
        ) { prompt, state in
            let text = prompt.text
            // The problem is displayed until the text changes, so that accepting the same text again confirms it.
            let isConfirmed = prompt.problem != nil
            if !isConfirmed, let problem = Self.problem(of: text, state) {
                state.popups.pop()
                compose(text, problem: problem, &state)
                return []
            }
            guard !text.isEmpty else { return [] }
            state.popups.pop()
            return send(text, as: isConfirmed ? .text(text, contentType: nil) : BodyTemplate(message: text), call.id, &state)
        }
        prompt.problem = problem
        state.popups.show(prompt)
    }

    /// Why a text needs to be confirmed; nil for one that is sent at once.
    private static func problem(of text: String, _ state: AppState) -> String? {
        if text.isEmpty { return "An empty message is not sent; type a text." }
        guard BodyTemplate.beginsAsJSON(text), let problem = JSONTemplate.problem(in: text) else { return nil }
        return "The message is \(problem.ofJSON(in: "it")); \(confirmation(state))."
    }

    fileprivate static func confirmation(_ state: AppState) -> String { "\(state.key(.accept, in: .prompt)) again sends it as plain text" }

    /// Lists the messages of the endpoint and those that were sent before.
    private static func showEarlier(_ state: inout AppState) {
        guard let call = state.openCall, call.isOpenWebSocket else { return }
        let saved = state.openEndpoint?.messages ?? []
        let sent = call.endpoint.flatMap { state.states[WebSocketState.self].sent[$0] } ?? []
        guard !saved.isEmpty || !sent.isEmpty else {
            state.notify("Nothing was sent yet, and the endpoint has no messages:; \(state.key(.composeMessage)) writes a message")
            return
        }
        func item(_ label: String, _ text: String) -> ListPopup.Item {
            let detail = label.isEmpty ? "" : text
            return ListPopup.Item(label: label.isEmpty ? text : label, detail: detail) { send(text, as: BodyTemplate(message: text), call.id, &$0) }
        }
        let isNew = { (text: String) in !saved.contains { $0.value == text } }
        state.show(
            ListPopup(
                title: "Send to \(call.name)", items: saved.map { item($0.name, $0.value) } + sent.filter(isNew).map { item("", $0) },
                filter: TextField()))
    }

    private static func send(_ text: String, as body: BodyTemplate, _ id: CallID, _ state: inout AppState) -> [Effect] {
        guard let call = state.calls[id]?.call, call.isOpenWebSocket, let key = call.endpoint, var endpoint = state.endpoint(key) else {
            state.notify("The connection is closed; \(state.key(.send)) opens it again", .error)
            return []
        }
        var sent = state.states[WebSocketState.self].sent[key] ?? []
        sent.removeAll { $0 == text }
        state.states[WebSocketState.self].sent[key] = Array(([text] + sent).prefix(WebSocketState.limit))
        endpoint.body = body
        endpoint.promptValues = call.promptValues
        return Prompts.ask(for: endpoint, &state) { endpoint, state in
            state.start(SendMessageJob(call: id, text: text, endpoint: endpoint, environment: state.environment))
        }
    }

    fileprivate static let failure = "The message was not sent"
}

extension BodyTemplate {
    /// The body that has the content of a message, so that templates in it are resolved as in a body.
    fileprivate init(message text: String) {
        self = Self.beginsAsJSON(text) && JSONTemplate.problem(in: text) == nil ? .json(text) : .text(text, contentType: nil)
    }

    /// Whether a message is probably meant as JSON.
    fileprivate static func beginsAsJSON(_ text: String) -> Bool {
        let start = text.first { !$0.isWhitespace }
        return start == "{" || start == "["
    }
}
