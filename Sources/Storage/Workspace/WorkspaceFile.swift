internal import Foundation

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

        var result: [UInt8] = []
        result.reserveCapacity(max(0, Int(information.st_size)))
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            guard count > 0 else { return result }
            result += buffer.prefix(count)
            // The file grows, or the system does not know its size.
            guard result.count <= limit else { throw tooLarge() }
        }
    }

    /// The bytes of a regular file with YAML.
    static func bytes(at path: String) throws(WorkspaceError) -> [UInt8] { try bytes(at: path, limit: YAMLLimits.workspace.bytes) }

    private static func failure(_ path: String) -> WorkspaceError {
        WorkspaceError(.unreadable, file: path, "it cannot be read: \(String(cString: strerror(errno)))")
    }
}
