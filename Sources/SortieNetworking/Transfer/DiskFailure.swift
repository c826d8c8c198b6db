internal import Glibc
internal import SortieHTTP

/// A failed disk operation, with the `errno` value and a message.
struct DiskFailure: Error {
    /// The error to report.
    let error: NetworkError
    /// Whether the disk or the user's quota is full.
    let isForRoom: Bool

    /// Creates the failure of an operation on `path` from the `errno` value `code`.
    init(_ code: Int32, _ path: String, _ what: String) {
        error = .disk(code, path, what)
        isForRoom = code == ENOSPC || code == EDQUOT
    }
}
