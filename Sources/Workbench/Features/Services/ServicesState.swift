internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// A row of the tree.
struct TreeRow: Hashable, Sendable {
    /// The item of a row.
    enum Kind: Hashable, Sendable {
        /// A service, by its folder.
        case service(String)
        /// A folder below a service, by its path.
        case group(String)
        /// An endpoint.
        case endpoint(EndpointID)
        /// The heading of the runs.
        case runs
        /// A run, by its name.
        case run(String)

        /// Creates the row kind for the content of a file; nil for the workspace.
        init?(_ content: UnreadableFile.Content) {
            switch content {
            case .workspace: return nil
            case .service(let folder): self = .service(folder)
            case .endpoint(let target): self = .endpoint(target)
            case .run(let name): self = .run(name)
            }
        }

        /// The content of its file; nil for a row without a file.
        var content: UnreadableFile.Content? {
            switch self {
            case .service(let folder): .service(folder)
            case .endpoint(let target): .endpoint(target)
            case .run(let name): .run(name)
            case .group, .runs: nil
            }
        }

        /// The identifier of the item; empty for the heading.
        var name: String {
            switch self {
            case .service(let name), .group(let name), .run(let name): name
            case .endpoint(let id): id.path
            case .runs: ""
            }
        }
    }

    var kind: Kind
    var depth: Int
    var name: String
    /// The method, shown before the name.
    var method: HTTPMethod?
    /// Whether the file of the item is unreadable.
    var isUnreadable = false
    /// Whether the row is folded; nil for a row without children.
    var isFolded: Bool?
    /// The file of the item, relative to the workspace.
    var file: String?
    /// The indices of the characters of the name that the filter matches.
    var letters: Set<Int> = []
    /// What else identifies the item, shown after the name: the folder of a service with another name, what the filter matches.
    var note = ""
}

/// The state of the services pane.
struct ServicesState: FeatureState {
    private(set) var rows: [TreeRow] = []
    var selected: TreeRow.Kind?
    var folded: Set<TreeRow.Kind> = []
    /// The filter of the endpoints; nil when all are shown.
    var filter: TextField?
    /// Whether the filter is being typed.
    var isFiltering = false
    /// The marked endpoints, in the order of marking.
    private(set) var marked: [EndpointID] = []

    var selectedIndex: Int? { rows.firstIndex { $0.kind == selected } }

    /// Selects the row of a file's content, if there is one.
    mutating func showRow(of file: String, in workspace: Workspace) {
        let kinds: [TreeRow.Kind?] =
            [
                workspace.endpoints.first { $0.location?.file == file }.map { .endpoint($0.id) },
                workspace.services.first { $0.location?.file == file }.map { .service($0.folder) },
                workspace.runs.first { $0.location?.file == file }.map { .run($0.name) },
            ] + workspace.unreadable.filter { $0.file == file }.map { TreeRow.Kind($0.content) }
        if let kind = kinds.compactMap(\.self).first(where: { kind in rows.contains { $0.kind == kind } }) { selected = kind }
    }

    /// Rebuilds the rows.
    ///
    /// If the selected row does not exist any more, the row at its index is selected.
    mutating func rebuild(_ workspace: Workspace) {
        let index = selectedIndex ?? 0
        rows = ServiceTree(workspace: workspace, folded: folded, filter: filter?.text ?? "").rows
        marked.removeAll { workspace.endpoint($0) == nil }
        if selectedIndex == nil, !rows.isEmpty {
            selected = rows[index.clamped(to: 0...rows.count - 1)].kind
        }
    }

    mutating func setFilter(_ filter: TextField?, _ workspace: Workspace) {
        self.filter = filter
        rebuild(workspace)
    }

    // MARK: Marks

    /// Marks or unmarks an endpoint.
    mutating func mark(_ id: EndpointID) {
        if let index = marked.firstIndex(of: id) { marked.remove(at: index) } else { marked.append(id) }
    }

