internal import Foundation
internal import SortieBase
package import WorkspaceModel

extension WorkspaceFolder {
    /// The maximum size in bytes of the files that are copied or deleted together, because their content is kept in memory for undo.
    static let largestChange = 64 << 20

    /// Changes the files of the workspace.
    ///
    /// Existing files are never replaced by others, and nothing outside the folder is changed. If a step fails, the earlier ones are reverted. A new
    /// service appears with all of its files, or not at all, also where the program is killed.
    ///
    /// - Returns: The changes; ``WorkspaceEdit/apply(_:)`` with the ``FileChanges/reverted`` ones restores the previous files.
    /// - Throws: The reason; nothing has changed then.
    package func perform(_ edit: WorkspaceEdit) throws(WorkspaceError) -> FileChanges {
        if let format { throw refusal(by: format, "only requests that exist are changed in files of other tools") }
        // Known changes need no look at the workspace.
        if case .apply(let changes) = edit {
            try apply(changes)
            return changes
        }
        var plan = try ChangePlan(self)
        let changes = try plan.changes(for: edit)
        try apply(changes)
        return changes
    }

    /// Makes changes, all of them or none.
    func apply(_ changes: FileChanges) throws(WorkspaceError) {
        let staged = StagedFolders(self)
        let steps = staged.steps(of: changes)
        if steps != changes { try staged.removeLeftovers() }
        var done = 0
        var isSynchronized = true
        do throws(WorkspaceError) {
            for change in steps.changes {
                if case .folder(let from, _) = change, staged.contains(from), !isSynchronized {
                    try staged.synchronize()
                    isSynchronized = true
                }
                let isStaged = if case .file(let file, _, _) = change { staged.contains(file) } else { false }
                if isStaged { isSynchronized = false }
                try perform(change, isSynchronized: !isStaged)
                done += 1
            }
        } catch {
            var error = error
            error.file = staged.final(error.file)
            if error.code == .unsynced { done += 1 }
            for change in FileChanges(Array(steps.changes.prefix(done))).reverted.changes {
                do throws(WorkspaceError) { try perform(change) } catch let second {
                    error.message += "; an earlier step could not be reverted: \(second)"
                }
            }
            throw error
        }
    }

    /// - Parameter isSynchronized: Whether a new file is on disk afterwards.
    private func perform(_ change: FileChanges.Change, isSynchronized: Bool = true) throws(WorkspaceError) {
        switch change {
        case .file(let file, nil, let after?):
            let new = try writable(file)
            guard !exists(new.path) else { throw Self.exists(file) }
            try new.holding(createsFolders: true) { place throws(WorkspaceError) in
                try AtomicFile.create(after.bytes, at: place, mode: after.mode.map { mode_t($0) }, isSynchronized: isSynchronized)
            }
        case .file(let file, let before?, nil):
            let old = try writable(file)
            try requireUnchanged(file, old.path, before)
            try old.holding(followsLink: false) { place throws(WorkspaceError) in
                guard unlink(place.path) == 0 else { throw WorkspaceError(.unwritable, file: file, "it cannot be removed: \(Self.systemReason)") }
            }
            removeEmptyFolders(from: FilePath.folder(of: file))
        case .file(let file, let before?, let after?):
            let changed = try writable(file)
            try changed.holding { place throws(WorkspaceError) in
                try AtomicFile.write(after.bytes, to: place) { () throws(WorkspaceError) in try requireUnchanged(file, changed.path, before) }
            }
        case .file(_, nil, nil): break
        case .folder(let from, let to):
            let (source, destination) = (try writable(from), try writable(to))
            guard !exists(destination.path) else { throw Self.exists(to) }
            guard isFolder(source.path) else {
                throw WorkspaceError(.changedOnDisk, file: from, "the folder was removed, or is a link; reload the workspace")
            }
            try source.holding(followsLink: false) { oldPlace throws(WorkspaceError) in
                try destination.holding(createsFolders: true, followsLink: false) { newPlace throws(WorkspaceError) in
                    try move(oldPlace, from, to: newPlace, to)
                }
            }
            removeEmptyFolders(from: FilePath.folder(of: from))
        }
    }

    private func move(_ source: AtomicFile.Place, _ from: String, to destination: AtomicFile.Place, _ to: String) throws(WorkspaceError) {
        let code = FileRename.withoutReplacing(source.path, destination.path)
        guard code == 0 else {
            removeEmptyFolders(from: FilePath.folder(of: to))
            if code == EEXIST { throw Self.exists(to) }
            throw WorkspaceError(.unwritable, file: from, "it cannot be moved to \(to): \(WriteRefusal(code: code))")
        }
        for place in [destination, source] {
            let code = FileRename.syncFolder(of: place.path)
            guard code == 0 else {
                throw WorkspaceError(
                    .unsynced, file: from, "it was moved to \(to), which may be lost in a power failure: \(String(cString: strerror(code)))")
            }
        }
    }

    private func requireUnchanged(_ file: String, _ path: String, _ before: FileChanges.Content) throws(WorkspaceError) {
        guard exists(path) else { throw WorkspaceError(.changedOnDisk, file: file, "the file was removed by another program") }
        guard try WorkspaceFile.bytes(at: path, limit: Self.largestChange) == before.bytes else {
            throw WorkspaceError(.changedOnDisk, file: file, "the file was changed since, so nothing was changed; edit it directly")
        }
    }

    /// Removes a folder and its parents as long as they are empty, because git keeps no empty folders and Services does not show them.
    ///
    /// - Parameter folder: The path relative to the workspace; `.` for the workspace itself, which stays.
    private func removeEmptyFolders(from folder: String) {
        var folder = folder
        while folder != ".", folder != "/", !folder.isEmpty {
            // A folder that cannot be removed stays.
            do throws(WorkspaceError) { guard try writable(folder).holding(followsLink: false, { rmdir($0.path) }) == 0 else { return } } catch {
                return
            }
            folder = FilePath.folder(of: folder)
        }
    }

    /// Whether something has this path, also a link that leads nowhere.
    func exists(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0
    }

    private func isFolder(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    static func exists(_ file: String) -> WorkspaceError {
        WorkspaceError(.exists, file: file, "it already exists; choose another name")
    }

    private static var systemReason: String { String(cString: strerror(errno)) }
}
