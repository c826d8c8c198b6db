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
extension AppState {
    /// The use of a chosen file; nil when the row takes none.
    var filePurpose: FilePurpose? {
        guard requestState.tab == .body else { return nil }
        switch openEndpoint?.body {
        case .file: return .bodyFile
        case .multipart:
            guard let index = selectedRequestRow?.listIndex else { return nil }
            return .part(index)
        default: return nil
        }
    }

    /// Opens the file picker in the folder of the current file, or of the endpoint.
    mutating func pickFile() -> [Effect] {
        leaveEditing()
        guard let purpose = filePurpose, let endpoint = openEndpoint else { return [] }
        let preview = RequestPreview(self, endpoint)
        let current: String?
        switch (purpose, endpoint.body) {
        case (.bodyFile, .file(let path, _)): current = preview.path(path)
        case (.part(let index), .multipart(let parts)): current = parts[index].isFile ? preview.path(parts[index].value) : nil
        default: current = nil
        }
        let folder = current.map(FilePath.folder) ?? workspace.fileFolder(of: endpoint)
        return FilePickerFeature.open(in: folder, wanted: current.map(FilePath.name), &self) { path, state in
            state.change { $0.setFile(path, for: purpose) }
        }
    }

    /// Inspects the files of the shown body, each once until an action that may have changed them.
    mutating func lookAtFiles(after action: Action) -> [Effect] {
        switch action {
        case .workspaceLoaded, .callFailedToStart, .call(_, .finished), .input(.resumed): files.forget()
        default: break
        }
        guard let endpoint = openEndpoint, requestState.tab == .body, !endpoint.body.filePaths.isEmpty else { return [] }
        let preview = RequestPreview(self, endpoint)
        let paths = endpoint.body.filePaths.compactMap(preview.path)
        let missing = files.missing(of: paths, at: .init(target: openTarget, tab: requestState.tab))
        return missing.isEmpty ? [] : [.inspectFiles(missing)]
    }
}
