internal import SortieHTTP
internal import WorkspaceModel

/// Lays out a workspace as rows.
struct ServiceTree {
    var workspace: Workspace
    var folded: Set<TreeRow.Kind>
    var filter: String

    var rows: [TreeRow] {
        let filter = TreeFilter(filter)
        guard filter.isEmpty else { return found(by: filter) }
        var rows: [TreeRow] = []
        for service in workspace.services { append(service, to: &rows) }
        let runs = self.runs.sorted { $0.kind.name < $1.kind.name }
        if !runs.isEmpty {
            let isFolded = folded.contains(.runs)
            rows.append(TreeRow(kind: .runs, depth: 0, name: "Runs", isFolded: isFolded))
            if !isFolded { rows += runs }
        }
        return rows
    }

    // MARK: With a filter

    /// The matching items below their services and without folders, the best match and its service first.
    private func found(by filter: TreeFilter) -> [TreeRow] {
        var services: [(best: Int, rows: [TreeRow])] = []
        for service in workspace.services {
            let endpoints = found(by: filter, in: service)
            guard let best = endpoints.first else { continue }
            services.append((best.score, [row(of: service, isFolded: false)] + endpoints.map(\.row)))
        }
        let rows = sorted(services, by: \.best).flatMap(\.rows)
        let runs = self.runs.compactMap { row in filter.match(name: row.kind.name).map { (score: $0.score, row: marked(row, $0)) } }
        return runs.isEmpty ? rows : rows + [TreeRow(kind: .runs, depth: 0, name: "Runs", isFolded: false)] + sorted(runs, by: \.score).map(\.row)
    }

    /// The matching endpoints of a service, the best first; all of a service that matches by its name.
    private func found(by filter: TreeFilter, in service: Service) -> [(score: Int, row: TreeRow)] {
        let isService = filter.isIn(service.name)
        let usable = service.endpoints.compactMap { endpoint -> (score: Int, row: TreeRow)? in
            let match = filter.match(endpoint, tags: workspace.tags(of: endpoint))
            guard isService || match != nil else { return nil }
            return (match?.score ?? 0, marked(row(of: endpoint), match))
        }
        let others = unreadable(in: service).compactMap { row -> (score: Int, row: TreeRow)? in
            let match = filter.match(name: row.kind.name)
            guard isService || match != nil else { return nil }
            return (match?.score ?? 0, marked(row, nil))
        }
        return sorted(usable + others, by: \.score)
    }

    /// A row of the result of a filter.
    private func marked(_ row: TreeRow, _ match: TreeFilter.Match?) -> TreeRow {
        var row = row
        row.depth = 1
        row.letters = match?.letters ?? []
        row.note = match?.reason ?? ""
        return row
    }

    /// The items with the highest number first, otherwise in their order.
    private func sorted<Item>(_ items: [Item], by score: (Item) -> Int) -> [Item] {
        items.enumerated().sorted { (score($0.element), $1.offset) > (score($1.element), $0.offset) }.map(\.element)
    }

    // MARK: Rows

    private func row(of service: Service, isFolded: Bool) -> TreeRow {
        let isUnreadable = workspace.problem(of: .service(service.folder)) != nil
        var row = TreeRow(kind: .service(service.folder), depth: 0, name: service.name, isUnreadable: isUnreadable, isFolded: isFolded)
        row.file = service.location?.file
        if Self.letters(of: service.name) != Self.letters(of: service.folder) { row.note = service.folder }
        return row
    }

    /// The letters and digits of a name, by which a name for display is compared with that of a folder.
    private static func letters(of name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

    private func row(of endpoint: Endpoint) -> TreeRow {
        var row = TreeRow(kind: .endpoint(endpoint.id), depth: 0, name: endpoint.name, method: endpoint.shownMethod)
        row.file = endpoint.location?.file
        return row
    }

    /// The runs, including those whose files are unreadable.
    private var runs: [TreeRow] {
        let usable = workspace.runs.map { run in
            var row = TreeRow(kind: .run(run.name), depth: 1, name: "\(run.name) (\(run.kind.rawValue))")
            row.file = run.location?.file
            row.isUnreadable = workspace.problem(of: .run(run.name)) != nil
            return row
        }
        let others = workspace.unreadable.compactMap { file -> TreeRow? in
            guard case .run(let name) = file.content else { return nil }
            return TreeRow(kind: .run(name), depth: 1, name: name, isUnreadable: true, file: file.file)
        }
        return usable + others
    }

    /// The endpoints of a service whose files are unreadable.
    private func unreadable(in service: Service) -> [TreeRow] {
        workspace.unreadable.compactMap { file -> TreeRow? in
            guard case .endpoint(let id) = file.content, id.path.hasPrefix(service.folder + "/") else { return nil }
            return TreeRow(kind: .endpoint(id), depth: 0, name: FilePath.name(of: id.path), isUnreadable: true, file: file.file)
        }
    }

    /// The endpoints of a service, including those whose files are unreadable, by target.
    private func endpoints(of service: Service) -> [TreeRow] {
        let usable = service.endpoints.map { row(of: $0) }
        let others = unreadable(in: service)
        return others.isEmpty ? usable : (usable + others).sorted { $0.kind.name < $1.kind.name }
    }

    private func append(_ service: Service, to rows: inout [TreeRow]) {
        let isServiceFolded = folded.contains(.service(service.folder))
        rows.append(row(of: service, isFolded: isServiceFolded))
        guard !isServiceFolded else { return }
        var path: [Substring] = []
        for endpoint in endpoints(of: service) {
            let folders = FilePath.components(of: endpoint.kind.name).dropFirst().dropLast()
            let shared = zip(path, folders).prefix { $0 == $1 }.count
            path = Array(folders)
            var isHidden = false
            for depth in folders.indices {
                let level = depth - folders.startIndex
                let group = TreeRow.Kind.group(([Substring(service.folder)] + folders[...depth]).joined(separator: "/"))
                let isGroupFolded = folded.contains(group)
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
}
