internal import Foundation
internal import SortieBase

/// The file of a recorded body (`expect: {snapshot: …}`).
package enum SnapshotFile {
    /// What ``write(_:to:replaces:)`` did.
    package enum Outcome: Hashable, Sendable {
        /// The file was written.
        case written
        /// The file has the same bytes.
        case unchanged
        /// The file has other bytes and was not to be replaced.
        case kept
    }

    /// Writes a file; one with the same bytes is left unchanged.
    ///
    /// - Parameters:
    ///   - folder: The folder of the workspace. A file beside that of a run outside of it may be elsewhere, because a person named the run.
    ///   - replaces: Whether a file with other bytes is replaced.
    /// - Throws: For a symbolic link as well, and for a folder that is a link out of the workspace.
    package static func write(_ bytes: [UInt8], to path: String, in folder: String, replaces: Bool = true) throws(WorkspaceError) -> Outcome {
        if FilePath.relative(path, to: folder, within: folder) != path { try WorkspaceFolder.requireInside(path, of: folder, file: path) }
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw WorkspaceError(.cannotExpress, file: path, "the snapshot is not a regular file; remove it")
            }
            if status.st_size == bytes.count, try WorkspaceFile.bytes(at: path, limit: bytes.count) == bytes { return .unchanged }
            if !replaces { return .kept }
        }
        try AtomicFile.write(bytes, to: path)
        return .written
    }
}
