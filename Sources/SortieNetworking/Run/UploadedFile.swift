internal import Glibc
internal import SortieHTTP

/// A local file before its upload, so that only the file that was sent is removed afterwards.
struct UploadedFile: Sendable {
    private struct Identity: Equatable {
        let device: dev_t
        let number: ino_t
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    let path: String
    private let identity: Identity?

    init(path: String) {
        self.path = path
        identity = Self.identity(of: path)
    }

    /// The identity of a regular file; nil for anything else, such as a symbolic link or a pipe.
    private static func identity(of path: String) -> Identity? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Identity(
            device: status.st_dev, number: status.st_ino, size: status.st_size, seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }

    /// Removes the file; returns the reason where it is kept.
    func remove() -> String? {
        guard let identity else { return "it is not a regular file" }
        guard Self.identity(of: path) == identity else { return "it changed since the upload started" }
        guard unlink(path) == 0 else { return String(cString: strerror(errno)) }
        return nil
    }
}

extension Request {
    /// The paths of the files that the body contains, without standard input.
    var localFiles: [String] {
        switch body {
        case .none, .bytes: return []
        case .file(let path, _): return path == SentFile.standardInput ? [] : [path]
        case .multipart(let parts):
            return parts.compactMap { part in
                guard case .file(let path) = part.content, path != SentFile.standardInput else { return nil }
                return path
            }
        }
    }
}
