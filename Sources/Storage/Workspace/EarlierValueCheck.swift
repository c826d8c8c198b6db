internal import SortieBase
internal import WorkspaceModel

/// Finds endpoints that need captured values of each other, so that outside of runs none of them can be sent.
struct EarlierValueCheck {
    /// The use of a captured value in the file of an endpoint.
    private struct Use {
        let source: String
        let location: SourceLocation
    }

    /// The uses by the target of the endpoint whose file has them.
    private var uses: [String: [Use]] = [:]

    /// Reads the uses of captured values from the names of variables in the files of endpoints.
    init(_ workspace: Workspace) {
        let values = EarlierValues(workspace)
        var defined = Set(workspace.variables.keys).union(workspace.secrets.keys)
        for environment in workspace.environments { defined.formUnion(environment.variables.keys) }
        let byFile = Dictionary(
            workspace.endpoints.filter { !$0.captures.isEmpty }.compactMap { endpoint in endpoint.location.map { ($0.file, endpoint) } }
        ) { first, _ in first }
        for (name, locations) in workspace.variableUses where values.names.contains(name) && !defined.contains(name) {
            for location in locations {
                guard let endpoint = byFile[location.file], endpoint.variables[name] == nil else { continue }
                if let source = values.endpoint(of: name, for: endpoint)?.target {
                    uses[endpoint.target, default: []].append(Use(source: source, location: location))
                }
            }
        }
        for target in uses.keys { uses[target]?.sort { ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column) } }
    }

    /// A warning for each circle, at a use in the first of its endpoints.
    var problems: [Diagnostic] {
        var problems: [Diagnostic] = []
        var done: Set<String> = []
        for target in uses.keys.sorted() where !done.contains(target) {
            guard let circle = circle(from: target, &done), let use = uses[circle[0]]?.first(where: { $0.source == circle[1] }) else { continue }
            let message = "\(circle[0]) needs a value of \(circle.dropFirst().joined(separator: ", which needs one of "))"
            problems.append(Diagnostic(use.location, message + "; outside of a run none of them can be sent", severity: .warning))
        }
        return problems
    }

    /// The first circle that a search from an endpoint finds, which begins and ends with the same endpoint; without recursion, because chains may
    /// be long.
    private func circle(from start: String, _ done: inout Set<String>) -> [String]? {
        var path = [start]
        var indices = [start: 0]
        var next = [0]
        while let target = path.last, let index = next.last {
            guard let uses = uses[target], uses.indices.contains(index) else {
                done.insert(target)
                indices[path.removeLast()] = nil
                next.removeLast()
                continue
            }
            next[next.count - 1] += 1
            let source = uses[index].source
            if let first = indices[source] {
                done.formUnion(path)
                return Array(path[first...]) + [source]
            }
            if !done.contains(source) {
                indices[source] = path.count
                path.append(source)
                next.append(0)
            }
        }
        return nil
    }
}
