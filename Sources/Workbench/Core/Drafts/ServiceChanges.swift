internal import WorkspaceModel

/// The changes of services that are not in their files yet, which are stored for the next session as ``ServiceDraft``.
///
/// Renaming a service moves them, and deleting one keeps them for the undo, as with the drafts of endpoints.
struct ServiceChanges: FeatureState {
    /// A change that is not in the file yet.
    struct Change: Hashable, Sendable {
        /// The service as its file describes it, or as it is being written.
        var base: Service
        var service: Service
        /// The service that was not written: because that failed, because it would write a credential, or because it is that of an earlier session.
        var refused: Service?
        /// The service in the file that the user was told to differ in the same places, which the next save overwrites there.
        var conflicting: Service?
        /// Whether the program ends when the change is written and nothing else is unsaved.
        var endsProgram = false
    }

    /// The changes by the folder of the service.
    var changes: [String: Change] = [:]
    /// The typed texts that cannot be read, by the folder of the service.
    var unreadable: [String: [ServiceKey: String]] = [:]

    /// Whether a service has changes that are not in its file, or typed texts that cannot be read.
    func hasUnsaved(of folder: String) -> Bool { changes[folder] != nil || unreadable[folder]?.isEmpty == false }

    /// Gives the changes of a service, and its texts that cannot be read, the new folder of the service.
    ///
    /// - Parameter root: The folder of the workspace.
    mutating func move(_ old: String, to new: String, in root: String) {
        unreadable[new] = unreadable.removeValue(forKey: old)
        guard var change = changes.removeValue(forKey: old) else { return }
        change.base.move(to: new, in: root)
        change.service.move(to: new, in: root)
        change.refused?.move(to: new, in: root)
        change.conflicting?.move(to: new, in: root)
        changes[new] = change
    }
}

extension AppState {
    /// The changes of services that are not in their files yet.
    var serviceChanges: ServiceChanges {
        get { states[ServiceChanges.self] }
        _modify { yield &states[ServiceChanges.self] }
    }
}
