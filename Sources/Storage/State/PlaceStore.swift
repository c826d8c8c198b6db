internal import SortieBase
package import WorkspaceModel

/// Stores the workspaces that were open last, and where the user left them: `$XDG_STATE_HOME/sortie/workspaces`.
package struct PlaceStore: Sendable {
    /// The maximum number of workspaces.
    static let most = 30

    private let file: StateFile<StoredPlace>
    private let path: String

    /// Creates the store.
    ///
    /// - Parameter stateFolder: the folder for the state of programs.
    package init(stateFolder: String) {
        path = "\(stateFolder)/sortie/workspaces"
        file = StateFile(path)
    }

    /// The workspaces, the latest first.
    ///
    /// - Throws: When the file exists but cannot be read, or was written by a newer version.
    package func places() throws(WorkspaceError) -> [WorkspacePlace] { try file.load()?.values ?? [] }

    /// Stores a workspace as the latest one.
    ///
    /// - Throws: also when the file is one of a newer version, which is not replaced.
    package func keep(_ place: WorkspacePlace) throws(WorkspaceError) {
        do { try StateFolder.make(FilePath.folder(of: path)) } catch {
            throw WorkspaceError(.unwritable, file: path, "the list of workspaces cannot be stored: \(error)")
        }
        // Without the lock, two programs that end at the same time could lose an entry.
        guard let lock = StateLock(path: path + ".lock", within: 2) else { return }
        defer { withExtendedLifetime(lock) {} }
        let others = try places().filter { $0.folder != place.folder }
        try file.save([place] + others.prefix(Self.most - 1))
    }
}

/// A workspace that was open, as it is stored.
private struct StoredPlace: StateRecord {
    static let format = StateFormat(key: "workspaces", content: "the list of workspaces")

    var folder: String
    var name: String
    var open: String?
    var environment: String?
    var panes: WorkspacePlace.Panes?
    var folded: [String]?
    var selected: String?
    var chosen: [String]?

    init(_ place: WorkspacePlace) {
        (folder, name, open, environment, panes) = (place.folder, place.name, place.open, place.environment, place.panes)
        folded = place.folded.isEmpty ? nil : place.folded
        selected = place.selected
        chosen = place.chosen.isEmpty ? nil : place.chosen
    }

    func value(_ problems: inout [String]) -> WorkspacePlace? {
        var place = WorkspacePlace(folder: folder, name: name, open: open, environment: environment)
        place.panes = panes
        place.folded = folded ?? []
        place.selected = selected
        place.chosen = chosen ?? []
        return place
    }
}
