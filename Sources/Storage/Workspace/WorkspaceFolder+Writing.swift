internal import Foundation
internal import SortieBase

/// Where a path in a workspace becomes a file to write.
///
/// Every change of a file below a workspace's folder asks here first: saving, moving, deleting, importing and recording.
extension WorkspaceFolder {
    /// The absolute path of a file of the workspace that may be written, moved or deleted.
    ///
    /// - Throws: For a path that leads out of the workspace, also through a link, and for a protected location.
    func writablePath(_ file: String) throws(WorkspaceError) -> String {
        let path = FilePath.joining(self.path, file)
        try Self.requireInside(path, of: self.path, file: file)
        if let protected = ProtectedLocation(path, .writing, folders, within: self.path) {
            throw WorkspaceError(.protected, file: file, "nothing was written: \(protected.message)")
        }
        return path
    }

    /// Requires that a path stays in a folder when every link is followed, that of the last name included; a link within the folder is permitted.
    ///
    /// The path is resolved before the file is opened. A program that can write to the folder and exchanges a part of the path for a link in between is
    /// not stopped; what a stranger's archive or repository contains is.
    ///
    /// - Parameters:
    ///   - path: An absolute path.
    ///   - file: The name of the file in the error.
    static func requireInside(_ path: String, of folder: String, file: String) throws(WorkspaceError) {
        let real = RealPath.of(path)
        guard FolderWalk(root: folder).isInside(path: real), real != RealPath.of(folder) else {
            let isPlain = FilePath.joining(RealPath.of(folder), FilePath.relative(path, to: folder, within: folder)) == real
            throw WorkspaceError(
                .outside, file: file,
                isPlain
                    ? "nothing was written: the path leads out of the workspace"
                    : "nothing was written: a link leads out of the workspace, to \(real); replace the link by a copy, or remove it")
        }
    }
}
