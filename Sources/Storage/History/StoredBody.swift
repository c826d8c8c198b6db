internal import Foundation

/// The storage of a body.
struct StoredBody: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        /// The body is empty or missing.
        case none
        /// The bytes are in the row.
        case inline([UInt8])
        /// The bytes are in a file, named by its digest.
        case file(digest: String, size: Int64)
    }

    var content = Content.none
    /// The reason why the body is missing; nil when it is stored.
    var missing: String?

    static func missing(_ reason: String) -> StoredBody { StoredBody(missing: reason) }

    var digest: String? {
        if case .file(let digest, _) = content { digest } else { nil }
    }

    var inlineData: Data? {
        if case .inline(let bytes) = content { Data(bytes) } else { nil }
    }

    var inlineCount: Int {
        if case .inline(let bytes) = content { bytes.count } else { 0 }
    }
}
