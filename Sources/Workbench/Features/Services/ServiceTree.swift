internal import SortieHTTP
internal import WorkspaceModel

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
            .map { TreeRow(kind: .endpoint($0.id), depth: 0, name: $0.name, method: $0.method) }
        let others = workspace.unreadable.compactMap { file -> TreeRow? in
            guard case .endpoint(let id) = file.content, id.path.hasPrefix(service.folder + "/"), all || matches(id.path) else { return nil }
            return TreeRow(kind: .endpoint(id), depth: 0, name: FilePath.name(of: id.path), isUnreadable: true)
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
