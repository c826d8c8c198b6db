internal import SortieHTTP
internal import WorkspaceModel

/// Writing changes of services into their files.
extension ServiceFeature {
    /// Starts to write the changes that are not in the files, after each action.
    static func saveChanges(_ state: inout AppState) -> [Effect] {
        state.serviceChanges.changes.isEmpty ? [] : state.serviceChanges.changes.keys.sorted().flatMap { save($0, &state) }
    }

    /// The folders of the services with changes that are not in their files yet, or with texts that cannot be read.
    static func unsaved(_ state: AppState) -> [String] {
        let changed = state.serviceChanges.changes.filter { $0.value.service.withoutEmptyRows != $0.value.base.withoutEmptyRows }.keys
        let unreadable = state.serviceChanges.unreadable.filter { !$0.value.isEmpty }.keys
        return Set(changed).union(unreadable).filter { state.workspace.service($0) != nil }.sorted()
    }

    /// Allows a change to be written that was refused before.
    static func saveAgain(_ state: inout AppState) {
        if let folder = state.shownService?.folder { state.serviceChanges.changes[folder]?.refused = nil }
    }

    private static func save(_ folder: String, _ state: inout AppState) -> [Effect] {
        guard let change = state.serviceChanges.changes[folder], state.workspace.service(folder) != nil else {
            state.serviceChanges.changes[folder] = nil
            return []
        }
        let isEdited = state.shownService?.folder == folder && state.servicePane.editing != nil
        let wanted = change.service.withoutEmptyRows
        guard wanted != change.base.withoutEmptyRows else {
            if !isEdited { state.serviceChanges.changes[folder] = nil }
            return []
        }
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
            SecretsFeature.ask(
                about: found, &state,
                hidden: { state in
                    state.serviceChanges.changes[folder]?.service = hidden
                    return []
                }, clear: { write(wanted, &$0) })
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
            written(service, &state)
            return []
        }
        job.otherwise = { state in
            state.serviceChanges.changes[service.folder]?.refused = service
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
