internal import Glibc
internal import Model

/// A failure of the disk, with the system's error number and a message.
struct DiskFailure: Error {
    /// The error as it is reported.
    let error: NetworkError
    /// Whether the disk or the user's quota is full.
    let isForRoom: Bool

    /// The failure that `errno` had for `path`.
    init(_ code: Int32, _ path: String, _ what: String) {
        error = .disk(code, path, what)
        isForRoom = code == ENOSPC || code == EDQUOT
    }
}
