internal import Foundation
internal import SortieBase
internal import WorkspaceModel

/// Reads a file of a workspace.
package enum WorkspaceFile {
    /// The bytes of a regular file of at most `limit` bytes; a larger one is not read.
    ///
    /// - Parameter advice: The remedy for a larger one.
    package static func bytes(
        at path: String, limit: Int, advice: String = "put a large body into a separate file"
    ) throws(WorkspaceError) -> [UInt8] {
        // Non-blocking, so that a FIFO in place of a workspace file does not block the program.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw failure(path) }
        guard information.st_mode & S_IFMT == S_IFREG else { throw WorkspaceError(.unreadable, file: path, "this is not a file") }
        func tooLarge() -> WorkspaceError {
            WorkspaceError(.unreadable, file: path, "the file has more than \(limit >> 20) MiB; \(advice)")
        }
        guard Int(information.st_size) <= limit else { throw tooLarge() }
        // The file grows, or the system does not know its size.
        guard let bytes = try content(of: descriptor, path, atMost: limit, reserving: Int(information.st_size)) else { throw tooLarge() }
        return bytes
    }

    /// The bytes up to the end of a file or a pipe; nil where they are more than `limit`.
    fileprivate static func content(
        of descriptor: Int32, _ path: String, atMost limit: Int, reserving size: Int = 0
    ) throws(WorkspaceError) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(max(0, size))
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            guard count > 0 else { return result }
            result += buffer.prefix(count)
            guard result.count <= limit else { return nil }
        }
    }

    /// The bytes of a regular file with YAML.
    static func bytes(at path: String) throws(WorkspaceError) -> [UInt8] { try bytes(at: path, limit: YAMLLimits.workspace.bytes) }

    fileprivate static func failure(_ path: String) -> WorkspaceError {
        WorkspaceError(.unreadable, file: path, "it cannot be read: \(String(cString: strerror(errno)))")
    }
}

/// Reads a file that the user names for a command, which can also be a device or a pipe, such as that of `<(…)` in a shell.
package enum InputFile {
    /// The maximum number of bytes that are read.
    private static let limit = 16 << 20

    /// The bytes of a file; waits for the writer of a pipe.
    package static func bytes(at path: String) throws(WorkspaceError) -> [UInt8] {
        var descriptor: Int32
        repeat { descriptor = open(path, O_RDONLY | O_CLOEXEC) } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else { throw WorkspaceFile.failure(path) }
        defer { close(descriptor) }
        guard let bytes = try WorkspaceFile.content(of: descriptor, path, atMost: limit) else {
            throw WorkspaceError(.unreadable, file: path, "it cannot be read: it has more than \(limit >> 20) MiB")
        }
        return bytes
    }
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
