internal import Model

/// One row of the tree.
struct TreeRow: Hashable, Sendable {
    /// What the row stands for.
    enum Kind: Hashable, Sendable {
        /// A service, by its folder.
        case service(String)
        /// A folder below a service, by its path.
        case group(String)
        /// An endpoint, by its target.
        case endpoint(String)
        /// The heading over the runs.
        case runs
        /// A run, by its name.
        case run(String)
    }

    var kind: Kind
    var depth: Int
    var name: String
    /// Before the name: the method.
    var method: HTTPMethod?
    /// Nil for a row that has nothing below it.
    var isFolded: Bool?
}

/// What the services pane remembers.
struct ServicesState: Hashable, Sendable {
    private(set) var rows: [TreeRow] = []
    var selected: TreeRow.Kind?
    var folded: Set<TreeRow.Kind> = []
    var top = 0
    /// The text that endpoints must match; nil when all are shown.
    var filter: TextField?
    /// Whether the filter is being typed.
    var isFiltering = false

    var selectedIndex: Int? { rows.firstIndex { $0.kind == selected } }

    /// Makes the rows anew; the selection stays where it still exists, else goes to the row that took its place.
    mutating func rebuild(_ workspace: Workspace) {
        let index = selectedIndex ?? 0
        rows = ServiceTree(workspace: workspace, folded: folded, filter: filter?.text ?? "").rows
        if selectedIndex == nil, !rows.isEmpty {
            selected = rows[index.clamped(to: 0...rows.count - 1)].kind
        }
    }
}

/// Lays a workspace out as rows.
struct ServiceTree {
    var workspace: Workspace
    var folded: Set<TreeRow.Kind>
    var filter: String

    var rows: [TreeRow] {
        var rows: [TreeRow] = []
        for service in workspace.services { append(service, to: &rows) }
        let runs = workspace.runs.filter { matches($0.name) }
        if !runs.isEmpty {
            let isFolded = isFolded(.runs)
            rows.append(TreeRow(kind: .runs, depth: 0, name: "Runs", isFolded: isFolded))
            if !isFolded {
                rows += runs.map { TreeRow(kind: .run($0.name), depth: 1, name: "\($0.name) (\($0.kind.rawValue))") }
            }
        }
        return rows
    }

    private func append(_ service: Service, to rows: inout [TreeRow]) {
        let matchesService = matches(service.name)
        let endpoints = service.endpoints.filter { matchesService || matches("\($0.method.rawValue) \($0.name) \($0.target)") }
        if !filter.isEmpty, endpoints.isEmpty { return }
        let isServiceFolded = isFolded(.service(service.folder))
        rows.append(TreeRow(kind: .service(service.folder), depth: 0, name: service.name, isFolded: isServiceFolded))
        guard !isServiceFolded else { return }
        var path: [Substring] = []
        for endpoint in endpoints {
            let folders = endpoint.target.split(separator: "/").dropFirst().dropLast()
            let shared = zip(path, folders).prefix { $0 == $1 }.count
            path = Array(folders)
            var isHidden = false
            for depth in folders.indices {
                let level = depth - folders.startIndex
                let group = TreeRow.Kind.group(([Substring(service.folder)] + folders[...depth]).joined(separator: "/"))
                let isGroupFolded = isFolded(group)
                if level >= shared, !isHidden {
                    rows.append(TreeRow(kind: group, depth: level + 1, name: String(folders[depth]), isFolded: isGroupFolded))
                }
                isHidden = isHidden || isGroupFolded
            }
            if !isHidden {
                rows.append(
                    TreeRow(
                        kind: .endpoint(endpoint.target), depth: folders.count + 1, name: endpoint.name, method: endpoint.method))
            }
        }
    }

    private func isFolded(_ kind: TreeRow.Kind) -> Bool { filter.isEmpty && folded.contains(kind) }

    private func matches(_ text: String) -> Bool {
        let text = text.lowercased()
        return filter.lowercased().split(separator: " ").allSatisfy { text.contains($0) }
    }
}
