internal import SortieBase
package import WorkspaceModel

/// Quitting, which asks while something is running or not saved.
struct QuitFeature: Feature {
    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .quit else { return nil }
        state.states[QuitState.self].nextWorkspace = nil
        return state.quit()
    }
}

/// The state of quitting.
struct QuitState: FeatureState {
    /// Whether unsaved edits are kept for the next session without a question, as in the scratch workspace.
    var keepsDrafts = false
    /// The folder of the workspace that is opened next; nil to end the program.
    var nextWorkspace: String?
    /// Whether separate processes continue the downloads that are under way.
    var leavesDownloads = false
}

extension AppState {
    /// The folder of the workspace to open after this one; nil to end the program.
    package var nextWorkspace: String? { states[QuitState.self].nextWorkspace }

    /// The downloads that separate processes continue after the program has ended.
    package var leftDownloads: [QueuedTransfer] {
        states[QuitState.self].leavesDownloads ? calls.transfers.filter(\.canBeLeft).map(\.transfer.order) : []
    }

    /// Continues the session that the user wants to end, because its unsaved edits would be lost.
    ///
    /// - Parameter reason: Why they cannot be stored.
    package mutating func stay(because reason: String) {
        isQuitting = false
        states[QuitState.self].nextWorkspace = nil
        states[QuitState.self].leavesDownloads = false
        notify("Not quit, because the unsaved edits would be lost; \(key(.save)) saves them: \(reason)", .error)
    }

    /// Leaves the workspace for another one.
    mutating func leave(for folder: String) -> [Effect] {
        states[QuitState.self].nextWorkspace = folder
        return quit()
    }

    mutating func quit() -> [Effect] {
        stopEditing()
        let keepsDrafts = states[QuitState.self].keepsDrafts
        let hadPopup = !popups.isEmpty
        // A field of a service that is left now is saved now, as after each action.
        let saving = keepsDrafts || !settings.confirmsQuit ? [] : ServiceFeature.saveChanges(&self)
        // Saving may ask a question, such as that about a credential.
        guard hadPopup || popups.isEmpty else { return saving }
        return saving + quitWhenSaved(keepsDrafts: keepsDrafts)
    }

    /// Quits, or asks about what is not saved and what is in progress.
    private mutating func quitWhenSaved(keepsDrafts: Bool) -> [Effect] {
        let edited = keepsDrafts ? [] : editedDrafts
        let changed = keepsDrafts ? [] : ServiceFeature.unsaved(self)
        // What is being written is saved in a moment, before the user has read a question.
        let services = changed.filter { !ServiceFeature.isWriting($0, self) || serviceChanges.unreadable[$0]?.isEmpty == false }
        let forms = keepsDrafts ? 0 : formDrafts.count
        let canSave = !edited.isEmpty || !services.isEmpty
        let isUnsaved = canSave || forms > 0
        let deleted = items.deletedFiles
        let hasWork = isUnsaved || !changed.isEmpty || callsInFlight + runsUnderWay + calls.transfersUnderWay + deleted > 0
        guard settings.confirmsQuit && hasWork else { return leaveProgram() }
        let isOnlyWriting = edited.isEmpty && forms + callsInFlight + runsUnderWay + calls.transfersUnderWay + deleted == 0
        if isOnlyWriting, ServiceFeature.endsWhenWritten(changed, &self) { return [] }
        var reasons: [String] = []
        if callsInFlight > 0 { reasons.append("\(ItemCount.text(callsInFlight, "request")) in flight") }
        if runsUnderWay > 0 { reasons.append("\(ItemCount.text(runsUnderWay, "run")) in progress") }
        if calls.transfersUnderWay > 0 { reasons.append("\(ItemCount.text(calls.transfersUnderWay, "transfer")) in progress") }
        if !edited.isEmpty { reasons.append("\(ItemCount.text(edited.count, "endpoint")) not saved") }
        if !services.isEmpty { reasons.append("\(ItemCount.text(services.count, "service")) not saved") }
        if forms > 0 { reasons.append("\(ItemCount.text(forms, "form")) not finished") }
        var details = callsInFlight + runsUnderWay > 0 ? ["cancels requests in flight"] : []
        if calls.transfersUnderWay > 0 { details.append("transfers can be resumed next time") }
        if deleted > 0 { reasons.append("\(ItemCount.text(deleted, "deleted file")) can be restored only until Sortie quits") }
        let detail = details.joined(separator: "; ")
        var items: [ListPopup.Item] = [.plain(label: "Stay", isCurrent: true)]
        if isUnsaved {
            let keeping = (["edits are restored next time"] + details).joined(separator: "; ")
            let counts = [(edited.count, "endpoint"), (services.count, "service"), (forms, "form")].filter { $0.0 > 0 }
            let lost = counts.map { ItemCount.text($0.0, $0.1) }
            if canSave {
                let saving = (forms > 0 ? ["the form is restored next time"] : []) + details
                items.append(.init(label: "Save all and quit", detail: saving.joined(separator: "; ")) { $0.saveAllAndQuit() })
            }
            items += [
                .init(label: "Keep as drafts and quit", detail: keeping) { $0.leaveProgram() },
                .init(label: "Discard the edits and quit", detail: detail) { state in
                    state.leaveProgram(losing: "edits of \(lost.joined(separator: " and "))") { state in
                        state.drafts = [:]
                        state.serviceChanges = ServiceChanges()
                        state.popups.removeAll()
                    }
                },
            ]
            if canSave { items += Self.unsavedItems(edited, services) }
        } else {
            items.append(.init(label: "Quit", detail: detail) { $0.leaveProgram() })
        }
        let downloads = calls.transfers.count(where: \.canBeLeft)
        if downloads > 0 {
            let kept = isUnsaved ? "; edits are restored next time" : ""
            let name = "Leave \(ItemCount.text(downloads, "download")) running and quit"
            let leaving = ListPopup.Item(label: name, detail: "Transfers shows them next time" + kept) { state in
                state.states[QuitState.self].leavesDownloads = true
                return state.leaveProgram()
            }
            items.insert(leaving, at: items.firstIndex { $0.label.isEmpty } ?? items.count)
        }
        show(ListPopup(title: "Quit?", message: reasons.joined(separator: ", ") + ".", items: items))
        return []
    }

