internal import Glibc

/// Reads files completely, up to a limit.
package enum WholeFile {
    /// Why a file was not read.
    package enum Failure: Error, Hashable, Sendable {
        /// A folder, a device, a pipe or a socket is there.
        case notRegularFile
        /// The file belongs to another user.
        case notOwned
        /// The file has more bytes than the limit.
        case tooLarge(limit: Int)
        /// A system call failed with this code.
        case system(Int32)

        /// The reason without the path: “it cannot be read: Permission denied”.
        package var reason: String {
            switch self {
            case .notRegularFile: "this is not a file"
            case .notOwned: "the file belongs to another user"
            case .tooLarge(let limit): "the file has more than \(limit >> 20) MiB"
            case .system(let code): "it cannot be read: \(String(cString: strerror(code)))"
            }
        }
    }

    /// The bytes of a regular file; a pipe in its place does not block the program.
    ///
    /// - Parameters:
    ///   - limit: The largest number of bytes; a larger file is not read.
    ///   - followsLinks: Whether a link is followed; otherwise it is a failure with `ELOOP`.
    ///   - isOwn: Whether a file of another user is refused.
    package static func bytes(at path: String, limit: Int, followsLinks: Bool = true, isOwn: Bool = false) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegularFile }
        guard !isOwn || status.st_uid == geteuid() else { throw .notOwned }
        guard Int(status.st_size) <= limit else { throw .tooLarge(limit: limit) }
        // The file may grow, and the system does not know the size of every file.
        return try bytes(of: descriptor, limit: limit, expecting: Int(status.st_size))
    }

    /// All bytes from the position of a descriptor to the end of its file, which may be a pipe.
    ///
    /// - Parameters:
    ///   - limit: The largest number of bytes; more are a failure.
    ///   - size: The expected number of bytes.
    ///   - mayRead: Waits for input of a pipe before each read; false is a failure with `ETIMEDOUT`.
    package static func bytes(
        of descriptor: Int32, limit: Int, expecting size: Int = 0, while mayRead: () -> Bool = { true }
    ) throws(Failure) -> [UInt8] {
        let bytes = try bytes(of: descriptor, atMost: limit + 1, expecting: size, while: mayRead)
        guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        return bytes
    }

    /// The bytes from the position of a descriptor to the end of its file, or the first ones of them.
    ///
    /// - Parameters:
    ///   - limit: The largest number of bytes.
    ///   - size: The expected number of bytes.
    ///   - mayRead: Waits for input of a pipe before each read; false is a failure with `ETIMEDOUT`.
    package static func bytes(
        of descriptor: Int32, atMost limit: Int, expecting size: Int = 0, while mayRead: () -> Bool = { true }
    ) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        // The end of a file of the expected size is found without a second buffer.
        var room = max(size + 1, 64 << 10)
        while bytes.count < limit {
            guard mayRead() else { throw .system(ETIMEDOUT) }
            var code: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: min(room, limit - bytes.count)) { buffer, count in
                var got: Int
                repeat { got = read(descriptor, buffer.baseAddress, buffer.count) } while got < 0 && errno == EINTR
                if got < 0 { code = errno }
                count = max(0, got)
            }
            guard code == 0 else { throw .system(code) }
            if piece.isEmpty { break }
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
            room = 64 << 10
        }
        return bytes
    }
}
