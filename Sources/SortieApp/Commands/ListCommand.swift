internal import ArgumentParser
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// `sortie list`: lists services, endpoints and runs.
struct ListCommand: ProgramCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List services, endpoints and runs.")

    @Option(
        name: .customLong("tag"),
        help: ArgumentHelp("List only endpoints with this tag; repeated, with all of them.", valueName: "tag"), completion: .tag)
    var tags: [String] = []

    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    @OptionGroup var source: WorkspaceOptions

    func run(in program: ProgramContext) throws {
        let workspace = try selected(in: try WorkspaceSource.load(named: source.workspace, in: program))
        _ = try WorkspaceSource.environment(source.environment, of: workspace)
        program.output.write(json ? record(workspace).text + "\n" : text(workspace))
        let count = workspace.problems.count
        if count > 0 { program.errors.line("sortie: workspace: \(ItemCount.text(count, "problem")), see sortie check") }
    }

    /// The workspace with only the endpoints that have all tags, and without services and runs that have none.
    private func selected(in workspace: Workspace) throws -> Workspace {
        guard !tags.isEmpty else { return workspace }
        let wanted = tags.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
        for tag in wanted where !workspace.tags.contains(tag) {
            let all = workspace.tags.joined(separator: ", ")
            let known = all.isEmpty ? "no endpoint has tags; write tags: [\(tag)] in its file" : "it has: \(all)"
            throw CommandFailure(
                .usage, name: "unknownTag", "the workspace \(workspace.name) has no tag \(tag)",
                hint: Suggestion.hint(for: tag, in: workspace.tags, known))
        }
        var selected = workspace
        for index in selected.services.indices {
            selected.services[index].endpoints.removeAll { endpoint in !Set(wanted).isSubset(of: workspace.tags(of: endpoint)) }
        }
        selected.services.removeAll { $0.endpoints.isEmpty }
        selected.runs = []
        return selected
    }

    private func text(_ workspace: Workspace) -> String {
        var lines: [String] = []
        let width = workspace.endpoints.map(\.target.count).max() ?? 0
        for service in workspace.services {
            lines.append(service.name)
            for endpoint in service.endpoints {
                let method = endpoint.shownMethod.rawValue.padded(to: 8)
                lines.append("  \(method)\(endpoint.target.padded(to: width))  \(endpoint.name)")
            }
        }
        if !workspace.runs.isEmpty { lines.append("Runs") }
        for run in workspace.runs { lines.append("  \(run.kind.rawValue.padded(to: 8))\(run.name)") }
        return lines.map { VisibleLine.of($0) + "\n" }.joined()
    }

    private func record(_ workspace: Workspace) -> JSONValue {
        let endpoints: [JSONValue] = workspace.endpoints.map { endpoint in
            [
                "kind": "endpoint", "target": .string(endpoint.target), "name": .string(endpoint.name),
                "service": .string(endpoint.serviceName), "method": .string(endpoint.method.rawValue),
                "path": .string(endpoint.path),
                "description": .optional(endpoint.summary), "tags": .array(workspace.tags(of: endpoint).map { .string($0) }),
            ]
        }
        let services: [JSONValue] = workspace.services.map { service in
            [
                "kind": "service", "target": .string(service.folder), "name": .string(service.name),
                "description": .optional(service.summary),
            ]
        }
        let runs: [JSONValue] = workspace.runs.map { run in
            [
                "kind": .string(run.kind.rawValue), "target": .string(run.name), "name": .string(run.name),
                "steps": .array(run.steps.map { .string($0.target) }),
            ]
        }
        return .array(services + endpoints + runs)
    }
}

extension String {
    /// Pads the text with spaces to a width.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
