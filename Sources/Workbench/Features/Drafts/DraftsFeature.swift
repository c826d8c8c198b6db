internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Unsaved changes of endpoints: saving, discarding, undoing, and merging with changes of other programs.
struct DraftsFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(.everywhere, [.control("s")], .save, "Save", "Save the endpoint, or the service, to its file", hint: 2, unless: Self.cannotSave)
                .alsoKnownAs("Write", "w"),
            Binding(
                .request, [], .showChanges, "Differences", "Show what saving would change in the endpoint's file", unless: Self.notEdited),
            Binding(
                .request, [], .discard, "Discard", "Discard the unsaved changes to this endpoint", unless: Self.notEdited),
        ]
    }

    private static func cannotSave(_ state: AppState) -> String? {
        if state.shownService != nil { return state.servicePane.editing == nil ? state.noServiceChangeReason : nil }
        return state.noEndpointReason ?? notEdited(state)
    }

    private static func notEdited(_ state: AppState) -> String? {
        state.openTarget.flatMap { state.drafts[$0] }?.isEdited == true ? nil : "There are no changes since the last save"
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .save: return Self.save(&state)
        case .showChanges: return state.openTarget.map { Self.compareWithFile($0, &state) } ?? []
        case .discard: Self.discard(&state)
        default: return nil
        }
        return []
    }
}

extension Command {
    static let save = Command.named("save")
    static let showChanges = Command.named("showChanges")
    static let discard = Command.named("discard")
}

/// Endpoints that exist only as unsaved changes, such as a pasted curl command.
extension DraftsFeature {
    /// Gives an unsaved endpoint its row in Services; false where its service does not exist.
    @discardableResult
    static func insertNew(_ draft: Draft, _ state: inout AppState) -> Bool {
        guard let index = state.workspace.services.firstIndex(where: { $0.folder == draft.edited.serviceName }) else { return false }
        state.workspace.services[index].endpoints.append(draft.original)
        return true
    }

    /// Discards an unsaved endpoint; always asks first, because nothing restores it.
    static func discard(new target: EndpointID, _ state: inout AppState) {
        let name = state.drafts[target]?.edited.name ?? target.path
        state.confirm("Discard the unsaved request?", name, keep: "Keep it", "Discard it", detail: "it is in no file; this cannot be undone") {
            state in
            guard state.drafts[target]?.isNew == true else { return [] }
            removeNew(target, &state)
            state.notify("The unsaved request was discarded", source: target)
            return []
        }
    }

    /// Removes an unsaved endpoint.
    static func removeNew(_ target: EndpointID, _ state: inout AppState) {
        state.drafts[target] = nil
        state.requests[target] = nil
        for index in state.workspace.services.indices { state.workspace.services[index].endpoints.removeAll { $0.id == target } }
        if state.openTarget == target { state.openTarget = nil }
        state.services.rebuild(state.workspace)
        if state.services.selected == .endpoint(target) {
            state.services.selected = state.services.firstEndpoint ?? state.services.rows.first?.kind
        }
        state.openSelected()
    }
}

extension Draft {
    /// Whether the endpoint was never saved.
    var isNew: Bool { isFileGone && original.path.isEmpty }
}

/// Saving endpoints.
extension DraftsFeature {
    static func save(_ state: inout AppState) -> [Effect] {
        guard let openTarget = state.openTarget, state.drafts[openTarget]?.isEdited == true else { return [] }
        // Leaving the field merges the changes of another program.
        if state.drafts[openTarget]?.onDisk != nil { state.stopEditing() }
        guard let draft = state.drafts[openTarget] else { return [] }
        if draft.onDisk != nil {
            showConflict(openTarget, &state)
            return []
        }
        return [save(draft, thenQuit: false, &state)]
    }

    /// Saves an endpoint.
    ///
    /// - Parameter said: What the message that it was saved follows, which otherwise would hide it.
    static func save(_ draft: Draft, thenQuit: Bool, said: String? = nil, _ state: inout AppState) -> Effect {
        .save(
            state.nextJob(SaveJob(endpoint: draft.edited, thenQuit: thenQuit, said: said)), draft.edited,
            original: draft.isFileGone ? nil : draft.original)
    }

