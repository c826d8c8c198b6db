internal import Foundation

extension Error {
    /// Why an operation with a file failed, in the words of the system, such as “too many open files”; the description of an error of another kind.
    ///
    /// Foundation names some failures of the system by their numbers only.
    package var systemReason: String {
        let error = self as NSError
        // A value of another type than NSError does not become one by a conditional cast on Linux.
        let underlying = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
        let system = [error, underlying].compactMap(\.self).first { $0.domain == NSPOSIXErrorDomain }
        // A file in place of a folder to create has no error of the system.
        let exists = (self as? CocoaError)?.code == .fileWriteFileExists ? EEXIST : nil
        let code = system.map { Int32(truncatingIfNeeded: $0.code) } ?? exists
        return code.map { String(cString: strerror($0)).lowercased() } ?? error.localizedDescription
    }
}
