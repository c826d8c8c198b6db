internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieStorage
internal import WorkspaceModel

/// Finds the run of `sortie run` in the workspace.
extension RunCommand {
    /// The workspace, the specified run, and its environments in the specified order.
    func found(in program: ProgramContext) throws -> (Workspace, RunDefinition, environments: [String?]) {
        if let (workspace, run) = try foreignRun(in: program) { return (workspace, run, try environments(of: workspace)) }
        let isFile = name.contains("/") || Self.isNamedAsFile(name)
        var folder = source.workspace
        if isFile, folder == nil, try WorkspaceSource.find(from: program.folders.current) == nil {
            // The last component is that of the file, of which there is no workspace upward; a folder is one to search itself.
            let path = program.folders.absolute(name)
            folder = try WorkspaceSource.find(from: RealPath.isFolder(path) ? path : FilePath.folder(of: path))
        }
        let workspace = try WorkspaceSource.load(named: folder, in: program)
        guard !name.isEmpty else {
            let (name, environment) = try lastUnfinished(in: workspace, program: program)
            return (workspace, try definition(of: name, isFile: false, in: workspace, program: program), [environment])
        }
        return (workspace, try definition(of: name, isFile: isFile, in: workspace, program: program), try environments(of: workspace))
    }

    /// The run of the requests of another tool's file or folder in place, or of one of them; nil for another name.
    private func foreignRun(in program: ProgramContext) throws -> (Workspace, RunDefinition)? {
        guard !name.isEmpty else { return nil }
        if name.contains("#"), let foreign = try ForeignFiles.request(name, in: program) {
            program.errors.warn(foreign.warnings)
            return foreign.workspace.run(named: foreign.target).map { (foreign.workspace, $0) }
        }
        guard let files = ForeignFiles.named(name, in: program) else { return nil }
        // A run, a service or a folder of the workspace has precedence over a folder of the current directory.
        if files.file == ".", let folder = try WorkspaceSource.folder(named: source.workspace, in: program), folder.format == nil,
            try WorkspaceSource.load(named: source.workspace, in: program).run(named: name) != nil
        {
            return nil
        }
        let workspace = try WorkspaceSource.load(named: name, in: program)
        program.errors.warn(workspace.problems)
        // The first run is that of all requests.
        return workspace.runs.first.map { (workspace, $0) }
    }

    private func environments(of workspace: Workspace) throws -> [String?] {
        guard source.environments.count > 1 else { return [try WorkspaceSource.environment(source.environment, of: workspace)] }
        let other = [("--resume", resume), ("--failed", failed), ("--from", !from.isEmpty), ("--update-snapshots", updateSnapshots)].first(
            where: \.1)?
            .0
        if let other { throw CommandFailure(.usage, "\(other) is for one environment; give -e only once") }
        for (index, name) in source.environments.enumerated() where source.environments[..<index].contains(name) {
            throw CommandFailure(.usage, "the environment \(name) is given twice")
        }
        return try source.environments.map { try WorkspaceSource.environment($0, of: workspace) }
    }

    private func definition(of name: String, isFile: Bool, in workspace: Workspace, program: ProgramContext) throws -> RunDefinition {
        if let definition = workspace.runs.first(where: { $0.name == name }) { return try sound(definition, workspace, in: program) }
        if !RealPath.isFile(program.path(name)), let definition = try folderRun(of: name, in: workspace, program: program) { return definition }
        if let problem = workspace.fileProblem(of: name) ?? workspace.fileProblem(of: "runs/\(name)") { throw CommandFailure(problem) }
        if ForeignFiles.isFileName(name) { throw CommandFailure(.file, name: "workspace", "there is no file \(name)") }
        // A name with a slash is that of a folder, unless there is such a file.
        guard isFile, Self.isNamedAsFile(name) || RealPath.isFile(program.path(name)) else {
            let names = workspace.runs.map(\.name) + workspace.folderRunNames
            throw CommandFailure(
                .usage, name: "unknownRun", "the workspace \(workspace.name) has no run, service, folder or endpoint \(name)",
                hint: Suggestion.hint(for: name, in: names, "sortie list shows all; a file's name ends in .yaml"))
        }
        return try read(name, in: workspace, program: program)
    }

