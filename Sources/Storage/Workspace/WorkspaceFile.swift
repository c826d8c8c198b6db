internal import Foundation
internal import SortieBase
internal import WorkspaceModel

/// Reads a file of a workspace.
package enum WorkspaceFile {
    /// The largest description or collection in bytes that is read as a whole, because its values need about five times its size in memory.
    static let largestSource = 64 << 20

    /// The bytes of a regular file of at most `limit` bytes; a larger one is not read.
    ///
    /// - Parameter advice: The remedy for a larger one.
    package static func bytes(
        at path: String, limit: Int, advice: String = "put a large body into a separate file"
    ) throws(WorkspaceError) -> [UInt8] {
        do throws(WholeFile.Failure) { return try WholeFile.bytes(at: path, limit: limit) } catch {
            if case .tooLarge = error { throw WorkspaceError(.unreadable, file: path, "\(error.reason); \(advice)") }
            throw WorkspaceError(.unreadable, file: path, error.reason)
        }
    }

    /// The bytes of a regular file with YAML.
    static func bytes(at path: String) throws(WorkspaceError) -> [UInt8] { try bytes(at: path, limit: YAMLLimits.workspace.bytes) }
}

/// Reads a file that the user names for a command, which can also be a device or a pipe, such as that of `<(…)` in a shell.
package enum InputFile {
    /// The maximum number of bytes that are read.
    private static let limit = 16 << 20

    /// The bytes of a file; waits for the writer of a pipe.
    ///
    /// - Parameter mayRead: Waits for input of a pipe; false is a failure. Nil waits without limit.
    package static func bytes(at path: String, while mayRead: ((_ descriptor: Int32) -> Bool)? = nil) throws(WorkspaceError) -> [UInt8] {
        try bytes(at: path, limit: limit, while: mayRead)
    }

    static func bytes(at path: String, limit: Int, while mayRead: ((_ descriptor: Int32) -> Bool)? = nil) throws(WorkspaceError) -> [UInt8] {
        var descriptor: Int32
        // Without O_NONBLOCK, opening a named pipe waits for its writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (mayRead == nil ? 0 : O_NONBLOCK)
        repeat { descriptor = open(path, flags) } while descriptor < 0 && errno == EINTR
        do throws(WholeFile.Failure) {
            guard descriptor >= 0 else { throw .system(errno) }
            defer { close(descriptor) }
            return try WholeFile.bytes(of: descriptor, limit: limit) { mayRead?(descriptor) ?? true }
        } catch { throw WorkspaceError(.unreadable, file: path, error.reason) }
    }

    /// The bytes of a file with rows of data.
    package static func dataBytes(at path: String) throws(WorkspaceError) -> [UInt8] { try bytes(at: path, limit: DataFile.limit) }
}

/// Reads a file with rows of data for a run.
package enum DataFile {
    /// The maximum number of bytes that are read.
    static let limit = WorkspaceLimits.dataFileBytes

    /// Reads the rows of the CSV, JSON or NDJSON file at `path`; `name` is its name in messages.
    ///
    /// - Throws: A ``WorkspaceError`` when the file cannot be read, a ``Diagnostic`` with the position when its content is invalid.
    package static func rows(at path: String, name: String) throws -> [[String: String]] {
        try rows(in: try WorkspaceFile.bytes(at: path, limit: limit), name: name)
    }

    /// Reads the rows of a CSV, JSON or NDJSON text, such as standard input.
    ///
    /// - Throws: A ``Diagnostic`` with the position when the content is invalid or too long.
    package static func rows(in bytes: [UInt8], name: String) throws -> [[String: String]] {
        guard bytes.count <= limit else {
            throw Diagnostic(SourceLocation(file: name), "the data is larger than \(limit) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Diagnostic(SourceLocation(file: name), "this is not UTF-8 text")
        }
        return try DataRows.parse(text, file: name)
    }
}

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
        let isBelow = FilePath.relative(path, to: folder, within: folder) != path
        let below = isBelow ? try WritableFile(path, in: folder, name: path) : nil
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw WorkspaceError(.cannotExpress, file: path, "the snapshot is not a regular file; remove it")
            }
            if status.st_size == bytes.count, try WorkspaceFile.bytes(at: path, limit: bytes.count) == bytes { return .unchanged }
            if !replaces { return .kept }
        }
        if let below {
            try below.holding { place throws(WorkspaceError) in try AtomicFile.write(bytes, to: place) }
        } else {
            try AtomicFile.write(bytes, to: path)
        }
        return .written
    }
}
