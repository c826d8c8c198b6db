internal import Foundation

/// Where the bytes of a body went.
struct KeptBody: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        /// There are none.
        case none
        /// Into the row itself.
        case inline([UInt8])
        /// Into a file, named by its digest.
        case file(digest: String, size: Int64)
    }

    var content = Content.none
    /// Why they are not kept; nil when they are.
    var missing: String?

    static func missing(_ reason: String) -> KeptBody { KeptBody(missing: reason) }

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
