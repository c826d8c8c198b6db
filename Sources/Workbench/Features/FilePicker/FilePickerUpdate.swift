internal import SortieBase
internal import SortieTerminal

/// Reading the folder of the file picker.
struct ListFolderJob: Job {
    static let isReplaced = true
}

/// Choosing a file from a folder.
struct FilePickerFeature: Feature {
    let stacks: [[Context]] = [[.files, .field]]

    /// Opens the file picker in a folder, with a name selected.
    static func open(
        in folder: String, wanted: String?, for purpose: FilePicker.Purpose = .reference, _ state: inout AppState,
        choose: @escaping FilePicker.Choice
    ) -> [Effect] {
        let job = state.nextJob(ListFolderJob())
        state.popups.push(FilePicker(folder: folder, job: job, wanted: wanted, purpose: purpose, choose: choose))
        return [.listFolder(job, folder)]
    }

    /// Handles the listing of a folder; the listing for a closed picker is dropped.
    static func listed(_ id: JobID, _ listing: FolderListing, _ state: inout AppState) {
        state.jobs[id] = nil
        state.popups.change(FilePicker.self) { if $0.state == .reading(id) { $0.take(listing) } }
    }
}

extension FilePicker: Popup {
    var contexts: [Context] { [.files, .field] }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): move(movement, page: rows(in: frame(in: state.popupArea)).height)
        case .choose: return chooseSelected(&state)
        case .folderUp: return goUp(&state)
        case .text(.deleteBefore) where filter.isEmpty: return goUp(&state)
        case .completeName:
            // The only matching folder is opened.
            if shown.count == 1, chosen?.isFolder == true { return chooseSelected(&state) }
            complete()
        case .toggleHidden: toggleHidden()
        case .close:
            state.stopJobs(ListFolderJob.self)
            state.popups.pop()
        default: return nil
        }
        return []
    }

    func typedText(_ state: AppState) -> TypedText? { TypedText(filter) }

    mutating func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        var text = filter
        text.apply(change)
        return setText(text).map { read($0, &state) } ?? []
    }

    /// Handles the mouse: the wheel moves the selection, a click chooses.
    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] {
        switch mouse.kind {
        case .scrollUp, .scrollDown: move(mouse.kind == .scrollUp ? .up : .down, page: 1)
        case .press:
            let frame = frame(in: state.popupArea)
            guard frame.contains(mouse.position) else {
                state.popups.pop()
                break
            }
            let rows = rows(in: frame)
            let index = mouse.position.row - rows.row + top(height: rows.height)
            guard rows.contains(mouse.position), shown.indices.contains(index) else { break }
            selected = index
            return chooseSelected(&state)
        case .release, .drag, .doubleClick: break
        }
        return []
    }

    private mutating func read(_ folder: String, _ state: inout AppState) -> [Effect] {
        let job = state.nextJob(ListFolderJob())
        self.state = .reading(job)
        return [.listFolder(job, folder)]
    }

    private mutating func goUp(_ state: inout AppState) -> [Effect] { goUp().map { read($0, &state) } ?? [] }

    /// Opens the selected folder or chooses the selected file.
    private mutating func chooseSelected(_ state: inout AppState) -> [Effect] {
        guard let entry = chosen else { return [] }
        if entry.name == Self.wholeFolder {
            state.popups.pop()
            return choose(folder, &state)
        }
        let path = FilePath.joining(folder, entry.name)
        if entry.isFolder {
            go(to: path)
            return read(path, &state)
        }
        guard case .file = entry.kind else {
            state.toast = Toast("\(entry.name) is not a file that can be \(purpose == .importing ? "imported" : "sent")", .warning)
            return []
        }
        guard purpose == .importing || !path.contains("{{"), !path.unicodeScalars.contains("\u{fffd}") else {
            state.toast = Toast("A workspace cannot refer to this file: its path contains {{ or is not UTF-8; rename it", .warning)
            return []
        }
        state.popups.pop()
        return choose(path, &state)
    }
}
