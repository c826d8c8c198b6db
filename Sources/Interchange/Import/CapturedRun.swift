internal import SortieHTTP
internal import WorkspaceModel

/// The run of requests that use values of earlier responses, which the tool keeps in variables.
struct CapturedRun {
    private var requests: [(id: String, captures: [String], used: Set<String>)] = []

    /// Adds the run of all requests of a workspace.
    static func add(to workspace: inout ImportedWorkspace) {
        var run = CapturedRun()
        for service in workspace.services {
            let server = (service.service.servers.values.flatMap(\.self) + service.service.headers.map(\.value) + service.service.auth.texts)
            for item in service.items.endpoints { run.add(item.endpoint, server: server.joined(separator: "\n"), id: item.id) }
        }
        run.addRun(to: &workspace)
    }

    /// Adds a request after the others.
    mutating func add(_ endpoint: Endpoint, server: String, id: String) {
        let names = (endpoint.texts + [server]).flatMap { text in
            Template(text).segments.compactMap { if case .variable(let name, _) = $0 { name } else { nil } }
        }
        requests.append((id, endpoint.captures.map(\.name), Set(names)))
    }

    /// Adds the run, where a request uses what an earlier one captures.
    func addRun(to workspace: inout ImportedWorkspace) {
        var sources: [String: Int] = [:]
        var uses: [Int: [String: Int]] = [:]
        for (index, request) in requests.enumerated() {
            for name in request.used { if let source = sources[name] { uses[index, default: [:]][name] = source } }
            for name in request.captures { sources[name] = index }
        }
        guard !uses.isEmpty else { return }
        let members = Set(uses.keys).union(uses.values.flatMap(\.values)).sorted()
        func step(_ index: Int) -> String { "step\((members.firstIndex(of: index) ?? 0) + 1)" }
        let steps = members.map { index in
            let variables = (uses[index] ?? [:]).map { ($0.key, "{{\(step($0.value)).\($0.key)}}") }
            return RunDefinition.Step(target: requests[index].id, name: step(index), variables: Dictionary(variables) { first, _ in first })
        }
        workspace.runs.append(RunDefinition(name: workspace.name, kind: .chain, steps: steps))
        workspace.report.add(
            .changed, workspace.name, "requests use values of earlier responses; they are steps of a run that captures them",
            id: "run \(workspace.name)")
    }
}
