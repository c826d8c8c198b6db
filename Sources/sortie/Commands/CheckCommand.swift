internal import ArgumentParser
internal import Model
internal import Storage

/// `sortie check`: every problem of a workspace, one a line.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "check", abstract: "Check the files of a workspace.")

    @Argument(help: "The workspace's folder; else the nearest one upward.")
    var folder: String?

    @OptionGroup var source: WorkspaceOptions

    func run() throws {
        let workspace = try WorkspaceSource.load(named: folder ?? source.workspace)
        UnverifiedServers.report(workspace.services, environment: nil)
        // No fault of the files: who runs this in a container often is not their owner.
        for problem in workspace.ownershipProblems { StandardError.line("sortie: warning: \(problem)") }
        for problem in workspace.problems { StandardOutput.write(VisibleLine.of(problem.description) + "\n") }
        let count = workspace.problems.count
        guard count == 0 else {
            throw CommandFailure(.file, name: "workspace", "\(count) problem\(count == 1 ? "" : "s") in \(workspace.folder)")
        }
        if StandardOutput.isTerminal {
            StandardError.line(
                "\(workspace.name): \(workspace.endpoints.count) endpoints, \(workspace.runs.count) runs, no problems")
        }
    }
}
