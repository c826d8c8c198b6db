internal import BodyViews
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Changes of the workspace's files by other programs.
extension DraftsFeature {
    /// Merges the content of the endpoint's file with the draft; conflicts are left to the user.
    ///
    /// - Parameter isTyping: Whether a field of the endpoint is being edited, so that its rows must stay where they are.
    static func takeUpFile(of target: EndpointID, isTyping: Bool = false, _ state: inout AppState) {
        guard let draft = state.drafts[target] else { return }
        guard let file = state.workspace.endpoint(target) else {
            if state.workspace.problem(of: .endpoint(target)) == nil { fileIsGone(draft, &state) }
            // An unreadable file keeps its row and the draft, for the time when it is readable again.
            if !draft.isEdited { state.drafts[target] = nil }
            return
        }
        // Its row in Services is no file.
        if draft.isNew, file.location == nil { return }
        let isUnseen = draft.isEdited && !draft.knows(file)
        switch state.drafts[target]?.take(file, mayMerge: !isTyping) {
        case .merged where isUnseen: state.notify("The file changed on disk; its changes and yours are merged", source: target)
        case .conflict(let keys) where isUnseen:
            let save = state.keymap.keyLabel(of: .save).map { "; \($0) shows both" } ?? ""
            state.notify("The file changed on disk in the same places as here (\(keys.joined(separator: ", ")))\(save)", .warning, source: target)
        default: break
        }
    }

    /// Keeps the row of a removed file as long as there are unsaved changes.
    private static func fileIsGone(_ draft: Draft, _ state: inout AppState) {
        guard draft.isEdited else { return }
        if draft.original.path.isEmpty, insertNew(draft, &state) {
            state.drafts[draft.original.id]?.isFileGone = true
            return
        }
        let target = draft.original.id
        let place = SourceLocation(file: draft.original.location?.file ?? "\(target).yaml")
        let save = state.keymap.keyLabel(of: .save).map { "; \($0) writes it again" } ?? ""
        state.workspace.unreadable.append(UnreadableFile(.endpoint(target), Diagnostic(place, "the file was removed\(save)")))
        guard !draft.isFileGone else { return }
        state.drafts[target]?.isFileGone = true
        state.notify("The file was removed; your changes are kept\(save)", .warning, source: target)
    }

    // MARK: Conflicts

    /// Shows the choices for an endpoint that was changed here and by another program in the same keys.
    static func showConflict(_ target: EndpointID, _ state: inout AppState) {
        guard let draft = state.drafts[target], let merge = draft.overwriting else { return }
        let keys = merge.conflicts.isEmpty ? "" : "Changed here and there: \(merge.conflicts.joined(separator: ", "))."
        state.show(
            ListPopup(
                title: "\(draft.onDisk?.location?.file ?? target.path) was changed by another program", message: keys,
                items: [
                    .init(label: "Show the differences", detail: "− in the file, + after saving", isCurrent: true) { compareWithFile(target, &$0) },
                    .init(label: "Overwrite", detail: "saves the changes made here; other changes of the file stay") { state in
                        state.drafts[target]?.keepOurs()
                        return state.drafts[target].map { [save($0, thenQuit: false, &state)] } ?? []
                    },
                    .init(label: "Reload", detail: "loads the file; \(state.key(.undo)) undoes that") { state in
                        guard state.drafts[target]?.onDisk != nil else { return [] }
                        state.drafts[target]?.takeFile()
                        state.notify("The endpoint was loaded from its file; \(state.key(.undo)) undoes that", source: target)
                        return []
                    },
                    .plain(label: "Keep editing", detail: "does not save"),
                ], isMenu: false))
    }

    /// Shows the choices for the file of a body whose text was changed here and by another program.
    static func showBodyConflict(_ target: EndpointID, _ state: inout AppState) {
        // The text of the file is read again when it is not being edited.
        if state.openTarget == target { state.stopEditing() }
        guard let edit = state.drafts[target]?.edited.editedBodyFile, state.mayOpen("The file's changes") else { return }
        state.show(
            ListPopup(
                title: "\(FilePath.name(of: edit.path)) was changed by another program",
                items: [
                    .init(label: "Overwrite", detail: "saves the text of this pane") { state in
                        let text = state.drafts[target]?.edited.fileText(state.requests.files.facts)
                        state.drafts[target]?.keepOurBodyFile(over: text ?? edit.original)
                        return state.drafts[target].map { [save($0, thenQuit: false, &state)] } ?? []
                    },
                    .init(label: "Reload", detail: "shows the text of the file; \(state.key(.undo)) undoes that") { state in
                        state.change(target) { $0.bodyFileEdit = nil }
                        return []
                    },
                    .plain(label: "Keep editing", detail: "does not save", isCurrent: true),
                ], isMenu: false))
    }

    // MARK: Differences

    /// Determines what saving would change in the file.
    static func compareWithFile(_ target: EndpointID, _ state: inout AppState) -> [Effect] {
        guard let draft = state.drafts[target] else { return [] }
        let job = state.nextJob(CompareWithFileJob(target: target))
        if let merge = draft.overwriting, let onDisk = draft.onDisk { return [.compareWithFile(job, merge.endpoint, original: onDisk)] }
        return [.compareWithFile(job, draft.edited, original: draft.original)]
    }

    static func comparedWithFile(_ id: JobID, _ outcome: DiffOutcome, _ state: inout AppState) {
        guard let target = state.finishJob(id, CompareWithFileJob.self)?.target else { return }
        switch outcome {
        case .lines(let comparison):
            guard state.mayOpen("The differences") else { return }
            // The choices for a conflict are shown again when the differences close.
            showConflict(target, &state)
            state.popups.push(DiffPopup(target: target, comparison: comparison))
        case .failed(let sentence): state.notify(sentence, .error, source: target)
        }
    }
}

/// Comparing a draft with its file.
struct CompareWithFileJob: Job {
    static let isReplaced = true
    static let opensPopup = true

    var target: EndpointID
}

/// The changes that saving an endpoint would make to its file, in a popup.
struct DiffPopup: ReadingPopup {
    var target: EndpointID
    var comparison: BodyComparison
    var position = ReadingPosition()

    var guideAddress: String? { "workspaces#editing-and-saving" }
    var name: String { "the differences" }

    /// The lines in the style of a unified diff.
    private var rows: [(text: String, style: Style)] {
        if comparison.lines.isEmpty, comparison.notes.isEmpty { return [("Saving does not change the file.", .muted)] }
        return comparison.notes.map { ($0, Style.muted) }
            + comparison.lines.map { line in
                switch line.kind {
                case .same, .ignored: ("  " + line.text, .text)
                case .removed: ("− " + line.text, .error)
                case .added: ("+ " + line.text, .success)
                case .folded(let count): ("⋯ \(ItemCount.text(count, "line")) in both", .muted)
                }
            }
    }

    func text(width: Int, _ state: AppState) -> ReadingText {
        ReadingText(title: "What saving changes", subtitle: target.path, lines: lines(width: width, state.redaction))
    }

    private func lines(width: Int, _ redaction: Redaction) -> [[Span]] {
        rows.flatMap { row in
            var column = 0
            let text = ColumnText.expandingTabs(redaction.masked(row.text), column: &column)
            return ColumnText.pieces(text, width: max(10, width)).map { [Span($0, row.style)] }
        }
    }

    func plainText(_ state: AppState) -> String { rows.map { state.redaction.masked($0.text) }.joined(separator: "\n") }
}
