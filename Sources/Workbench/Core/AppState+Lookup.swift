internal import SortieHTTP
internal import WorkspaceModel

/// Derived values of the state, and its messages.
extension AppState {
    /// The endpoint as it would be sent, with unsaved changes.
    func endpoint(_ id: EndpointID) -> Endpoint? {
        drafts[id]?.edited ?? workspace.endpoint(id)
    }

    /// What of its endpoint was changed since the request of a call was sent; nil for a call that has not ended, or whose endpoint does not exist.
    func requestChange(since call: Call) -> RequestChange? {
        guard let exchange = call.exchange, let endpoint = call.endpoint.flatMap({ self.endpoint($0) }) else { return nil }
        return RequestChange(since: exchange.request, to: endpoint)
    }

    var openEndpoint: Endpoint? { openTarget.flatMap { endpoint($0) } }

    /// Changes an endpoint as one undo step, or within the undo step of the current typing.
    ///
    /// - Parameter target: The endpoint; nil for the open one.
    mutating func change(_ target: EndpointID? = nil, typing: Draft.Typing? = nil, _ work: (inout Endpoint) -> Void) {
        guard let target = target ?? openTarget, let original = workspace.endpoint(target) ?? drafts[target]?.original else { return }
        drafts[target, default: Draft(original)].change(typing: typing, work)
    }

    var editedDrafts: [Draft] {
        drafts.values.filter(\.isEdited).sorted { $0.original.target < $1.original.target }
    }

    /// What is masked on the screen.
    var redaction: Redaction { showsSecrets ? .none : secrets }

    /// The reason why no endpoint is open.
    var noEndpointReason: String? {
        if openEndpoint != nil { return nil }
        return openTarget.flatMap { unreadableReason(.endpoint($0)) } ?? "No endpoint is open; choose one in Services"
    }

    /// The reason why the content of a file cannot be used; nil when it can.
    func unreadableReason(_ content: UnreadableFile.Content) -> String? {
        guard let problem = workspace.problem(of: content) else { return nil }
        return "\(problem.location) cannot be used: \(problem.message)\(editorHint)"
    }

    /// The key that opens the file of a problem in the editor.
    private var editorHint: String { keymap.keyLabel(of: .editOutside).map { "; \($0) opens the file there" } ?? "" }

    /// The reason why an endpoint cannot be sent, because something in its files cannot be read; nil where there is none.
    func fileErrorReason(_ endpoint: Endpoint) -> String? {
        guard let problem = workspace.sendingProblem(of: endpoint, ignoresUnreadable: true) else { return nil }
        return "Not sent: \(problem.location): \(problem.message)\(editorHint)"
    }

    /// Shows a message in the footer and adds it to the log.
    mutating func notify(_ text: String, _ level: LogEntry.Level = .info, source: String = "") {
        // The log keeps the text, because it is masked where it is shown.
        toast = Toast(redaction.masked(text), level)
        log.append(LogEntry(level, source: source, text))
    }

    /// Shows a message about an endpoint in the footer and adds it to the log.
    mutating func notify(_ text: String, _ level: LogEntry.Level = .info, source: EndpointID) { notify(text, level, source: source.path) }

    /// All problems of the workspace, as `sortie check` prints them.
    var problems: [Diagnostic] { workspace.problems + problemsOfFurtherFiles }

    /// Adds problems of the workspace to the log.
    mutating func logProblems(_ problems: [Diagnostic]) {
        for problem in problems {
            log.append(
                LogEntry(problem.severity == .error ? .error : .warning, source: problem.location.description, problem.message))
        }
    }
}
