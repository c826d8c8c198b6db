internal import Model

/// A row of the tree.
struct TreeRow: Hashable, Sendable {
    /// The item of a row.
    enum Kind: Hashable, Sendable {
        /// A service, by its folder.
        case service(String)
        /// A folder below a service, by its path.
        case group(String)
        /// An endpoint, by its target.
        case endpoint(String)
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
            case .service(let name), .group(let name), .endpoint(let name), .run(let name): name
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
}

/// The state of the services pane.
struct ServicesState: Hashable, Sendable {
    private(set) var rows: [TreeRow] = []
    var selected: TreeRow.Kind?
    var folded: Set<TreeRow.Kind> = []
    var top = 0
    /// The filter of the endpoints; nil when all are shown.
    var filter: TextField?
    /// Whether the filter is being typed.
    var isFiltering = false

    var selectedIndex: Int? { rows.firstIndex { $0.kind == selected } }

    /// Selects the row of a file's content, if there is one.
    mutating func showRow(of file: String, in workspace: Workspace) {
        let kinds: [TreeRow.Kind?] =
            [
                workspace.endpoints.first { $0.location?.file == file }.map { .endpoint($0.target) },
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
        if selectedIndex == nil, !rows.isEmpty {
            selected = rows[index.clamped(to: 0...rows.count - 1)].kind
        }
    }
}

/// Lays out a workspace as rows.
struct ServiceTree {
    var workspace: Workspace
    var folded: Set<TreeRow.Kind>
    var filter: String

    var rows: [TreeRow] {
        var rows: [TreeRow] = []
        for service in workspace.services { append(service, to: &rows) }
        let runs = self.runs
        if !runs.isEmpty {
            let isFolded = isFolded(.runs)
            rows.append(TreeRow(kind: .runs, depth: 0, name: "Runs", isFolded: isFolded))
            if !isFolded {
                rows += runs
            }
        }
        return rows
    }

    /// The matching runs, including those whose files are unreadable, by name.
    private var runs: [TreeRow] {
        let usable = workspace.runs.map { TreeRow(kind: .run($0.name), depth: 1, name: "\($0.name) (\($0.kind.rawValue))") }
        let others = workspace.unreadable.compactMap { file -> TreeRow? in
            guard case .run(let name) = file.content else { return nil }
            return TreeRow(kind: .run(name), depth: 1, name: name, isUnreadable: true)
        }
        return (usable + others).filter { matches($0.kind.name) }.sorted { $0.kind.name < $1.kind.name }
    }

    /// The matching endpoints of a service, including those whose files are unreadable, by target.
    private func endpoints(of service: Service, all: Bool) -> [TreeRow] {
        let usable = service.endpoints.filter { all || matches("\($0.method.rawValue) \($0.name) \($0.target)") }
            .map { TreeRow(kind: .endpoint($0.target), depth: 0, name: $0.name, method: $0.method) }
        let others = workspace.unreadable.compactMap { file -> TreeRow? in
            guard case .endpoint(let target) = file.content, target.hasPrefix(service.folder + "/"), all || matches(target) else { return nil }
            return TreeRow(kind: .endpoint(target), depth: 0, name: FilePath.name(of: target), isUnreadable: true)
        }
        return others.isEmpty ? usable : (usable + others).sorted { $0.kind.name < $1.kind.name }
    }

    private func append(_ service: Service, to rows: inout [TreeRow]) {
        let matchesService = matches(service.name)
        let endpoints = endpoints(of: service, all: matchesService)
        if !filter.isEmpty, endpoints.isEmpty { return }
        let isServiceFolded = isFolded(.service(service.folder))
        let isUnreadable = workspace.problem(of: .service(service.folder)) != nil
        rows.append(
            TreeRow(kind: .service(service.folder), depth: 0, name: service.name, isUnreadable: isUnreadable, isFolded: isServiceFolded))
        guard !isServiceFolded else { return }
        var path: [Substring] = []
        for endpoint in endpoints {
            let folders = FilePath.components(of: endpoint.kind.name).dropFirst().dropLast()
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
                var row = endpoint
                row.depth = folders.count + 1
                rows.append(row)
            }
        }
    }

    private func isFolded(_ kind: TreeRow.Kind) -> Bool { filter.isEmpty && folded.contains(kind) }

    private func matches(_ text: String) -> Bool {
        let text = text.lowercased()
        return filter.lowercased().split(separator: " ").allSatisfy { text.contains($0) }
    }
}
