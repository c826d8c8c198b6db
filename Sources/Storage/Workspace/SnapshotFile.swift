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
    /// - Parameter replaces: Whether a file with other bytes is replaced.
    /// - Throws: For a symbolic link as well, because it may lead out of the workspace.
    package static func write(_ bytes: [UInt8], to path: String, replaces: Bool = true) throws(WorkspaceError) -> Outcome {
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
