internal import ArgumentParser
internal import Model

/// `sortie list`: lists services, endpoints and runs.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List services, endpoints and runs.")

    @OptionGroup var source: WorkspaceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let workspace = try WorkspaceSource.load(named: source.workspace)
        _ = try WorkspaceSource.environment(source.environment, of: workspace)
        StandardOutput.write(output.json ? record(workspace).text + "\n" : text(workspace))
        let count = workspace.problems.count
        if count > 0 { StandardError.line("sortie: workspace: \(count) problem\(count == 1 ? "" : "s"), see sortie check") }
    }

    private func text(_ workspace: Workspace) -> String {
        var lines: [String] = []
        let width = workspace.endpoints.map(\.target.count).max() ?? 0
        for service in workspace.services {
            lines.append(service.name)
            for endpoint in service.endpoints {
                let method = endpoint.method.rawValue.padded(to: 8)
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
                "description": .optional(endpoint.summary),
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
