internal import Foundation
internal import SortieBase

extension WorkspaceFolder {
    /// Creates a workspace with two environments, a service and an endpoint, whose comments explain the files.
    ///
    /// - Parameters:
    ///   - path: A folder without a `workspace.yaml`; it is created where it is missing.
    ///   - isForced: Whether a protected location is permitted.
    /// - Returns: The workspace, and its files in the order in which they were written.
    /// - Throws: ``WorkspaceError/Code/exists`` where one of the files already exists; nothing was written then.
    package static func create(at path: String, _ folders: UserFolders, isForced: Bool = false) throws(WorkspaceError) -> (
        folder: WorkspaceFolder, files: [String]
    ) {
        let folder = WorkspaceFolder(path: path, folders)
        let files = NewWorkspaceText.files(name: FilePath.name(of: folder.path))
        for (file, _) in files {
            let new = FilePath.joining(folder.path, file)
            try requireInside(new, of: folder.path, file: FilePath.joining(path, file))
            if !isForced, let protected = ProtectedLocation(new, .writing, folders) {
                throw WorkspaceError(.protected, file: path, "nothing was written: \(protected.message)")
            }
            guard !folder.exists(new) else {
                throw WorkspaceError(
                    .exists, file: FilePath.joining(path, file),
                    "the file already exists, and nothing was written; name a folder without a workspace")
            }
        }
        try folder.write(files)
        return (folder, files.map(\.file))
    }

    /// Writes new files and creates their folders.
    func write(_ files: [(file: String, text: String)]) throws(WorkspaceError) {
        for (file, text) in files {
            let path = FilePath.joining(self.path, file)
            try makeFolder(FilePath.folder(of: path))
            try AtomicFile.create(Array(text.utf8), at: path)
        }
    }

    /// Creates a folder and its parents where they are missing.
    func makeFolder(_ folder: String) throws(WorkspaceError) {
        do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
            let name = FilePath.relative(folder, to: path, within: path)
            throw WorkspaceError(.unwritable, file: name, "the folder cannot be created: \(error.localizedDescription)")
        }
    }
}
