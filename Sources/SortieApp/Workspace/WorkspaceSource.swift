internal import Foundation
internal import SortieBase
internal import SortieStorage
internal import WorkspaceModel

/// Finds and reads the workspace of a command.
enum WorkspaceSource {
    /// The specified folder, or the nearest one upward; nil when there is none.
    ///
    /// A file of another tool that is used in place is specified by its path. Where no folder upward is a workspace, the current one is, if it has such
    /// files.
    ///
    /// - Throws: When the nearest one may only be used if it is specified.
    static func folder(named path: String?, in program: ProgramContext) throws -> WorkspaceFolder? {
        if let path { try checkFolder(path) }
        if let path { return ForeignFiles.named(path, in: program)?.workspaceFolder ?? WorkspaceFolder(path: path, program.folders) }
        let current = program.folders.current
        return try find(from: current).map { WorkspaceFolder(path: $0, program.folders) } ?? ForeignFiles.found(in: current, program)?.workspaceFolder
    }

    /// Refuses a URL in place of a folder: as a path it would have another form, in which its password is not recognized.
    static func checkFolder(_ path: String) throws {
        guard path.contains("://") else { return }
        throw CommandFailure(
            .file, name: "workspace", "“\(path)” is a URL, and a workspace is a folder",
            hint: "name a folder that has a workspace.yaml; sortie send URL sends a request to a URL")
    }

    /// The nearest folder upward from `directory` that contains a workspace.
    static func find(from directory: String) throws -> String? {
        do { return try WorkspaceFolder.find(from: directory) } catch { throw CommandFailure(error) }
    }

    /// The additional masked names of the workspace here or above, for requests and commands that use nothing else of it: URLs, the history.
    ///
    /// A workspace that may only be used if it is specified has none. An unreadable file is a warning on stderr, not a failure.
    static func redactedNames(in program: ProgramContext) -> [String] {
        do {
            return try WorkspaceFolder.find(from: program.folders.current).map { try WorkspaceFolder(path: $0, program.folders).redactedNames() }
                ?? []
        } catch let error as WorkspaceError where error.code == .notOwned {
            return []
        } catch {
            program.errors.line("sortie: warning: redact: of the workspace is not used: \(error)")
            return []
        }
    }

    /// The workspace of a command that requires one.
    static func load(named path: String?, in program: ProgramContext) throws -> Workspace {
        guard let folder = try folder(named: path, in: program) else {
            throw CommandFailure(
                .file, name: "workspace", "there is no workspace.yaml here or above",
                hint: "name the workspace's folder with -w FOLDER, or create one with sortie init")
        }
        do { return try folder.load() } catch { throw CommandFailure(error) }
    }

    /// The specified environment, or the default one.
    static func environment(_ name: String?, of workspace: Workspace) throws -> String? {
        guard let name else { return workspace.initialEnvironment ?? workspace.environments.first?.name }
        // The workspace of a URL of the command line has no name.
        guard !workspace.name.isEmpty else {
            throw CommandFailure(.usage, "a URL has no environment \(name)", hint: "-e is for endpoints of a workspace")
        }
        let known = workspace.environments.map(\.name)
        guard known.contains(name) else {
            throw CommandFailure(
                .usage, "the workspace \(workspace.name) has no environment \(name)",
                hint: known.isEmpty
                    ? "it has none; write environments: {\(name): {}} in its workspace.yaml"
                    : Suggestion.hint(for: name, in: known, "it has: \(known.joined(separator: ", "))"))
        }
        return name
    }
}