    /// The names of the files that saving has changed: that of the endpoint, unless only the text of the body's file differs, and that one.
    private static func place(of sent: Endpoint, writtenTo file: String?, _ state: AppState) -> String? {
        guard let edit = sent.editedBodyFile else { return file }
        var same = sent
        same.bodyFileEdit = nil
        let isUnchanged = state.drafts[sent.id]?.original == same
        return ([isUnchanged ? nil : file] + [FilePath.name(of: edit.path)]).compactMap(\.self).joined(separator: " and ")
    }

    static func saved(_ id: JobID, _ outcome: EndpointSaveOutcome, _ state: inout AppState) -> [Effect] {
        guard let job = state.finishJob(id, SaveJob.self) else { return [] }
        let sent = job.endpoint
        var effects: [Effect] = []
        switch outcome {
        case .saved(let endpoint):
            var same = sent
            same.location = endpoint.location
            same.bodyFileEdit = nil
            // The file has this text now, before it is read again.
            if let edit = sent.editedBodyFile {
                state.requests.files.facts[edit.path] = .file(bytes: Int64(edit.text.utf8.count), text: edit.text)
            }
            let place = Self.place(of: sent, writtenTo: endpoint.location?.file, state)
            let isNowLong = sent.body.isLong && state.drafts[sent.id]?.original.body.isLong == false
            // The rows of the file may differ from those that are being edited.
            if endpoint != same, state.openTarget == sent.id { state.stopEditing() }
            state.drafts[sent.id]?.saved(endpoint, sent: sent)
            state.workspace.replace(endpoint)
            state.services.rebuild(state.workspace)
            effects = state.permitTyped(sent)
            var sentence = (job.said.map { "\($0); saved" } ?? "Saved") + (place.map { " to \($0)" } ?? "")
            if case .file(let path, _) = endpoint.body, endpoint.body != sent.body {
                sentence += "; the long body is in \(FilePath.name(of: path)) beside it, and is edited on the Body tab as before"
            }
            if isNowLong, endpoint.body == sent.body, endpoint.movingBodyProblem == nil {
                sentence += "; “\(state.key(.moveBodyToFile))” in \(state.key(.palette)) moves its long body to a file beside it"
            }
            // The Auth tab shows it as well, but the person may not see that tab again before sending.
            let missing = sent.auth.missing
            if let missing { sentence += ", but auth cannot be used: \(missing)" }
            state.notify(sentence, missing == nil ? .info : .warning, source: sent.id)
        case .changedOnDisk(let sentence):
            state.notify("Not saved: \(sentence)", .warning, source: sent.id)
            if state.drafts[sent.id]?.onDisk != nil, state.mayOpen("The file's changes") { showConflict(sent.id, &state) }
            return []
        case .bodyFileChanged(let sentence):
            state.notify("Not saved: \(sentence)", .warning, source: sent.id)
            showBodyConflict(sent.id, &state)
            return []
        case .failed(let sentence):
            state.notify("Not saved: \(sentence)", .error, source: sent.id)
            return []
        }
        let isLast = !state.pendingJobs(SaveJob.self).values.contains(where: \.thenQuit)
        return effects + (job.thenQuit && isLast ? state.leaveWhenSaved() : [])
    }

    /// Discards the changes of the open endpoint; asks first where the settings say so.
    static func discard(_ state: inout AppState) {
        guard let openTarget = state.openTarget else { return }
        state.stopEditing()
        if state.drafts[openTarget]?.isNew == true { return discard(new: openTarget, &state) }
        guard state.settings.confirmsDiscarding else { return discard(openTarget, &state) }
        let detail = "\(state.key(.undo)) in Request undoes that"
        state.confirm("Discard the changes?", state.openEndpoint?.name ?? openTarget.path, keep: "Keep them", "Discard them", detail: detail) {
            state in
            if state.openTarget == openTarget { discard(openTarget, &state) }
            return []
        }
    }

    private static func discard(_ openTarget: EndpointID, _ state: inout AppState) {
        state.change { [original = state.drafts[openTarget]?.original] endpoint in
            if let original { endpoint = original }
        }
        state.notify("The changes are discarded; \(state.key(.undo)) undoes that", source: openTarget)
    }
}

/// Saving an endpoint.
struct SaveJob: Job {
    var endpoint: Endpoint
    var thenQuit: Bool
    var said: String?
}

extension BodyTemplate {
    /// Whether the text of the body is so long that a file of its own may be easier to read.
    fileprivate var isLong: Bool { (text(.content)?.utf8.count ?? 0) > 4096 }
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
