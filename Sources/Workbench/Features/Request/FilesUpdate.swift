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

    /// Opens the file picker in the folder of the current file, or of the endpoint.
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
        let folder = current.map(FilePath.folder) ?? state.workspace.fileFolder(of: endpoint)
        return FilePickerFeature.open(in: folder, wanted: current.map(FilePath.name), &state) { path, state in
            state.change { $0.setFile(path, for: purpose) }
            return []
        }
    }

    /// Inspects the files of the shown body, each once until an action that may have changed them.
    static func inspectFiles(after action: Action, _ state: inout AppState) -> [Effect] {
        switch action {
        case .workspaceLoaded, .callFailedToStart, .call(_, .finished), .input(.resumed): state.requests.files.forget()
        default: break
        }
        let tab = state.requestState.tab
        guard let endpoint = state.openEndpoint, tab == .body, !endpoint.body.filePaths.isEmpty else { return [] }
        let preview = RequestPreview(state, endpoint)
        let paths = endpoint.body.filePaths.compactMap(preview.path)
        let missing = state.requests.files.missing(of: paths, at: .init(target: state.openTarget, tab: tab))
        return missing.isEmpty ? [] : [.inspectFiles(missing)]
    }
}
