internal import SortieBase
package import WorkspaceModel

extension AppState {
    /// The unsaved edits, which are stored for the next session.
    package var unsavedEdits: UnsavedEdits {
        UnsavedEdits(endpoints: unsavedDrafts, services: ServiceFeature.drafts(self), forms: formDrafts)
    }

    /// The folders of the services that have a mark of unsaved changes: not while a change is being written, which takes a moment.
    var markedServices: [String] { ServiceFeature.unsaved(self).filter { !ServiceFeature.isWriting($0, self) } }
}

/// Writing changes of services into their files.
extension ServiceFeature {
    /// Starts to write the changes that are not in the files, after each action.
    static func saveChanges(_ state: inout AppState) -> [Effect] {
        state.serviceChanges.changes.isEmpty ? [] : state.serviceChanges.changes.keys.sorted().flatMap { save($0, &state) }
    }

    /// The folders of the services with changes that are not in their files yet, or with texts that cannot be read.
    static func unsaved(_ state: AppState) -> [String] {
        let changed = state.serviceChanges.changes.filter {
            $0.value.service.withoutEmptyRows != $0.value.base.withoutEmptyRows || isWriting($0.key, state)
        }.keys
        let unreadable = state.serviceChanges.unreadable.filter { !$0.value.isEmpty }.keys
        return Set(changed).union(unreadable).filter { state.workspace.service($0) != nil }.sorted()
    }

    /// The services with changes that are not in their files yet, among them what is being typed, as they are stored for the next session.
    static func drafts(_ state: AppState) -> [ServiceDraft] {
        var state = state
        // What is typed counts as if the field was left.
        commit(&state, isUnfinished: true)
        leave(&state)
        let changes = state.serviceChanges
        let changed = changes.changes.filter { $0.value.service.withoutEmptyRows != $0.value.base.withoutEmptyRows }.keys
        return Set(changed).union(changes.unreadable.filter { !$0.value.isEmpty }.keys).sorted().compactMap { folder in
            let change = changes.changes[folder]
            guard let service = change?.service ?? state.workspace.service(folder) else { return nil }
            let unreadable = Dictionary((changes.unreadable[folder] ?? [:]).map { ($0.key.path, $0.value) }) { $1 }
            return ServiceDraft(original: change?.base ?? service, edited: service, unreadable: unreadable)
        }
    }

    /// Takes over the changes of an earlier session, which are not written before the user asks for it: they may be unfinished.
    static func restore(_ drafts: [ServiceDraft], _ state: inout AppState) {
        for draft in drafts {
            let folder = draft.edited.folder
            let file = state.workspace.service(folder)
            func completed(_ service: Service) -> Service {
                var service = service
                (service.endpoints, service.location) = (file?.endpoints ?? [], file?.location)
                return service
            }
            var service = completed(draft.edited)
            for (path, text) in draft.unreadable {
                guard let sections = state.sections, let key = sections.serviceKeys.first(where: { $0.path == path }) else { continue }
                // Another program may have made it valid, as with a new environment.
                do throws(Diagnostic) { service = try sections.setting(key, of: service, to: text, in: state.workspace) } catch {
                    state.serviceChanges.unreadable[folder, default: [:]][key] = text
                }
            }
            guard let base = draft.original.map(completed) ?? file, service != base, service != file else { continue }
            state.serviceChanges.changes[folder] = .init(base: base, service: service, refused: service.withoutEmptyRows)
        }
    }

    /// Allows all changes to be written, after which the program ends.
    static func saveAllAgain(_ state: inout AppState) {
        for folder in unsaved(state) {
            state.serviceChanges.changes[folder]?.refused = nil
            state.serviceChanges.changes[folder]?.endsProgram = true
        }
    }

    /// Ends the program when the changes of services are in their files, which takes a moment; false where one of them is not being written.
    static func endsWhenWritten(_ folders: [String], _ state: inout AppState) -> Bool {
        guard folders.allSatisfy({ isWriting($0, state) && state.serviceChanges.unreadable[$0]?.isEmpty != false }) else { return false }
        for folder in folders { state.serviceChanges.changes[folder]?.endsProgram = true }
        return true
    }

    /// Allows a change to be written that was refused before.
    ///
    /// It is written over what another program changed in the same places, where the user was told of that.
    static func saveAgain(_ state: inout AppState) {
        guard let file = state.shownService, var change = state.serviceChanges.changes[file.folder] else { return }
        if let told = change.conflicting, ServiceMerge.isSame(told, file) { change.rebase(on: file) }
        change.refused = nil
        state.serviceChanges.changes[file.folder] = change
    }

