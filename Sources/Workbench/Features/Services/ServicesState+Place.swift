internal import SortieHTTP
internal import WorkspaceModel

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
