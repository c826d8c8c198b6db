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
        /// The row to select afterwards.
        var row: TreeRow.Kind?
        /// What was changed.
        var edit: WorkspaceEdit?
        /// Whether it deleted an item; a moved file is not lost.
        var isDeletion = false
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
}