    /// Takes the changes of other programs into a change that is not in the file yet; false where they are in the same places.
    private static func takeUpFile(_ file: Service, _ state: inout AppState) -> Bool {
        guard let change = state.serviceChanges.changes[file.folder], !ServiceMerge.isSame(change.base, file) else { return true }
        let conflicts = ServiceMerge(base: change.base, ours: change.service.withoutEmptyRows, theirs: file).conflicts
        guard !conflicts.isEmpty else {
            state.serviceChanges.changes[file.folder]?.rebase(on: file)
            return true
        }
        let isKnown = change.conflicting.map { ServiceMerge.isSame($0, file) } ?? false
        guard !isKnown || change.endsProgram else { return false }
        state.serviceChanges.changes[file.folder]?.conflicting = file
        state.serviceChanges.changes[file.folder]?.endsProgram = false
        state.notify(
            "\(file.location?.file ?? file.folder) was changed by another program in the same places (\(conflicts.joined(separator: ", "))); "
                + "\(state.key(.saveService)) in the service saves what was typed here, \(state.key(.undo)) discards it", .warning)
        return false
    }

    private static func save(_ folder: String, _ state: inout AppState) -> [Effect] {
        // The change of a service that another program removed stays until the service is there again.
        guard let before = state.serviceChanges.changes[folder], let file = state.workspace.service(folder) else { return [] }
        let isEdited = state.shownService?.folder == folder && state.servicePane.editing != nil
        guard before.service.withoutEmptyRows != before.base.withoutEmptyRows else {
            // While another content is being written, the one that the file has now is a change of that, written afterwards.
            if !isEdited, !isWriting(folder, state) { state.serviceChanges.changes[folder] = nil }
            return []
        }
        if !isEdited, !isWriting(folder, state) {
            let place = place(state)
            guard takeUpFile(file, &state) else { return [] }
            if state.shownService?.folder == folder { select(place, &state) }
        }
        guard let change = state.serviceChanges.changes[folder] else { return [] }
        let wanted = change.service.withoutEmptyRows
        // A row of a list is complete when it is left, and credentials when the last of their fields is typed.
        let isRowOpen = isEdited && selectedRow(state)?.listIndex != nil
        guard wanted != change.refused, !isRowOpen, !isWriting(folder, state),
            state.sections?.problem(ofKey: "auth", in: wanted, of: state.workspace) == nil
        else { return [] }
        let known = credentials(of: change.base, ClearCredentials()).found.credentials.map(\.value)
        let (found, hidden) = credentials(
            of: wanted,
            ClearCredentials(
                taken: state.secretNamesTaken, ignoring: state.workspace.publicValues.union(known), secrets: state.knownSecrets))
        guard found.isEmpty else {
            // The question waits for the end of typing, and for popups.
            guard !isEdited, state.popups.isEmpty else { return [] }
            state.serviceChanges.changes[folder]?.refused = wanted
            state.serviceChanges.changes[folder]?.endsProgram = false
            SecretsFeature.ask(
                about: found, &state,
                hidden: { state in
                    state.serviceChanges.changes[folder]?.service = hidden
                    state.serviceChanges.changes[folder]?.endsProgram = change.endsProgram
                    return []
                },
                clear: { state in
                    state.serviceChanges.changes[folder]?.endsProgram = change.endsProgram
                    return write(wanted, &state)
                })
            return []
        }
        return write(wanted, &state)
    }

    /// The credentials of a service, and the service with templates in their places.
    private static func credentials(of service: Service, _ search: ClearCredentials) -> (found: ClearCredentials, hidden: Service) {
        var (found, hidden) = (search, service)
        found.replaceCredentials(of: &hidden)
        return (found, hidden)
    }

    static func isWriting(_ folder: String, _ state: AppState) -> Bool {
        state.pendingJobs(EditWorkspaceJob.self).values.contains {
            if case .changeService(let service, _, _) = $0.edit { service.folder == folder } else { false }
        }
    }

    private static func write(_ service: Service, _ state: inout AppState) -> [Effect] {
        guard let change = state.serviceChanges.changes[service.folder] else { return [] }
        let file = service.location?.file ?? service.folder
        var job = EditWorkspaceJob(edit: .changeService(service, from: change.base), text: "Saved \(file)")
        job.then = { state in
            let ends = state.serviceChanges.changes[service.folder]?.endsProgram == true
            written(service, &state)
            return ends ? state.leaveWhenSaved() : []
        }
        job.otherwise = { state in
            state.serviceChanges.changes[service.folder]?.refused = service
            state.serviceChanges.changes[service.folder]?.endsProgram = false
            return []
        }
        return ItemsFeature.start(job, &state)
    }

    /// Notes that a service was written; what was typed since is a change of that.
    private static func written(_ service: Service, _ state: inout AppState) {
        guard let change = state.serviceChanges.changes[service.folder] else { return }
        let isEdited = state.shownService?.folder == service.folder && state.servicePane.editing != nil
        if change.service.withoutEmptyRows == service, !isEdited {
            state.serviceChanges.changes[service.folder] = nil
        } else {
            state.serviceChanges.changes[service.folder]?.base = service
        }
    }
}

extension ServiceChanges.Change {
    /// Makes the change one of another content of the file, in which the places that both changed are those of this program.
    fileprivate mutating func rebase(on file: Service) {
        let base = base
        func rebased(_ service: Service) -> Service { ServiceMerge(base: base, ours: service, theirs: file).service }
        (service, refused) = (rebased(service), refused.map(rebased))
        self.base = file
        conflicting = nil
    }
}
