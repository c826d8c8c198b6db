internal import SortieBase
internal import SortieStorage
internal import WorkspaceModel

extension Workspace {
    /// The programs of hooks that are files of the workspace and that cannot be started, each at the list that names it.
    var hookProblems: [Diagnostic] {
        let lists =
            [(hooks, SourceLocation(file: "workspace.yaml"))]
            + services.map { ($0.hooks, $0.location ?? SourceLocation(file: "\($0.folder)/service.yaml")) }
            + endpoints.compactMap { endpoint in endpoint.location.map { (endpoint.hooks, $0) } }
        return lists.flatMap { hooks, file in
            let problems = hooks.compactMap { hook in hook.command.first.flatMap(problem(ofProgram:)) }
            // The file is read again, which one list needs only once.
            guard !problems.isEmpty else { return [Diagnostic]() }
            let place = WorkspaceFolder(path: folder).location(of: ["hooks"], in: file)
            return problems.map { Diagnostic(place, "hooks: \($0)") }
        }
    }

    private func problem(ofProgram name: String) -> String? {
        // A name without a slash is searched in PATH, which may be another one where the workspace is used.
        guard name.contains("/"), !FilePath.isAbsolute(name) else { return nil }
        return ProgramFile(path: FilePath.joining(folder, name), folder: folder).problem(named: name)
    }
}
