internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Performing changes of files, their results, and undoing them.
extension ItemsFeature {
    /// Starts a change, and closes its form.
    static func start(_ job: EditWorkspaceJob, _ state: inout AppState) -> [Effect] {
        if job.form != nil { state.popups.pop() }
        return [.editWorkspace(state.nextJob(job), job.edit)]
    }

    // MARK: Deleting

    /// Deletes an item; asks first where more than one file or a reference is affected.
    static func delete(_ item: WorkspaceItem, _ state: inout AppState) -> [Effect] {
        if case .endpoint(let id) = item, state.drafts[id]?.isNew == true {
            DraftsFeature.discard(new: id, &state)
            return []
        }
        let job = EditWorkspaceJob(edit: .delete(item), text: "Deleted \(item.name)")
        var reasons: [String] = []
        let deleted = state.workspace.endpoints.filter { Renaming(from: item, to: "").newID(of: $0.id) != nil }
        switch item {
        case .folder, .service: reasons.append("It has \(ItemCount.text(deleted.count, "endpoint")); all files in it are deleted.")
        case .environment: reasons.append("Its variables and servers are deleted.")
        case .endpoint, .run: break
        }
        let targets = Set(deleted.map(\.target))
        let runs = state.workspace.runs.filter { run in run.steps.contains { targets.contains($0.target) } }.map(\.name)
        if !runs.isEmpty {
            reasons.append("\(runs.count == 1 ? "The run" : "The runs") \(runs.joined(separator: ", ")) will have a step without an endpoint.")
        }
        let extending = state.workspace.endpoints.filter { $0.extends.map(targets.contains) == true && !targets.contains($0.target) }
        if let first = extending.first {
            let names = extending.count == 1 ? "\(first.target) extends" : "\(ItemCount.text(extending.count, "other endpoint")) extend"
            reasons.append("\(names) \(deleted.count == 1 ? "it" : "what is in it"), and cannot be used without it.")
        }
        guard !reasons.isEmpty, state.settings.confirmsDeleting else { return start(job, &state) }
        state.show(
            ListPopup(
                title: "Delete the \(item.kind) \(item.name)?", message: reasons.joined(separator: " "),
                items: [
                    .plain(label: "Keep it", isCurrent: true),
                    .init(label: "Delete it", detail: "\(state.key(.undoItems)) in Services undoes that") { start(job, &$0) },
                ]))
        return []
    }

    // MARK: Undo

    static func undo(_ state: inout AppState) -> [Effect] {
        guard let entry = state.items.undo.last else { return [] }
        return start(.init(edit: .apply(entry.changes.reverted), text: "Undone: \(entry.undoneText)", row: entry.row, undone: entry), &state)
    }

    // MARK: Results

    static func edited(_ id: JobID, _ outcome: WorkspaceEditOutcome, _ state: inout AppState) -> [Effect] {
        guard let job = state.finishJob(id, EditWorkspaceJob.self) else { return [] }
        switch outcome {
        case .done(let changes, let workspace, let scan): return done(job, changes, workspace, scan, &state)
        case .failed(let sentence):
            // The files may have changed where a failed change could not be reverted; the sentence says so.
            state.notify("The change failed: \(sentence)", .error)
            if let otherwise = job.otherwise { return otherwise(&state) }
            guard var form = job.form, !state.isOccupied || state.showsVariables else { return [] }
            form.problem = sentence
            state.showForm(form)
            return []
        }
    }

