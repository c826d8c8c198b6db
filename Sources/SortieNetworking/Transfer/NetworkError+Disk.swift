internal import Glibc
internal import SortieHTTP

extension NetworkError {
    /// Creates the error of a failed operation on the local disk, with a remedy where one is known.
    static func disk(_ code: Int32, _ path: String, _ what: String) -> NetworkError {
        let reason = String(cString: strerror(code)).lowercased()
        let hint: String? =
            switch code {
            case ENOSPC, EDQUOT: "free some space and run the same command again to resume"
            case EACCES, EPERM, EROFS: "choose a writable folder with -o"
            default: nil
            }
        return NetworkError(.storage, "\(path) \(what): \(reason)", hint: hint, underlying: reason)
    }
}
