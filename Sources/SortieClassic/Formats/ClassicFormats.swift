public import Foundation
public import SortieNetworking

extension Envelope {
    /// The envelope of the first source document: `result_code` is `success`, the result is `data`, the message is `message`.
    public static var legacy: Envelope { .resultCode }
}

extension ParameterEncoding {
    /// The options of the pair builder of the first source document: sorted, arrays repeated, null as a name without `=`, booleans as numbers.
    public static var legacy: ParameterEncoding {
        ParameterEncoding(arrays: .repeated, order: .sorted, bools: .oneZero, nulls: .keyOnly, dates: .secondsSince1970)
    }
}

extension NetworkError {
    /// The error number of the second source document, from 101 to 106.
    public var legacyCode: Int { documentNumber }

    /// The message of the source documents for this kind of failure, in Chinese; a business failure keeps the server's own.
    public var legacyText: String { text(in: .simplifiedChinese) }

    /// The message for users of this kind of failure in a language; a business failure keeps the server's own.
    public func message(in texts: UserTexts) -> String { text(in: texts) }

    /// The error of the source documents for an empty page: `noData` for the first page, `noMoreData` for a later one.
    ///
    /// - Parameters:
    ///   - page: The number of the page, from 1.
    ///   - texts: The language of the message.
    public static func emptyList(page: Int, in texts: UserTexts = .english) -> NetworkError { emptyPage(page, in: texts) }

    /// The error number of every failure in the first source document.
    public static var legacyRequestCode: Int { -1024 }

    /// The error domain of every failure in the first source document.
    public static var legacyRequestDomain: String { "SSRequest.Error.Domain" }

    /// The key of the server's result code in `errorUserInfo`.
    public static var legacyResultCodeKey: String { "SSRequestResultCode" }
}

/// The error as the first source document delivers it: one domain and one number for every failure, and the server's code.
extension NetworkError: CustomNSError {
    /// `legacyRequestDomain`.
    public static var errorDomain: String { legacyRequestDomain }

    /// `legacyRequestCode`.
    public var errorCode: Int { Self.legacyRequestCode }

    /// The message, and the server's result code where it sent one.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        info[Self.legacyResultCodeKey] = businessCode
        return info
    }
}
