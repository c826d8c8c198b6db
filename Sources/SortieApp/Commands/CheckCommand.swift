internal import ArgumentParser
internal import SortieBase
internal import SortieStorage
internal import WorkspaceModel

/// `sortie check`: prints every problem of a workspace on one line each.
struct CheckCommand: ProgramCommand {
    static let configuration = CommandConfiguration(commandName: "check", abstract: "Check the files of a workspace.")

    @Argument(help: "The folder of the workspace; by default the nearest one upward.", completion: .directory)
    var folder: String?

    @Flag(help: "Print one JSON record instead of lines.")
    var json = false

    @OptionGroup var source: WorkspaceOptions

    func run(in program: ProgramContext) throws {
        var workspace = try WorkspaceSource.load(named: try WorkspaceFolderOption.folder(folder, or: source.workspace), in: program)
        workspace.problems += workspace.schemaProblems + workspace.protoProblems(compilingIn: program) + workspace.hookProblems
        UnverifiedServers.report(workspace.services, of: workspace, environment: nil, to: program.errors)
        // Not a problem of the files: in a container the user often is not their owner.
        for problem in workspace.ownershipProblems { program.errors.line("sortie: warning: \(problem)") }
        if json {
            program.output.write(record(of: workspace).text + "\n")
        } else {
            for problem in workspace.problems { program.output.write(VisibleLine.of(problem.description) + "\n") }
        }
        let count = workspace.problems.count
        guard count == 0 else {
            throw CommandFailure(.file, name: "workspace", "\(count) problem\(count == 1 ? "" : "s") in \(workspace.folder)")
        }
        if program.output.isTerminal {
            program.errors.line(
                "\(workspace.name): \(workspace.endpoints.count) endpoints, \(workspace.runs.count) runs, no problems")
        }
    }

    private func record(of workspace: Workspace) -> JSONValue {
        let problems = workspace.problems.map { problem -> JSONValue in
            [
                "file": .string(problem.location.file), "line": .integer(Int64(problem.location.line)),
                "column": .integer(Int64(problem.location.column)), "severity": .string(problem.severity == .error ? "error" : "warning"),
                "message": .string(problem.message),
            ]
        }
        let unverified = UnverifiedServers.servers(of: workspace.services, in: workspace, environment: nil).map { server, file -> JSONValue in
            ["server": .string(server), "file": .string(file)]
        }
        return [
            "workspace": .string(workspace.name), "folder": .string(workspace.folder), "problems": .array(problems), "insecure": .array(unverified),
        ]
    }
}
