internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Typing the URL of a request, which has the rows of its query.
extension RequestFeature {
    /// Whether the rows of the query are part of the URL: they are not sent in a body, and the URL shows them as UTF-8.
    private static func hasQuery(_ endpoint: Endpoint, _ state: AppState) -> Bool {
        let style = state.workspace.parameterStyle(of: endpoint)
        return style.parameterCharset == .utf8 && style.placement.isQuery(for: endpoint.method, hasBody: !endpoint.body.takesParameters)
    }

    /// The field for the URL of an endpoint, with the cursor after the path.
    static func urlField(of endpoint: Endpoint, _ state: AppState) -> TextField {
        guard hasQuery(endpoint, state) else { return TextField(endpoint.path) }
        let url = URLText(of: endpoint)
        return TextField(url.text, cursor: url.path.count)
    }

    /// Takes a typed URL: path and rows.
    static func setURL(to text: String, typing: Draft.Typing? = nil, by change: TextChange? = nil, _ state: inout AppState) {
        guard let endpoint = state.openEndpoint else { return }
        let hasQuery = hasQuery(endpoint, state)
        take(change, typing, &state) { if hasQuery { $0.setURL(text) } else { $0.path = text } }
    }

    /// Whether the service of an endpoint has a server in the selected environment, so that a path is sufficient.
    static func hasServer(_ endpoint: Endpoint, _ state: AppState) -> Bool {
        state.environment.flatMap { state.workspace.service(endpoint.serviceName)?.servers[$0] }?.isEmpty == false
    }

    /// Whether a URL is typed for a request that had none, which Enter sends where that changes nothing on the server.
    static func isNewURL(_ state: AppState) -> Bool {
        guard case .url(let field) = editing(state), state.requestState.pathBefore == "", let endpoint = state.openEndpoint else { return false }
        return !field.isEmpty && endpoint.method.isSafe
    }

    /// The URL that takes the place of the edited one, because a complete URL is pasted where it cannot be a part of that; nil for other changes.
    ///
    /// After a separator, as in `?next=`, it is inserted.
    static func pastedURL(_ change: TextChange, into field: TextField) -> String? {
        guard case .insert(let text) = change, let url = PastedCommand.url(text), field.content.selection == nil else { return nil }
        let before = field.text.prefix(field.cursor)
        return before.last.map { $0.isLetter || $0.isNumber } ?? true ? url : nil
    }

    /// Reads a curl command that was typed in place of a URL, or pasted by a terminal that does not mark it; nil for other text.
    ///
    /// The request is then as before.
    static func readTypedCommand(_ state: inout AppState) -> [Effect]? {
        guard case .url(let field) = editing(state), PastedCommand.isCommand(field.text), let target = state.openTarget,
            let before = state.requestState.pathBefore
        else { return nil }
        leaveEditing(&state)
        if before.isEmpty { setURL(to: "", &state) }
        while state.openEndpoint?.path != before, state.drafts[target]?.undo() == true {}
        return state.pasted(field.text)
    }

    /// The reason why an endpoint without a URL cannot be sent.
    static func noURLReason(_ endpoint: Endpoint, _ state: AppState) -> String? {
        endpoint.path.isEmpty && !hasServer(endpoint, state) ? "There is no URL yet; \(state.key(.editURL)) in Request types one" : nil
    }

    /// Adds the scheme to a typed URL that has none, unless the service has a server for it.
    static func completeURL(_ state: inout AppState) {
        guard case .url(let field) = state.requestState.editing, let endpoint = state.openEndpoint, !hasServer(endpoint, state) else { return }
        let text = TypedURL.completed(field.text)
        guard text != field.text else { return }
        state.requestState.editing = .url(TextField(text))
        setURL(to: text, typing: state.requests.typing.current, &state)
    }
}
