internal import SortieTerminal
internal import WorkspaceModel

extension Command {
    static let newItem = Command.named("newItem", isInPalette: false)
    static let newEndpoint = Command.named("newEndpoint")
    static let newFolder = Command.named("newFolder")
    static let newService = Command.named("newService")
    static let newRun = Command.named("newRun")
    static let newEnvironment = Command.named("newEnvironment")
    static let saveAs = Command.named("saveAs")
    static let renameItem = Command.named("renameItem")
    static let duplicateItem = Command.named("duplicateItem")
    static let deleteItem = Command.named("deleteItem")
    static let undoItems = Command.named("undoItems")
    static let renameEnvironment = Command.named("renameEnvironment")
    static let deleteEnvironment = Command.named("deleteEnvironment")
}

extension ItemsFeature {
    var bindings: [Binding] {
        [
            Binding(.services, [.character("a")], .newItem, "New", "Create an endpoint, a folder, a service, an environment or a run", hint: 4),
            Binding(
                .services, [.character("e")], .renameItem, "Rename", "Rename or move what is selected in Services; runs that send it follow", hint: 5,
                unless: Self.nothingSelected),
            Binding(.services, [.character("D")], .duplicateItem, "Duplicate", "Copy what is selected in Services", unless: Self.nothingSelected),
            Binding(
                .services, [.character("d"), .delete], .deleteItem, "Delete", "Delete the files of what is selected in Services; it can be undone",
                hint: 6, unless: Self.nothingSelected),
            Binding(
                .services, [.character("u")], .undoItems, "Undo", "Undo the last creation, renaming or deletion of files", hint: 8,
                unless: Self.nothingToUndo),
            Binding(
                .everywhere, [], .saveAs, "Save as", "Save the request as a new endpoint, in an existing or a new service", unless: \.noEndpointReason
            ),
            Binding(.everywhere, [], .newEndpoint, "New endpoint", "Create an endpoint"),
            Binding(.everywhere, [], .newFolder, "New folder", "Create a folder with an endpoint", unless: Self.noService),
            Binding(.everywhere, [], .newService, "New service", "Create a service"),
            Binding(.everywhere, [], .newRun, "New run", "Create a run that sends an endpoint", unless: Self.noEndpoints),
            Binding(.everywhere, [], .newEnvironment, "New environment", "Create an environment, as a copy of another one or empty"),
            Binding(.everywhere, [], .renameEnvironment, "Rename environment", "Rename the selected environment", unless: Self.noEnvironment),
            Binding(
                .everywhere, [], .deleteEnvironment, "Delete environment", "Delete the selected environment; it can be undone",
                unless: Self.noEnvironment),
        ]
    }

    private static func nothingSelected(_ state: AppState) -> String? {
        selectedItem(state) == nil ? "Select an endpoint, a folder, a service or a run in Services first" : nil
    }

    static func nothingToUndo(_ state: AppState) -> String? {
        // A change that is being made is not on the list yet.
        if state.isChangingFiles { return "Files are being changed; repeat it when that has ended" }
        return state.items.undo.isEmpty ? "No files were created, renamed or deleted here" : nil
    }

    private static func noService(_ state: AppState) -> String? {
        state.workspace.services.isEmpty ? "A folder is in a service; create a service first" : nil
    }

    private static func noEndpoints(_ state: AppState) -> String? {
        state.workspace.endpoints.isEmpty ? "A run sends endpoints; create an endpoint first" : nil
    }

    private static func noEnvironment(_ state: AppState) -> String? {
        state.environment == nil ? "The workspace has no environments" : nil
    }
}
