internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Creating, renaming, moving, duplicating and deleting endpoints, folders, services, environments and runs.
struct ItemsFeature: Feature {
    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .newItem: Self.chooseKind(&state)
        case .newEndpoint: Self.newEndpoint(&state)
        case .newFolder: Self.newFolder(&state)
        case .newService: Self.newService(&state)
        case .newRun: Self.newRun(&state)
        case .newEnvironment: Self.newEnvironment(from: state.environment, &state)
        case .saveAs: Self.saveAs(&state)
        case .renameItem: Self.selectedItem(state).map { Self.rename($0, &state) }
        case .duplicateItem: Self.selectedItem(state).map { Self.duplicate($0, &state) }
        case .deleteItem: return Self.selectedItem(state).map { Self.delete($0, &state) } ?? []
        case .undoItems: return Self.undo(&state)
        case .renameEnvironment: state.environment.map { Self.rename(.environment($0), &state) }
        case .deleteEnvironment: return state.environment.map { Self.delete(.environment($0), &state) } ?? []
        default: return nil
        }
        return []
    }

    /// The item of the selected row of Services.
    static func selectedItem(_ state: AppState) -> WorkspaceItem? {
        switch state.services.selected {
        case .endpoint(let id): .endpoint(id)
        case .group(let path): .folder(path)
        case .service(let folder): .service(folder)
        case .run(let name): .run(name)
        case .runs, nil: nil
        }
    }

    private static func chooseKind(_ state: inout AppState) {
        let commands: [(Command, String, String)] = [
            (.newEndpoint, "Endpoint", "a request"), (.newFolder, "Folder", "groups endpoints of a service"),
            (.newService, "Service", "servers, and the endpoints that use them"),
            (.newEnvironment, "Environment", "variables, such as those of a test system"),
            (.newRun, "Run", "sends endpoints one after the other, or at the same time"),
        ]
        state.show(
            ListPopup(
                title: "New", items: commands.map { command, label, detail in .init(label: label, detail: detail) { $0.performFromList(command) } }))
    }
}

extension TreeRow.Kind {
    /// The row of an item; nil for an environment.
    init?(_ item: WorkspaceItem) {
        switch item {
        case .endpoint(let id): self = .endpoint(id)
        case .folder(let path): self = .group(path)
        case .service(let folder): self = .service(folder)
        case .run(let name): self = .run(name)
        case .environment: return nil
        }
    }
}
