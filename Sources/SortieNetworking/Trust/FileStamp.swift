internal import Glibc
internal import SortieHTTP

/// The metadata that change when a file changes.
struct FileStamp: Hashable {
    var device: UInt64
    var inode: UInt64
    /// The size in bytes.
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
    /// Whether it is a regular file.
    var isRegular: Bool

    /// - Throws: `fileUnreadable` for a file that does not exist or cannot be reached.
    init(_ path: String) throws(NetworkError) {
        var information = stat()
        guard stat(path, &information) == 0 else {
            throw NetworkError(.system(errno), reading: path)
        }
        device = UInt64(information.st_dev)
        inode = UInt64(information.st_ino)
        size = Int64(information.st_size)
        seconds = information.st_mtim.tv_sec
        nanoseconds = information.st_mtim.tv_nsec
        isRegular = information.st_mode & S_IFMT == S_IFREG
    }
}
