internal import Model
internal import Terminal

/// The files that requests name.
extension AppState {
    /// The use of a chosen file; nil when the row takes none.
    var filePurpose: FilePicker.Purpose? {
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
        let job = nextJob(.listFolder)
        popup = .files(FilePicker(purpose: purpose, folder: folder, job: job, wanted: current.map(FilePath.name)))
        return [.listFolder(job, folder)]
    }

    /// Reads a folder for the open file picker.
    mutating func list(_ folder: String) -> [Effect] {
        guard case .files(var picker) = popup else { return [] }
        let job = nextJob(.listFolder)
        picker.state = .reading(job)
        popup = .files(picker)
        return [.listFolder(job, folder)]
    }

    /// Handles the listing of a folder; the listing for a closed picker is dropped.
    mutating func listed(_ id: JobID, _ listing: FolderListing) {
        jobs[id] = nil
        guard case .files(var picker) = popup, picker.state == .reading(id) else { return }
        picker.take(listing)
        popup = .files(picker)
    }

    /// Opens the selected folder or chooses the selected file (key Enter).
    mutating func chooseFile(_ picker: FilePicker) -> [Effect] {
        guard let entry = picker.chosen else { return [] }
        let path = FilePath.joining(picker.folder, entry.name)
        if entry.isFolder {
            var picker = picker
            picker.go(to: path)
            popup = .files(picker)
            return list(path)
        }
        guard case .file = entry.kind else {
            toast = Toast("\(entry.name) is not a file that can be sent", .warning)
            return []
        }
        guard !path.contains("{{"), !path.unicodeScalars.contains("\u{fffd}") else {
            toast = Toast("A workspace cannot name this file: its path has {{ or is not UTF-8; rename it", .warning)
            return []
        }
        popup = nil
        change { $0.setFile(path, for: picker.purpose) }
        return []
    }

    mutating func goUp() -> [Effect] {
        guard case .files(var picker) = popup, let folder = picker.goUp() else { return [] }
        popup = .files(picker)
        return list(folder)
    }

    mutating func toggleHidden() {
        guard case .files(var picker) = popup else { return }
        picker.toggleHidden()
        popup = .files(picker)
    }

    /// Completes the typed name; opens the only matching folder (key Tab).
    mutating func completeName() -> [Effect] {
        guard case .files(var picker) = popup else { return [] }
        if picker.shown.count == 1, picker.chosen?.isFolder == true { return chooseFile(picker) }
        picker.complete()
        popup = .files(picker)
        return []
    }

    /// Whether Backspace in the picker has nothing to delete.
    var isPickerTextEmpty: Bool {
        if case .files(let picker) = popup { picker.filter.isEmpty } else { false }
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
