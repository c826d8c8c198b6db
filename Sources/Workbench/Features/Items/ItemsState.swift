internal import SortieBase
internal import SortieTerminal
internal import WorkspaceModel

/// The state of creating, renaming and deleting items of the workspace.
struct ItemsState: FeatureState {
    /// A change that can be undone.
    struct Entry: Sendable {
        /// What was done, as part of a message.
        var text: String
        var changes: FileChanges
        /// The new names that the change gave to items.
        var renaming: Renaming?
        /// The unsaved edits of deleted endpoints.
        var drafts: [EndpointID: Draft] = [:]
        /// The change of a deleted service that was not saved.
        var serviceChange: ServiceChanges.Change?
        /// The row to select afterwards.
        var row: TreeRow.Kind?
        /// What was changed.
        var edit: WorkspaceEdit?
        /// Whether it deleted an item; a moved file is not lost.
        var isDeletion = false

        /// What is undone, as part of a message.
        var undoneText: String {
            switch edit {
            case .changeService(let service, _, _)?: "the change of \(service.location?.file ?? service.folder)"
            case .createEndpoint(let endpoint, _)?: "the creation of \(endpoint.target).yaml"
            default: text
            }
        }
    }

    /// The maximum number of changes that can be undone.
    static let undoLimit = 50
    /// The maximum number of bytes of all changes that can be undone together.
    static let undoBytes = 128 << 20

    private(set) var undo: [Entry] = []

    /// The number of files that were deleted and that only an undo restores.
    var deletedFiles: Int { undo.reduce(0) { $0 + ($1.isDeletion ? $1.changes.deletedFiles : 0) } }

    mutating func append(_ entry: Entry) {
        undo.append(entry)
        while undo.count > Self.undoLimit || undo.count > 1 && undo.reduce(0, { $0 + $1.changes.byteCount }) > Self.undoBytes { undo.removeFirst() }
    }

    mutating func removeLast() { undo.removeLast() }
}

/// New names of endpoints or a run.
struct Renaming: Hashable, Sendable {
    var from: WorkspaceItem
    var to: String

    /// The new name of an endpoint; nil for one that keeps its name.
    func newID(of id: EndpointID) -> EndpointID? {
        switch from {
        case .endpoint(let old): old == id ? EndpointID(to) : nil
        case .folder(let old), .service(let old): id.path.hasPrefix(old + "/") ? EndpointID(to + id.path.dropFirst(old.count)) : nil
        case .run, .environment: nil
        }
    }

    var reversed: Renaming { Renaming(from: from.named(to), to: from.name) }
}

extension FileChanges {
    fileprivate var byteCount: Int {
        changes.reduce(0) { sum, change in
            guard case .file(_, let before, let after) = change else { return sum }
            return sum + (before?.bytes.count ?? 0) + (after?.bytes.count ?? 0)
        }
    }
}

extension AppState {
    /// The state of creating, renaming and deleting items.
    var items: ItemsState {
        get { states[ItemsState.self] }
        _modify { yield &states[ItemsState.self] }
    }
}

/// Changing files of the workspace.
struct EditWorkspaceJob: Job {
    var edit: WorkspaceEdit
    /// What is done, in the past tense: `Created shop/list`.
    var text: String
    /// The form, shown again when the change fails; nil for a change without one.
    var form: Form?
    /// The row that is selected afterwards.
    var row: TreeRow.Kind?
    /// The endpoint whose edits were saved as another one, and are discarded.
    var replacedDraft: EndpointID?
    /// The change that is undone.
    var undone: ItemsState.Entry?
    /// What follows the change.
    var then: (@Sendable (inout AppState) -> [Effect])?
    /// What follows where the change failed, in place of showing the form again.
    var otherwise: (@Sendable (inout AppState) -> [Effect])?
}

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
            (
                .newRun, "Run",
                state.services.marked.isEmpty
                    ? "sends endpoints one after the other, or at the same time"
                    : "sends \(ItemCount.text(state.services.marked.count, "marked endpoint")) in this order"
            ),
        ]
        state.show(
            ListPopup(
                title: "New", items: commands.map { command, label, detail in .init(label: label, detail: detail) { $0.performFromList(command) } },
                isMenu: true))
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
                unless: Self.nothingSelected
            ).alsoKnownAs("Move"),
            Binding(.services, [.character("D")], .duplicateItem, "Duplicate", "Copy what is selected in Services", unless: Self.nothingSelected)
                .alsoKnownAs("Clone"),
            Binding(
                .services, [.character("d"), .delete], .deleteItem, "Delete", "Delete the files of what is selected in Services; it can be undone",
                hint: 6, unless: Self.nothingSelected),
            Binding(
                .services, [.character("u")], .undoItems, "Undo", "Undo the last creation, renaming or deletion of files", hint: 8,
                unless: Self.nothingToUndo),
            Binding(
                .everywhere, [], .saveAs, "Save as", "Save the request as a new endpoint, in an existing or a new service", unless: \.noEndpointReason
            ),
            Binding(.everywhere, [], .newEndpoint, "New endpoint", "Create an endpoint").alsoKnownAs("New request", "Create request", "Add request"),
            Binding(.everywhere, [], .newFolder, "New folder", "Create a folder with an endpoint", unless: Self.noService),
            Binding(.everywhere, [], .newService, "New service", "Create a service"),
            Binding(
                .services, [.character("r")], .newRun, "New run", "Create a run of the marked endpoints in their order, or of one endpoint", hint: 9,
                unless: Self.noEndpoints
            ).alsoKnownAs("Create a run", "New run from marked", "Run of marked endpoints", "Scenario", "Workflow", "Batch"),
            Binding(.everywhere, [], .newEnvironment, "New environment", "Create an environment, as a copy of another one or empty")
                .alsoKnownAs("Create an environment", "Add an environment"),
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
