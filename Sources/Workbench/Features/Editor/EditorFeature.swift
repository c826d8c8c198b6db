internal import BodyViews
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Editing in `$EDITOR`.
struct EditorFeature: Feature {
    var bindings: [Binding] {
        [Binding(.everywhere, [.control("o")], .editOutside, "Editor", "Edit the body, or the endpoint's file, in $EDITOR")]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? { command == .editOutside ? state.editOutside() : nil }
}

extension Command {
    static let editOutside = Command.named("editOutside")
}

/// Editing the body of a request.
struct EditBodyJob: Job {
    var target: EndpointID
}

/// Reading the body of a response.
struct ViewBodyJob: Job {}

/// Editing a file of the workspace.
struct OpenFileJob: Job {}

extension AppState {
    /// Opens in `$EDITOR`: the request body, the response body read-only, or the endpoint's file (key Ctrl-O).
    mutating func editOutside() -> [Effect] {
        if focus == .response, let body = openCall?.body, !body.bytes.isEmpty {
            guard body.bytes.count <= AppState.copyLimit, body.kind != .binary else {
                toast = Toast("Too large or binary for an editor; \(key(.saveBody)) saves the body to a file", .warning)
                return []
            }
            return [.edit(nextJob(ViewBodyJob()), text: body.wholeText, suffix: body.kind.fileSuffix)]
        }
        stopEditing()
        if let location = selectedFile { return [.openFile(nextJob(OpenFileJob()), location)] }
        guard let openTarget, let endpoint = openEndpoint else {
            toast = Toast("No endpoint is open", .warning)
            return []
        }
        if focus == .request, requestState.tab == .body, let text = endpoint.body.editableText {
            return [.edit(nextJob(EditBodyJob(target: openTarget)), text: text, suffix: endpoint.body.fileSuffix)]
        }
        guard let location = endpoint.location else {
            toast = Toast("This endpoint has no file yet", .warning)
            return []
        }
        return [.openFile(nextJob(OpenFileJob()), location)]
    }

    /// The file that Ctrl-O opens instead of a body or the endpoint's file: an unreadable one, at its first problem, or that of the
    /// service or run selected in the services pane.
    private var selectedFile: SourceLocation? {
        if focus == .services, let content = services.selected?.content {
            if let problem = workspace.problem(of: content) { return problem.location }
            switch content {
            case .service(let folder): return workspace.service(folder)?.location
            case .run(let name): return workspace.runs.first { $0.name == name }?.location
            case .endpoint, .workspace: break
            }
        }
        guard let openTarget, drafts[openTarget]?.isFileGone != true else { return nil }
        return workspace.problem(of: .endpoint(openTarget))?.location
    }

    mutating func edited(_ id: JobID, _ outcome: EditOutcome) {
        guard let job = jobs.removeValue(forKey: id) else { return }
        switch (job, outcome) {
        case (let job as EditBodyJob, .text(let text)):
            change(job.target) { $0.body = $0.body.replacing(text: text) }
        case (_, .failed(let sentence)): notify(sentence, .error)
        default: break
        }
    }
}
