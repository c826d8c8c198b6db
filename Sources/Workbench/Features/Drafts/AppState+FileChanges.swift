internal import SortieBase
internal import WorkspaceModel

/// Changes of the workspace's files by other programs.
extension AppState {
    /// Merges the content of the endpoint's file with the draft; conflicts are left to the user.
    mutating func takeUpFile(of target: EndpointID) {
        guard let draft = drafts[target] else { return }
        guard let file = workspace.endpoint(target) else {
            if workspace.problem(of: .endpoint(target)) == nil { fileIsGone(draft) }
            // An unreadable file keeps its row and the draft, for the time when it is readable again.
            if !draft.isEdited { drafts[target] = nil }
            return
        }
        let isTyping = openTarget == target && requests[target]?.editing != nil
        let isNews = draft.isEdited && !draft.knows(file)
        switch drafts[target]?.take(file, mayMerge: !isTyping) {
        case .merged where isNews: notify("The file changed on disk; its changes and yours are merged", source: target)
        case .conflict(let keys) where isNews:
            let save = keymap.keyLabel(of: .save).map { "; \($0) shows both" } ?? ""
            notify("The file changed on disk in the same places as here (\(keys.joined(separator: ", ")))\(save)", .warning, source: target)
        default: break
        }
        if openTarget == target, !isTyping, requests[target] != nil {
            let last = max(0, requestRows.count - 1)
            requestState.row = min(requestState.row, last)
        }
    }

    /// Keeps the row of a removed file as long as there are unsaved changes.
    private mutating func fileIsGone(_ draft: Draft) {
        guard draft.isEdited else { return }
        let target = draft.original.id
        let place = SourceLocation(file: draft.original.location?.file ?? "\(target).yaml")
        let save = keymap.keyLabel(of: .save).map { "; \($0) writes it again" } ?? ""
        workspace.unreadable.append(UnreadableFile(.endpoint(target), Diagnostic(place, "the file was removed\(save)")))
        guard !draft.isFileGone else { return }
        drafts[target]?.isFileGone = true
        notify("The file was removed; your changes are kept\(save)", .warning, source: target)
    }

    // MARK: Conflicts

    /// Shows the choices for an endpoint that was changed here and by another program in the same keys.
    mutating func showConflict(_ target: EndpointID) {
        guard let list = conflictList(target) else { return }
        show(list)
    }

    private func conflictList(_ target: EndpointID) -> ListPopup? {
        guard let draft = drafts[target], let merge = draft.overwriting else { return nil }
        let keys = merge.conflicts.isEmpty ? "" : "Changed here and there: \(merge.conflicts.joined(separator: ", "))."
        return ListPopup(
            title: "\(draft.onDisk?.location?.file ?? target.path) was changed by another program", message: keys,
            items: [
                .init(
                    label: "Show the differences", detail: "− in the file, + after saving", isCurrent: true
                ) { $0.compareWithFile(target) },
                .init(
                    label: "Overwrite", detail: "saves the changes made here; other changes of the file stay"
                ) { $0.overwriteFile(target) },
                .init(label: "Reload", detail: "loads the file; \(key(.undo)) undoes that") { $0.reloadFile(target) },
                .plain(label: "Keep editing", detail: "does not save"),
            ])
    }

    /// Saves the draft over the changes of the other program.
    private mutating func overwriteFile(_ target: EndpointID) -> [Effect] {
        drafts[target]?.keepOurs()
        return drafts[target].map { [save($0, thenQuit: false)] } ?? []
    }

    /// Replaces the draft with the content of the file.
    private mutating func reloadFile(_ target: EndpointID) -> [Effect] {
        guard drafts[target]?.onDisk != nil else { return [] }
        drafts[target]?.takeFile()
        notify("The endpoint was loaded from its file; \(key(.undo)) undoes that", source: target)
        return []
    }

    // MARK: Differences

    /// Determines what saving would change in the file.
    mutating func compareWithFile(_ target: EndpointID) -> [Effect] {
        guard let draft = drafts[target] else { return [] }
        let job = nextJob(CompareWithFileJob(target: target))
        if let merge = draft.overwriting, let onDisk = draft.onDisk { return [.compareWithFile(job, merge.endpoint, original: onDisk)] }
        return [.compareWithFile(job, draft.edited, original: draft.original)]
    }

    mutating func comparedWithFile(_ id: JobID, _ outcome: DiffOutcome) {
        guard let target = finishJob(id, CompareWithFileJob.self)?.target else { return }
        switch outcome {
        case .lines(let comparison):
            guard mayOpen("The differences") else { return }
            // The choices for a conflict are shown again when the differences close.
            showConflict(target)
            popups.push(DiffPopup(target: target, comparison: comparison))
        case .failed(let sentence): notify(sentence, .error, source: target)
        }
    }
}

/// Comparing a draft with its file.
struct CompareWithFileJob: Job {
    static let isReplaced = true
    static let opensPopup = true

    var target: EndpointID
}
