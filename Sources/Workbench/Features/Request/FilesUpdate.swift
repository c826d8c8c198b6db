internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The use of a chosen file.
enum FilePurpose: Hashable, Sendable {
    case bodyFile
    /// A part of a multipart body, by its index.
    case part(Int)
}

/// The files that requests name.
extension RequestFeature {
    /// The use of a chosen file; nil when the row takes none.
    static func filePurpose(_ state: AppState) -> FilePurpose? {
        guard state.requestState.tab == .body else { return nil }
        switch state.openEndpoint?.body {
        case .file: return .bodyFile
        case .multipart: return selectedRow(state)?.listIndex.map { .part($0) }
        default: return nil
        }
    }

    /// Opens the file picker in the folder of the current file, or of the endpoint; for a request of the scratch workspace, whose folder has no files of the
    /// user, in the current folder.
    static func pickFile(_ state: inout AppState) -> [Effect] {
        leaveEditing(&state)
        guard let purpose = filePurpose(state), let endpoint = state.openEndpoint else { return [] }
        let preview = RequestPreview(state, endpoint)
        let current: String?
        switch (purpose, endpoint.body) {
        case (.bodyFile, .file(let path, _)): current = preview.path(path)
        case (.part(let index), .multipart(let parts)): current = parts[index].isFile ? preview.path(parts[index].value) : nil
        default: current = nil
        }
        let folder = current.map(FilePath.folder) ?? (state.isScratch ? state.folders.current : state.workspace.fileFolder(of: endpoint))
        return FilePickerFeature.open(in: folder, wanted: current.map(FilePath.name), &state) { path, state in
            state.change { $0.setFile(path, for: purpose) }
            return []
        }
    }

    /// Takes facts about files.
    static func inspected(_ facts: [String: FileFact], _ state: inout AppState) -> [Effect] {
        // What is being typed is a change of the text that was read before; the files are inspected again afterwards.
        if case .body(.file, _) = state.requestState.editing {
            state.requests.files.forget()
        } else {
            state.requests.files.facts.merge(facts) { $1 }
        }
        return []
    }

    /// Inspects the files of the shown body, each once until an action that may have changed them.
    static func inspectFiles(after action: Action, _ state: inout AppState) -> [Effect] {
        switch action {
        case .workspaceLoaded, .otherFilesChanged, .callFailedToStart, .call(_, .finished), .input(.resumed): state.requests.files.forget()
        default: break
        }
        if case .body(.file, _) = state.requestState.editing { return [] }
        let tab = state.requestState.tab
        guard let endpoint = state.openEndpoint, tab == .body, !endpoint.body.files.isEmpty else { return [] }
        let preview = RequestPreview(state, endpoint)
        let paths = endpoint.body.files.compactMap(preview.path)
        let missing = state.requests.files.missing(of: paths, at: .init(target: state.openTarget, tab: tab))
        let text = endpoint.bodyFilePath.flatMap { missing.contains($0) ? $0 : nil }
        return missing.isEmpty ? [] : [.inspectFiles(missing, readingText: text)]
    }
}

// MARK: The text of the body's file

extension Endpoint {
    /// The path of the body's file, where its text can be edited in place; nil for one that is known only on sending.
    var bodyFilePath: String? {
        guard case .file(let path, _) = body, FilePath.isAbsolute(path), Template(path).isPlain else { return nil }
        return path
    }

    /// A text of the body that can be edited as lines; nil where it has none.
    func bodyText(_ part: BodyText, files: [String: FileFact]) -> String? {
        guard part == .file else { return body.text(part) }
        return editedBodyFile?.text ?? fileText(files)
    }

    /// The text of the body's file as it was read last.
    func fileText(_ files: [String: FileFact]) -> String? {
        guard let bodyFilePath, case .file(_, let text, _)? = files[bodyFilePath] else { return nil }
        return text
    }

    /// Replaces a text of the body.
    mutating func setBodyText(_ part: BodyText, to text: String, files: [String: FileFact]) {
        guard part == .file else {
            body = body.replacing(part, with: text)
            return
        }
        // A restored edit can be continued where the file cannot be read any more.
        guard let original = editedBodyFile?.original ?? fileText(files) else { return }
        setBodyFileText(to: text, original: original)
    }
}