    private static func isNamedAsFile(_ name: String) -> Bool {
        name.hasSuffix(".yaml") || name.hasSuffix(".yml") || name.hasPrefix("/") || name.hasPrefix(".") || name == "-"
    }

    /// The run of all endpoints of a service or a folder, or of one endpoint; nil where there is none of this target.
    private func folderRun(of target: String, in workspace: Workspace, program: ProgramContext) throws -> RunDefinition? {
        guard let (run, leftOut) = workspace.folderRun(of: target) else { return nil }
        // An endpoint that cannot be read is not in the run, which then would succeed without it.
        if let problem = workspace.problems.first(where: { $0.severity == .error && $0.location.file.hasPrefix(run.name + "/") }) {
            throw CommandFailure(problem)
        }
        guard !run.steps.isEmpty else {
            throw CommandFailure(
                .usage, name: "unknownRun", "\(target) has only downloads and connections that stay open, which a run without a file leaves out",
                hint: "sortie download or sortie listen")
        }
        for target in leftOut {
            let reason =
                workspace.endpoint(target)?.sendingProblem().map { ": \($0.programLine)" }
                ?? ", because it is a download or a connection that stays open; a run file can send it"
            program.errors.line("sortie: warning: \(target) is left out\(reason)")
        }
        return run
    }

    /// The run of the workspace that ended last without finishing, and its environment, for `--resume` without a name.
    private func lastUnfinished(in workspace: Workspace, program: ProgramContext) throws -> (run: String, environment: String?) {
        guard resume || failed else {
            throw CommandFailure(.usage, "name a run", hint: "sortie list shows all; --resume alone resumes the last unfinished one")
        }
        let environment = try source.environment.flatMap { try WorkspaceSource.environment($0, of: workspace) }
        let names = workspace.runs.map(\.name) + workspace.folderRunNames
        let store = RunStore(workspace: workspace.identity, stateFolder: program.folders.state)
        guard let last = try store.lastUnfinished(of: names, in: environment) else {
            throw CommandFailure(
                .usage, name: "notStarted", "the workspace \(workspace.name) has no unfinished run\(environment.map { " in \($0)" } ?? "")",
                hint: "sortie list shows its runs")
        }
        // That of the unfinished run, unless another one is specified.
        return (last.run, try WorkspaceSource.environment(environment ?? last.environment, of: workspace))
    }

    /// A run of the workspace without errors in its file; its warnings are printed.
    private func sound(_ definition: RunDefinition, _ workspace: Workspace, in program: ProgramContext) throws -> RunDefinition {
        if let problem = workspace.problem(of: .run(definition.name)) ?? workspace.problem(ofStepsOf: definition) {
            throw CommandFailure(problem)
        }
        // A mistyped condition is an unknown key, without which the step is always sent.
        if let file = definition.location?.file { program.errors.warn(workspace.warnings(about: file)) }
        program.errors.warn(workspace.unknownKeys(of: definition.steps.compactMap { workspace.endpoint($0.target) }))
        return definition
    }

    private func read(_ file: String, in workspace: Workspace, program: ProgramContext) throws -> RunDefinition {
        do {
            let input = try WorkspaceImport.stream(file, for: "run", in: program)
            let folder = WorkspaceFolder(path: workspace.folder, program.folders)
            let (definition, problems) = try folder.run(at: input?.name ?? file, input: input?.bytes, in: workspace)
            if let problem = problems.first(where: { $0.severity == .error }) { throw CommandFailure(problem) }
            program.errors.warn(problems)
            guard let definition else { throw CommandFailure(.file, name: "workspace", "\(file) contains no run") }
            if let problem = workspace.problem(ofStepsOf: definition) { throw CommandFailure(problem) }
            program.errors.warn(workspace.unknownKeys(of: definition.steps.compactMap { workspace.endpoint($0.target) }))
            return definition
        } catch let error as WorkspaceError {
            throw CommandFailure(error)
        } catch let problem as Diagnostic {
            throw CommandFailure(problem)
        }
    }
}
