internal import Glibc
internal import SortieHTTP

extension NetworkError {
    /// Creates the error of a failed operation on the local disk, with a remedy where one is known.
    static func disk(_ code: Int32, _ path: String, _ what: String) -> NetworkError {
        let reason = String(cString: strerror(code)).lowercased()
        let remedy: Remedy? =
            switch code {
            case ENOSPC, EDQUOT: .diskSpace
            case EACCES, EPERM, EROFS, ENOENT, ENOTDIR: .writableFolder
            case ENAMETOOLONG, ELOOP: .otherFile
            default: nil
            }
        return NetworkError(.storage, "\(path) \(what): \(reason)", remedy: remedy, underlying: reason)
    }
}