    mutating func clearMarks() { marked = [] }

    // MARK: Folding

    /// Folds or unfolds the selected row, or returns the row to select instead: the parent of a folded one, the first child of an unfolded one.
    mutating func setFolded(_ folds: Bool, _ workspace: Workspace) -> TreeRow.Kind? {
        guard let index = selectedIndex else { return nil }
        let row = rows[index]
        if row.isFolded == !folds {
            toggleFold(workspace)
        } else if folds {
            return rows[..<index].last { $0.depth < row.depth }?.kind
        } else if row.isFolded == false, index + 1 < rows.count {
            return rows[index + 1].kind
        }
        return nil
    }

    /// Folds or unfolds the selected row, if it has children.
    mutating func toggleFold(_ workspace: Workspace) {
        guard let index = selectedIndex, let isFolded = rows[index].isFolded else { return }
        if isFolded { folded.remove(rows[index].kind) } else { folded.insert(rows[index].kind) }
        rebuild(workspace)
    }

    /// Unfolds the service and the folders of an endpoint, and the heading of a run.
    mutating func reveal(_ kind: TreeRow.Kind, _ workspace: Workspace) {
        let around: [TreeRow.Kind]
        switch kind {
        case .endpoint(let id):
            let path = id.path
            around = path.indices.filter { path[$0] == "/" }.flatMap { [.service(String(path[..<$0])), .group(String(path[..<$0]))] }
        case .run: around = [.runs]
        case .service, .group, .runs: around = []
        }
        let before = folded
        folded.subtract(around)
        if folded != before { rebuild(workspace) }
    }

    /// The first endpoint that is shown.
    var firstEndpoint: TreeRow.Kind? {
        rows.first { if case .endpoint = $0.kind { true } else { false } }?.kind
    }
}

extension AppState {
    /// The state of the services pane.
    var services: ServicesState {
        get { states[ServicesState.self] }
        _modify { yield &states[ServicesState.self] }
    }
}

/// What is remembered of the tree for the next session.
extension ServicesState {
    /// The folded rows as text, in order.
    var foldedKeys: [String] { folded.map(\.key).sorted() }

    /// Folds the rows of an earlier session; those that no longer exist have no effect.
    mutating func fold(_ keys: [String], _ workspace: Workspace) {
        folded = Set(keys.compactMap { TreeRow.Kind(key: $0) })
        rebuild(workspace)
    }

    /// Selects a row of an earlier session, if it is still shown.
    mutating func select(_ key: String) {
        if let row = rows.first(where: { $0.kind.key == key }) { selected = row.kind }
    }
}

extension TreeRow.Kind {
    /// The row as text: its kind and its name.
    var key: String {
        switch self {
        case .service(let name): "service:\(name)"
        case .group(let name): "group:\(name)"
        case .endpoint(let id): "endpoint:\(id.path)"
        case .runs: "runs:"
        case .run(let name): "run:\(name)"
        }
    }

    /// Creates the row of a text; nil for an unknown kind.
    init?(key: String) {
        guard let colon = key.firstIndex(of: ":") else { return nil }
        let name = String(key[key.index(after: colon)...])
        switch key[..<colon] {
        case "service": self = .service(name)
        case "group": self = .group(name)
        case "endpoint": self = .endpoint(EndpointID(name))
        case "runs": self = .runs
        case "run": self = .run(name)
        default: return nil
        }
    }
}

extension Context {
    static let services = Context("Services")
}

extension ServicesFeature {
    var bindings: [Binding] {
        [
            Binding(.services, [.enter], .open, "Open", "Open the endpoint or the service in Request; fold or unfold a folder", hint: 3),
            Binding(.services, [.space], .toggle, "Fold", "Mark or unmark the endpoint for a run; fold or unfold a service or a folder", hint: 7)
                .alsoKnownAs("Select several", "Mark"),
        ]
    }
}
