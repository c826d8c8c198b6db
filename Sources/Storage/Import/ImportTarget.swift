internal import Foundation
internal import SortieBase
package import WorkspaceModel

/// What identifies a source, so that a later import of it updates the files of an earlier one.
package struct ImportIdentity: Hashable, Sendable {
    /// The name of the format.
    package var format: String
    /// The name of the file; empty where the items identify themselves, as those of standard input do.
    package var name: String

    /// Creates an identity.
    package init(format: String, name: String) {
        (self.format, self.name) = (format, name)
    }
}

/// The state of a folder before an import: its workspace, the files of earlier imports, and the names in use.
package struct ImportTarget: Sendable {
    /// The folder.
    package let folder: WorkspaceFolder
    /// The source of the import.
    let source: ImportIdentity
    /// The workspace in the folder; nil where there is none yet.
    package let workspace: Workspace?
    /// The paths of files without the ending that an earlier import of the same source wrote, by the identity of the item.
    package let known: [String: String]
    /// The relative paths of all files and folders.
    package let taken: [String]

    /// Reads the state of a folder, which need not exist.
    ///
    /// - Throws: ``WorkspaceError/Code/unreadable`` where a `workspace.yaml` cannot be used.
    package init(path: String, source: ImportIdentity, _ folders: UserFolders) throws(WorkspaceError) {
        folder = WorkspaceFolder(path: path, folders)
        self.source = source
        let hasSettings = FileManager.default.fileExists(atPath: FilePath.joining(folder.path, "workspace.yaml"))
        workspace = hasSettings ? try folder.load() : nil
        if let problem = workspace?.unreadable.first(where: { $0.content == .workspace })?.problem {
            throw WorkspaceError(.unreadable, file: folder.path, "correct workspace.yaml before importing: \(problem)")
        }
        var known: [String: String] = [:]
        for (file, entry) in try ImportRecord.read(in: folder)[source] {
            if let item = entry.item { known[item] = FilePath.yamlStem(file) ?? file }
        }
        self.known = known
        var taken: [String] = []
        if FileManager.default.fileExists(atPath: folder.path) {
            var walk = FolderWalk(root: folder.path)
            for name in walk.names(in: ".") {
                taken.append(name)
                // The names in a folder that an import may extend.
                if walk.isFolder(name), walk.isInside(path: FilePath.joining(folder.path, name)) { taken += walk.yamlFiles(in: name) }
            }
        }
        self.taken = taken
    }
}
