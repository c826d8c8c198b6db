internal import SortieBase
internal import WorkspaceModel

/// Saving endpoints.
extension AppState {
    mutating func save() -> [Effect] {
        guard commitSetting(), let openTarget, drafts[openTarget]?.isEdited == true else { return [] }
        // Leaving the field merges the changes of another program.
        if drafts[openTarget]?.onDisk != nil { leaveEditing() }
        guard let draft = drafts[openTarget] else { return [] }
        if draft.onDisk != nil {
            showConflict(openTarget)
            return []
        }
        return [save(draft, thenQuit: false)]
    }

    mutating func save(_ draft: Draft, thenQuit: Bool) -> Effect {
        .save(nextJob(SaveJob(endpoint: draft.edited, thenQuit: thenQuit)), draft.edited, original: draft.isFileGone ? nil : draft.original)
    }

    mutating func saved(_ id: JobID, _ outcome: EndpointSaveOutcome) -> [Effect] {
        guard let job = finishJob(id, SaveJob.self) else { return [] }
        let sent = job.endpoint
        var effects: [Effect] = []
        switch outcome {
        case .saved(let endpoint):
            var same = sent
            same.location = endpoint.location
            // The rows of the file may differ from those that are being edited.
            if endpoint != same, openTarget == sent.id { leaveEditing() }
            drafts[sent.id]?.saved(endpoint, sent: sent)
            workspace.replace(endpoint)
            services.rebuild(workspace)
            effects = permitTyped(sent)
            notify("Saved\(endpoint.location.map { " to \($0.file)" } ?? "")", source: sent.id)
        case .changedOnDisk(let sentence):
            notify("Not saved: \(sentence)", .warning, source: sent.id)
            if drafts[sent.id]?.onDisk != nil, mayOpen("The file's changes") { showConflict(sent.id) }
            return []
        case .failed(let sentence):
            notify("Not saved: \(sentence)", .error, source: sent.id)
            return []
        }
        let isLast = !pendingJobs(SaveJob.self).values.contains(where: \.thenQuit)
        return effects + (job.thenQuit && isLast && editedDrafts.isEmpty ? leaveProgram() : [])
    }

    mutating func discard() {
        guard let openTarget else { return }
        leaveEditing()
        change { [original = drafts[openTarget]?.original] endpoint in
            if let original { endpoint = original }
        }
        notify("The changes are discarded; \(key(.undo)) undoes that", source: openTarget)
    }

    var cannotSaveReason: String? { noEndpointReason ?? notEditedReason }

    var notEditedReason: String? {
        guard let openTarget, drafts[openTarget]?.isEdited == true else { return "There are no changes since the last save" }
        return nil
    }

    var noUndoReason: String? {
        guard let openTarget, drafts[openTarget]?.canUndo == true else { return "There is nothing to undo" }
        return nil
    }

    var noRedoReason: String? {
        guard let openTarget, drafts[openTarget]?.canRedo == true else { return "There is nothing to redo" }
        return nil
    }
}

/// Saving an endpoint.
struct SaveJob: Job {
    var endpoint: Endpoint
    var thenQuit: Bool
}

extension Workspace {
    /// Replaces the endpoint with the same target.
    mutating func replace(_ endpoint: Endpoint) {
        for service in services.indices where services[service].folder == endpoint.serviceName {
            guard let index = services[service].endpoints.firstIndex(where: { $0.target == endpoint.target }) else { continue }
            services[service].endpoints[index] = endpoint
        }
    }
}
