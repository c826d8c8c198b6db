internal import Foundation
package import SortieBase
package import WorkspaceModel

/// A workspace on disk: a folder with `workspace.yaml` and one file for each endpoint, service and run.
package struct WorkspaceFolder: Sendable {
    /// The absolute path of the folder.
    package let path: String
    /// The folders of the user, for paths that begin with `~/`.
    package let folders: UserFolders

    /// Creates the workspace in the folder `path`, which need not exist yet.
    package init(path: String, _ folders: UserFolders) {
        self.path = FilePath.joining(folders.current, path)
        self.folders = folders
    }

    /// The nearest folder from an absolute `directory` upward that contains a `workspace.yaml`; nil when there is none.
    ///
    /// - Throws: ``WorkspaceError/Code/notOwned`` when the folder belongs to another user, or is world-writable.
    package static func find(from directory: String) throws(WorkspaceError) -> String? {
        var folder = FilePath.normalized(directory)
        while true {
            if FileManager.default.fileExists(atPath: FilePath.joining(folder, "workspace.yaml")) {
                guard let problem = WorkspaceOwnership.problem(of: folder) else { return folder }
                throw WorkspaceError(.notOwned, file: folder, "the workspace found here is not used, because \(problem)")
            }
            let parent = FilePath.folder(of: folder)
            if parent == folder { return nil }
            folder = parent
        }
    }

    /// Loads the workspace; the problems of its files are in ``Model/Workspace/problems``, and the valid parts are loaded.
    ///
    /// - Throws: ``WorkspaceError/Code/noWorkspace`` or ``WorkspaceError/Code/unreadable``, when nothing can be loaded.
    package func load() throws(WorkspaceError) -> Workspace {
        let settings = FilePath.joining(path, "workspace.yaml")
        guard FileManager.default.fileExists(atPath: path) else {
            throw WorkspaceError(.noWorkspace, file: path, "the folder does not exist")
        }
        guard FileManager.default.fileExists(atPath: settings) else {
            throw WorkspaceError(.noWorkspace, file: path, "the folder has no workspace.yaml; name another with --workspace")
        }
        guard FileManager.default.isReadableFile(atPath: path), FileManager.default.isExecutableFile(atPath: path) else {
            throw WorkspaceError(.unreadable, file: path, "the folder cannot be read; check its permissions")
        }
        var loader = WorkspaceLoader(root: path, folders)
        return loader.load()
    }

    /// The names under `redact:` in `workspace.yaml`; the other files of the workspace are not read.
    ///
    /// - Throws: ``WorkspaceError/Code/unreadable`` when the file cannot be read; a ``Diagnostic`` when it is not YAML.
    package func redactedNames() throws -> [String] { try settings().redact }

    /// Reads the run of a file, which may be outside the workspace, and its problems.
    ///
    /// - Throws: ``WorkspaceError/Code/unreadable`` when the file does not exist; a ``Diagnostic`` when it is not YAML.
    package func run(at file: String, in workspace: Workspace) throws -> (run: RunDefinition?, problems: [Diagnostic]) {
        let path = FilePath.normalized(folders.absolute(file))
        let document = try YAMLDocument(bytes: try WorkspaceFile.bytes(at: path), file: file)
        var reader = NodeReader(file: file, folder: FilePath.folder(of: path), folders: folders)
        let fileName = FilePath.name(of: path)
        let run = reader.run(
            document.root, name: FilePath.yamlStem(fileName) ?? fileName, targets: workspace.endpoints.map(\.target),
            captures: workspace.captureNames, isInside: FolderWalk(root: workspace.folder).isInside(path:))
        return (run, reader.problems + (run.map { workspace.problems(ofStepsOf: $0) } ?? []))
    }
}
