/// The range that a download requests: the whole file, or the rest of a partial one.
package struct RangeRequest: Hashable, Sendable {
    /// The offset of the first requested byte; nil for the whole file, without a range.
    package var offset: Int64?
    /// The offset after the last requested byte; nil for the end of the file.
    package var end: Int64?
    /// The number of durable bytes.
    package var committed: Int64
    /// The size of the file in bytes, where it is known.
    package var total: Int64?
    /// The validator of the partial file.
    package var validator: EntityValidator
    /// Whether `If-Range` is sent.
    package var isConditional: Bool
    /// The `ETag` of the partial file, even a weak one.
    ///
    /// An equal weak tag does not prove that the file is unchanged; a different one proves that it changed.
    package var entityTag: String?
    /// The `Last-Modified` of the partial file, of any age.
    package var lastModified: String?
    /// The `Content-Type` of the partial file.
    package var contentType: String?

    /// Requests the whole file.
    package static let whole = RangeRequest(offset: nil, committed: 0, total: nil, validator: .none, isConditional: false)

    /// Requests the whole file, because the server does not support ranges.
    ///
    /// Existing bytes are compared where the file is known to be unchanged.
    package static func whole(insteadOf committed: Int64, total: Int64?, validator: EntityValidator) -> RangeRequest {
        RangeRequest(offset: nil, committed: committed, total: total, validator: validator, isConditional: false)
    }

    /// Creates a range request.
    package init(offset: Int64?, committed: Int64, total: Int64?, validator: EntityValidator, isConditional: Bool) {
        self.offset = offset
        self.committed = committed
        self.total = total
        self.validator = validator
        self.isConditional = isConditional
    }

    /// The number of bytes that are fetched again and compared.
    ///
    /// A strong validator needs few, because they only detect servers that send other bytes than they announce.
    package static func overlap(_ validator: EntityValidator) -> Int64 { validator.isStrong ? 4 << 10 : 64 << 10 }

    /// Requests the rest from a little before the end of the partial file, to compare bytes (`ResumeRules.md` 5.3).
    ///
    /// - Parameters:
    ///   - start: The offset of the first byte that exists before `committed` without a gap.
    ///   - isConditional: Whether `If-Range` may be used, where a validator permits it.
    package static func rest(
        committed: Int64, from start: Int64 = 0, total: Int64?, validator: EntityValidator, isConditional: Bool = true
    ) -> RangeRequest {
        RangeRequest(
            offset: max(start, committed - overlap(validator)), committed: committed, total: total, validator: validator,
            isConditional: isConditional && validator.ifRange != nil)
    }

    /// The `Range` and `If-Range` fields; empty for the whole file.
    package var fields: [HeaderField] {
        guard let offset else { return [] }
        var fields = [HeaderField("Range", "bytes=\(offset)-\(end.map { String($0 - 1) } ?? "")")]
        if isConditional, let value = validator.ifRange { fields.append(HeaderField("If-Range", value)) }
        return fields
    }
}
