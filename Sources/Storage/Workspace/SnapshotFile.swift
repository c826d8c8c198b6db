internal import Foundation
internal import SortieBase

/// The file of a recorded body (`expect: {snapshot: …}`).
package enum SnapshotFile {
    /// Writes a file; one with the same bytes is left unchanged.
    ///
    /// - Returns: Whether the file was written.
    /// - Throws: For a symbolic link as well, because it may lead out of the workspace.
    package static func write(_ bytes: [UInt8], to path: String) throws(WorkspaceError) -> Bool {
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw WorkspaceError(.cannotExpress, file: path, "the snapshot is not a regular file; remove it")
            }
            if status.st_size == bytes.count, try WorkspaceFile.bytes(at: path, limit: bytes.count) == bytes { return false }
        }
        try AtomicFile.write(bytes, to: path)
        return true
    }
}
