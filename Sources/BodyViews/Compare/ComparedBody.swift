package import SortieBase
internal import SortieHTTP

/// One of the two bodies of a comparison.
package struct ComparedBody: Hashable, Sendable {
    /// The bytes; nil where they are missing.
    package var bytes: BodyBytes?
    /// The declared content type.
    package var contentType: String?
    /// The size in bytes; nil where it is unknown.
    package var size: Int64?
    /// Why the bytes are missing, in words; nil when they are present, and when there was no body.
    package var missing: String?

    /// Creates a body.
    package init(_ bytes: BodyBytes?, contentType: String? = nil, size: Int64? = nil, missing: String? = nil) {
        self.bytes = missing == nil ? bytes : nil
        self.contentType = contentType
        self.size = size ?? Int64(bytes?.count ?? 0)
        self.missing = missing
    }

    /// Whether the declared content type is JSON.
    var isSaidToBeJSON: Bool { ContentType(contentType).kind == .json }
}
