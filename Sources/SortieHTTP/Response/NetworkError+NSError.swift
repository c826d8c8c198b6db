public import Foundation

/// The error as the first source document delivers it: one domain and one number for every failure, and the server's code.
extension NetworkError: CustomNSError {
    /// The key of the server's result code in ``errorUserInfo``.
    public static let legacyResultCodeKey = "SSRequestResultCode"

    /// ``legacyRequestDomain``.
    public static var errorDomain: String { legacyRequestDomain }

    /// ``legacyRequestCode``.
    public var errorCode: Int { Self.legacyRequestCode }

    /// The message, and the server's result code where it sent one.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        info[Self.legacyResultCodeKey] = businessCode
        return info
    }
}
