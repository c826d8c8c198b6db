internal import BodyViews
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Editing in `$EDITOR`, and the clipboard of texts that are being typed.
struct EditorFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(.panes, [.control("o")], .editOutside, "Editor", "Edit the body, its file, or the endpoint's file, in $EDITOR"),
            Binding(.field, [.control("o")], .editTextOutside, "Editor", "Edit the text in $EDITOR"),
            Binding(.field, [.alt("w"), Key(.insert, .control)], .copyText, "Copy", "Copy the selected text, or the whole text"),
            Binding(.field, [.control("x"), Key(.delete, .shift)], .cutText, "Cut", "Copy the selected text and delete it"),
            Binding(.field, [.control("y"), Key(.insert, .shift)], .insertCutText, "Insert", "Insert the text that was cut or deleted last"),
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .editOutside: return state.editOutside()
        case .editTextOutside: return state.editTextOutside()
        case .copyText, .cutText: return state.copyTypedText(cuts: command == .cutText)
        case .insertCutText:
            guard state.cutText.isEmpty else { return state.changeText(.insert(state.cutText)) }
            state.toast = Toast("Nothing was cut; \(state.key(.cutText)) cuts the selected text", .warning)
            return []
        default: return nil
        }
    }
}

extension AppState {
    /// Reports that a field was left with a text that is not valid, which can be inserted again.
    ///
    /// - Parameter typed: The text; empty for one that is a secret.
    mutating func keepOldValue(_ problem: String, typed: String) {
        if !typed.isEmpty { cutText = typed }
        let again = typed.isEmpty ? "" : "; \(key(.insertCutText)) in the field inserts what was typed"
        toast = Toast("The old value is kept: \(problem)\(again)", .warning)
    }
}

extension Command {
    static let editOutside = Command.named("editOutside")
    static let editTextOutside = Command.named("editTextOutside", isInPalette: false)
    static let copyText = Command.named("copyText", isInPalette: false)
    static let cutText = Command.named("cutText", isInPalette: false)
    static let insertCutText = Command.named("insertCutText", isInPalette: false)
}

/// Editing the text that is being typed.
struct EditTextJob: Job {
    /// The text when the editor was started.
    var before: String
}

/// Editing the body of a request.
struct EditBodyJob: Job {
    var target: EndpointID
    var part: BodyText
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
        if let location = shownService?.location { return [.openFile(nextJob(OpenFileJob()), location)] }
        guard let openTarget, let endpoint = openEndpoint else {
            toast = Toast("No endpoint is open", .warning)
            return []
        }
        let part = RequestFeature.selectedRow(self)?.bodyText ?? .content
        // An edited text goes to the editor as it is here, a file that is as it was is opened itself.
        if focus == .request, requestState.tab == .body, let text = endpoint.editedBodyFile?.text ?? endpoint.body.text(part) {
            let part = endpoint.editedBodyFile == nil ? part : .file
            return [.edit(nextJob(EditBodyJob(target: openTarget, part: part)), text: text, suffix: endpoint.body.fileSuffix(of: part))]
        }
        if focus == .request, requestState.tab == .body, case .file(let path, _) = endpoint.body, !path.isEmpty, Template(path).isPlain {
            return [.openFile(nextJob(OpenFileJob()), SourceLocation(file: FilePath.joining(workspace.fileFolder(of: endpoint), path)))]
        }
        guard let location = endpoint.location else {
            toast = Toast("This endpoint has no file yet", .warning)
            return []
        }
        return [.openFile(nextJob(OpenFileJob()), location)]
    }

    /// Opens the text that is being typed in `$EDITOR`.
    fileprivate mutating func editTextOutside() -> [Effect] {
        guard let text = typedText else { return [] }
        guard !text.isSecret else {
            toast = Toast("A secret is not written to a file for the editor; type or paste it", .warning)
            return []
        }
        return [.edit(nextJob(EditTextJob(before: text.content.text)), text: text.content.text, suffix: text.suffix)]
    }

    /// Takes a text from `$EDITOR`, without the line break that editors add at the end.
    private mutating func take(_ edited: String, of job: EditTextJob) -> [Effect] {
        let addsBreak = edited.hasSuffix("\n") && !job.before.hasSuffix("\n")
        let text = addsBreak ? String(edited.dropLast()) : edited
        guard text != job.before else { return [] }
        guard typedText?.content.text == job.before else {
            cutText = text
            toast = Toast("The field is closed; \(key(.insertCutText)) in a field inserts the text of the editor", .warning)
            return []
        }
        return changeText(.replaceAll(text))
    }

    /// Copies the selected text to the clipboard, or the whole text, and deletes it.
    fileprivate mutating func copyTypedText(cuts: Bool) -> [Effect] {
        guard let text = typedText else { return [] }
        let selected = text.content.selectedText
        guard !cuts || !selected.isEmpty else {
            toast = Toast("Nothing is selected; Shift with an arrow selects", .warning)
            return []
        }
        guard !text.isSecret || showsSecrets else {
            toast = Toast("A masked secret is not copied to the clipboard; \(key(.toggleSecrets)) shows secrets", .warning)
            return []
        }
        let effects = copy(selected.isEmpty ? text.content.text : selected, selected.isEmpty ? "the text" : "the selected text")
        guard cuts else { return effects }
        if !text.isSecret { cutText = selected }
        return effects + changeText(.edit(.deleteBefore))
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

    mutating func edited(_ id: JobID, _ outcome: EditOutcome) -> [Effect] {
        guard let job = jobs.removeValue(forKey: id) else { return [] }
        switch (job, outcome) {
        case (let job as EditTextJob, .text(let text)): return take(text, of: job)
        case (let job as EditBodyJob, .text(let text)):
            change(job.target) { [files = requests.files.facts] in $0.setBodyText(job.part, to: text, files: files) }
        case (_, .failed(let sentence)): notify(sentence, .error)
        default: break
        }
        return []
    }
}
