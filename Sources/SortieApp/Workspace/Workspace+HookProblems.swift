internal import SortieBase
internal import SortieStorage
internal import WorkspaceModel

extension Workspace {
    /// The programs of hooks that are files in the workspace and that cannot be started, each at the entry that names it.
    var hookProblems: [Diagnostic] {
        let lists =
            [(hooks, SourceLocation(file: "workspace.yaml"))]
            + services.map { ($0.hooks, $0.location ?? SourceLocation(file: "\($0.folder)/service.yaml")) }
            + endpoints.compactMap { endpoint in endpoint.location.map { (endpoint.hooks, $0) } }
        return lists.flatMap { hooks, file in
            let problems = hooks.compactMap(\.command.first).compactMap { program in problem(ofProgram: program).map { (program, $0) } }
            // The file is read again, which one list needs only once.
            guard !problems.isEmpty else { return [Diagnostic]() }
            var entries = hookPrograms(in: file.file)
            return problems.map { program, problem in
                // Several entries can have the same program.
                let place = entries.firstIndex { $0.program == program }.map { entries.remove(at: $0).place }
                return Diagnostic(place ?? file, "hooks: \(problem)")
            }
        }
    }

    private func problem(ofProgram name: String) -> String? {
        // A name without a slash is searched in PATH, which may be another one where the workspace is used.
        guard name.contains("/"), !FilePath.isAbsolute(name) else { return nil }
        let path = FilePath.joining(folder, name)
        guard leadsInside(path) else { return nil }
        return ProgramFile(path: path, folder: folder).problem(named: name)
    }
}