    /// Opens what is not saved.
    private static func unsavedItems(_ edited: [Draft], _ services: [String]) -> [ListPopup.Item] {
        var items: [ListPopup.Item] = [.init(label: ""), .init(label: "Not saved")]
        items += edited.map { draft in
            .init(label: draft.original.target, detail: draft.original.name) { state in
                ServicesFeature.select(.endpoint(draft.original.id), &state)
                state.focus(.request)
                return []
            }
        }
        items += services.map { folder in
            .init(label: folder, detail: "a service") { state in
                state.open(service: folder)
                return []
            }
        }
        return items
    }

    private mutating func saveAllAndQuit() -> [Effect] {
        if let conflict = editedDrafts.first(where: { $0.onDisk != nil }) {
            DraftsFeature.showConflict(conflict.original.id, &self)
            return []
        }
        if let folder = ServiceFeature.unsaved(self).first(where: { serviceChanges.unreadable[$0]?.isEmpty == false }) {
            open(service: folder)
            notify("A setting of the service \(folder) cannot be saved; correct it, or quit and keep it as a draft", .warning)
            return []
        }
        @Sendable func saveAll(_ state: inout AppState) -> [Effect] {
            // The changes of services are written after the action.
            ServiceFeature.saveAllAgain(&state)
            return state.editedDrafts.map { DraftsFeature.save($0, thenQuit: true, &state) }
        }
        return SecretsFeature.asks(about: editedDrafts, &self, then: saveAll) ? [] : saveAll(&self)
    }

    /// Ends the program after a save, where nothing else is unsaved.
    mutating func leaveWhenSaved() -> [Effect] { editedDrafts.isEmpty && ServiceFeature.unsaved(self).isEmpty ? leaveProgram() : [] }

    /// Ends the program after a question whose rows no letter chooses, because one key must not lose what was typed.
    ///
    /// - Parameters:
    ///   - lost: What cannot be restored.
    ///   - discard: Removes it.
    private mutating func leaveProgram(losing lost: String, _ discard: @escaping @Sendable (inout AppState) -> Void) -> [Effect] {
        let choice = ListPopup.Item(label: "Discard them and quit") { state in
            discard(&state)
            return state.leaveProgram()
        }
        let items: [ListPopup.Item] = [.plain(label: "Stay", isCurrent: true), choice]
        show(ListPopup(title: "Discard?", message: "The \(lost) cannot be restored.", items: items, isMenu: false))
        return []
    }

    /// Ends the program.
    mutating func leaveProgram() -> [Effect] {
        isQuitting = true
        stopAllJobs()
        return [.quit]
    }
}