    private static func done(
        _ job: EditWorkspaceJob, _ changes: FileChanges, _ workspace: Workspace, _ scan: CapabilityScan?, _ state: inout AppState
    ) -> [Effect] {
        let selected = state.services.selected
        var entry = ItemsState.Entry(text: job.text, changes: changes, row: selected)
        entry.edit = job.edit
        let variables = state.variableSelection
        var effects: [Effect] = []
        switch job.edit {
        case .move(let item, let name, _):
            entry.renaming = Renaming(from: item, to: name)
            entry.renaming.map { rename($0, &state) }
        case .delete(let item):
            entry.isDeletion = true
            // The edits are restored with the file.
            for target in state.drafts.keys where Renaming(from: item, to: "").newID(of: target) != nil {
                entry.drafts[target] = state.drafts.removeValue(forKey: target)
            }
            if case .service(let folder) = item { entry.serviceChange = state.serviceChanges.changes.removeValue(forKey: folder) }
        case .createEndpoint(let endpoint, let service):
            if let draft = job.replacedDraft {
                state.drafts[draft] = nil
                state.requests[draft] = nil
            }
            // Only what was typed is permitted; other programs may have changed the files since they were read before.
            state.workspace.insert(endpoint, service)
            effects = state.permitTyped(endpoint)
        case .createEnvironment(let name, _): state.environment = name
        case .changeService(let service, _, _): effects = state.permitTyped(service)
        case .declareSecrets(let declarations): effects = state.permitDeclared(declarations, stored: workspace)
        case .apply:
            if let renaming = job.undone?.renaming { rename(renaming.reversed, &state) }
            state.drafts.merge(job.undone?.drafts ?? [:]) { current, _ in current }
            if let change = job.undone?.serviceChange { state.serviceChanges.changes[change.base.folder] = change }
        case .createService, .createRun, .changeRun, .duplicate, .setVariable, .deleteVariable, .renameVariable: break
        }
        state.loaded(workspace, scan)
        variables?.restore(after: job.edit, undone: job.undone?.edit, in: &state.popups)
        if job.undone != nil { state.items.removeLast() } else if !changes.changes.isEmpty { state.items.append(entry) }
        if let row = job.row { reveal(row, &state) }
        let undo =
            switch job.edit {
            case .delete: "; \(state.key(.undoItems)) in Services undoes that"
            case .deleteVariable: "; \(state.key(.undoItems)) undoes that"
            default: ""
            }
        state.notify(job.text + undo)
        if let then = job.then { effects += then(&state) }
        if case .createEndpoint(let endpoint, _) = job.edit, !state.isOccupied {
            if endpoint.path.isEmpty { RequestFeature.editURL(&state) } else { state.focus(.request) }
        }
        return effects + state.askAgain()
    }

    /// Gives what the panes show of an item its new name.
    private static func rename(_ renaming: Renaming, _ state: inout AppState) {
        let known = Set(state.drafts.keys).union(state.workspace.endpoints.map(\.id)).union([state.openTarget].compactMap(\.self))
        for old in known {
            guard let new = renaming.newID(of: old) else { continue }
            if var draft = state.drafts.removeValue(forKey: old) {
                draft.move(to: new)
                state.drafts[new] = draft
            }
            state.requests.move(old, to: new)
            state.calls.move(old, to: new)
            if let response = state.responses[.endpoint(old)] {
                state.responses[.endpoint(new)] = response
                state.responses[.endpoint(old)] = nil
            }
            if state.openTarget == old { state.openTarget = new }
            if state.services.selected == .endpoint(old) { state.services.selected = .endpoint(new) }
        }
        switch renaming.from {
        case .environment(let old): if state.environment == old { state.environment = renaming.to }
        case .run(let old):
            if let run = state.runs[old], !run.isUnderWay { state.runs[old] = nil }
            if state.services.selected == .run(old) { state.services.selected = .run(renaming.to) }
        case .service(let old):
            state.serviceChanges.move(old, to: renaming.to, in: state.workspace.folder)
            if state.openService?.folder == old { state.openService?.folder = renaming.to }
            if state.services.folded.remove(.service(old)) != nil { state.services.folded.insert(.service(renaming.to)) }
        case .folder(let old):
            if state.services.folded.remove(.group(old)) != nil { state.services.folded.insert(.group(renaming.to)) }
        case .endpoint: break
        }
    }

    /// Selects a row, and unfolds what hides it.
    private static func reveal(_ row: TreeRow.Kind, _ state: inout AppState) {
        var path = row.name
        while path.contains("/") {
            path = FilePath.folder(of: path)
            state.services.folded.remove(.group(path))
            state.services.folded.remove(.service(path))
        }
        if case .run = row { state.services.folded.remove(.runs) }
        state.services.rebuild(state.workspace)
        if !state.services.rows.contains(where: { $0.kind == row }) { state.services.setFilter(nil, state.workspace) }
        if state.services.rows.contains(where: { $0.kind == row }) { ServicesFeature.select(row, &state) }
    }
}

extension Workspace {
    /// Adds an endpoint that was created, and its service where that is new.
    fileprivate mutating func insert(_ endpoint: Endpoint, _ new: NewService?) {
        if let new, service(new.folder) == nil {
            var service = Service(folder: new.folder, name: new.name.isEmpty ? new.folder : new.name)
            if !new.server.isEmpty { for environment in environments { service.servers[environment.name] = [new.server] } }
            services.append(service)
        }
        guard let index = services.firstIndex(where: { $0.folder == endpoint.serviceName }) else { return }
        services[index].endpoints.append(endpoint)
    }
}

extension AppState {
    /// Whether a change of files is being made.
    var isChangingFiles: Bool { !pendingJobs(EditWorkspaceJob.self).isEmpty }
}
