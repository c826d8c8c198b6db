internal import SortieHTTP
internal import WorkspaceModel

/// The run of requests that use values of earlier responses, which the tool keeps in variables.
struct CapturedRun {
    /// The variables of the workspace and of its environments.
    private var variables: [[String: String]] = []
    private var requests: [(id: String, captures: [String], used: Set<String>)] = []

    /// Adds the run of all requests of a workspace.
    ///
    /// - Parameter first: The identities of requests that are sent before those that use what they capture, whatever their order is.
    static func add(to workspace: inout ImportedWorkspace, sending first: Set<String> = []) {
        var run = CapturedRun()
        // A captured value may be part of the value of a variable.
        run.variables = [workspace.variables] + workspace.environments.map(\.variables)
        for service in workspace.services {
            let server = (service.service.servers.values.flatMap(\.self) + service.service.headers.map(\.value) + service.service.auth.texts)
            for item in service.items.endpoints { run.add(item.endpoint, server: server.joined(separator: "\n"), id: item.id) }
        }
        run.addRun(to: &workspace, sending: first)
    }

    /// Moves requests before those that use what they capture.
    ///
    /// Besides those of `first`, these are the requests that capture a value alone and use no captured value themselves.
    private mutating func order(_ first: Set<String>) {
        let captured = Set(requests.flatMap(\.captures))
        var counts: [String: Int] = [:]
        for name in requests.flatMap({ Set($0.captures) }) { counts[name, default: 0] += 1 }
        var sources: [String: Int] = [:]
        for (index, request) in requests.enumerated() {
            let isIndependent = request.used.isDisjoint(with: captured)
            for name in request.captures where first.contains(request.id) || isIndependent && counts[name] == 1 { sources[name] = index }
        }
        guard !sources.isEmpty else { return }
        var (ordered, seen) = ([Int](), Set<Int>())
        func visit(_ index: Int) {
            guard seen.insert(index).inserted else { return }
            for source in requests[index].used.compactMap({ sources[$0] }).sorted() { visit(source) }
            ordered.append(index)
        }
        for index in requests.indices { visit(index) }
        requests = ordered.map { requests[$0] }
    }

    /// Adds a request after the others.
    mutating func add(_ endpoint: Endpoint, server: String, id: String) {
        var used: Set<String> = []
        var pending = endpoint.texts + [server]
        while let text = pending.popLast() {
            for case .variable(let name, _) in Template(text).segments where used.insert(name).inserted {
                pending += ([endpoint.variables] + variables).compactMap { $0[name] }
            }
        }
        requests.append((id, endpoint.captures.map(\.name), used))
    }

    /// Adds the run, where a request uses what an earlier one captures.
    ///
    /// - Parameter first: The identities of requests that are sent before those that use what they capture, whatever their order is.
    mutating func addRun(to workspace: inout ImportedWorkspace, sending first: Set<String> = []) {
        order(first)
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
