internal import Foundation

extension Error {
    /// Why an operation with a file failed, in the words of the system, such as “too many open files”; the description of an error of another kind.
    ///
    /// Foundation names some failures of the system by their numbers only.
    package var systemReason: String {
        let error = self as NSError
        let system = [error, error.userInfo[NSUnderlyingErrorKey] as? NSError].compactMap(\.self).first { $0.domain == NSPOSIXErrorDomain }
        return system.map { String(cString: strerror(Int32(truncatingIfNeeded: $0.code))).lowercased() } ?? error.localizedDescription
    }
}
