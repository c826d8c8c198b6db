internal import SortieBase

/// How to handle the response to a ``RangeRequest``.
///
/// The decision uses only the header, before any byte of the body is read (`ResumeRules.md` 5.4).
package enum RangeDecision: Hashable, Sendable {
    /// The body continues the partial file. Bytes before `committed` are compared with the existing ones.
    ///
    /// - Parameters:
    ///   - first: The offset in the file of the body's first byte.
    ///   - end: The offset after the body's last byte; nil when unknown.
    ///   - total: The size of the file, where it is known.
    case append(first: Int64, end: Int64?, total: Int64?)
    /// The body is the whole file. Existing bytes are discarded for the given reason; nil where there are none.
    case replace(total: Int64?, because: RestartReason?)
    /// The body is not usable; the whole file is requested without a range.
    case startOver(RestartReason)
    /// The body is not usable; the range is requested again without `If-Range`, to which this server responds
    /// with the whole file although its entity tag matches.
    case askWithoutCondition
    /// The body is a page or a message instead of the file, for example of a network that demands a sign-in.
    case otherType(String)
    /// The request may succeed later.
    case tryLater(status: Int)
    /// The request fails permanently. `keepsPart` states whether the partial file is kept.
    case refuse(status: Int, keepsPart: Bool)

    /// Decides by status and header.
    ///
    /// - Parameter mayAskAgain: Whether the request was not yet sent without its condition.
    package init(to request: RangeRequest, status: Int, headers: Headers, mayAskAgain: Bool) {
        switch status {
        case 206: self = Self.partial(request, headers)
        case 204, 205: self = .refuse(status: status, keepsPart: true)
        case 200..<300: self = Self.whole(request, headers, mayAskAgain: mayAskAgain)
        // The requested bytes include existing ones, so the file is shorter than before.
        case 416: self = request.offset == nil ? .refuse(status: status, keepsPart: true) : .startOver(.unsatisfiable)
        case 304, 412: self = request.offset == nil ? .refuse(status: status, keepsPart: true) : .startOver(.conditionRefused)
        case 408, 425, 429, 500..<600: self = .tryLater(status: status)
        case 410: self = .refuse(status: status, keepsPart: false)
        default: self = .refuse(status: status, keepsPart: true)
        }
        if discardsPart, 200..<300 ~= status, let type = Self.otherType(headers, than: request) { self = .otherType(type) }
    }

    /// Whether existing bytes are discarded.
    private var discardsPart: Bool {
        switch self {
        case .replace(_, because: .some), .startOver: true
        default: false
        }
    }

    private static func partial(_ request: RangeRequest, _ headers: Headers) -> RangeDecision {
        guard let asked = request.offset else { return .refuse(status: 206, keepsPart: true) }
        let isMultipart = headers["Content-Type"].map { $0.lowercased().hasPrefix("multipart/byteranges") } ?? false
        guard !isMultipart, headers.values(of: "Content-Range").count == 1,
            case .part(let first, let last, let total)? = headers["Content-Range"].flatMap({ ContentRange($0) })
        else { return .startOver(.badRange) }
        guard !isEncoded(headers) else { return .startOver(.encoded) }
        // The length contradicts the range, and it is unknown which of them is wrong.
        guard length(headers).map({ $0 == last - first + 1 }) ?? true else { return .startOver(.badRange) }
        if let total, let known = request.total, total != known { return .startOver(.changedLength) }
        if let known = request.total, last >= known { return .startOver(.changedLength) }
        guard agrees(headers, with: request) else { return .startOver(.changed) }
        guard first <= asked else { return .startOver(.laterStart) }
        // A range that ends before the missing bytes is useless, and a repeated request would return the same; unless none are missing.
        guard last >= request.committed || last + 1 == request.committed && total == request.committed else { return .startOver(.badRange) }
        return .append(first: first, end: last + 1, total: total ?? request.total)
    }

    private static func whole(_ request: RangeRequest, _ headers: Headers, mayAskAgain: Bool) -> RangeDecision {
        let total = length(headers)
        guard request.offset != nil || request.committed > 0 else { return .replace(total: total, because: nil) }
        guard case .strong(let tag) = request.validator, headers["ETag"] == tag, let total, total == request.total, !isEncoded(headers) else {
            return .replace(total: total, because: reason(request, headers, total))
        }
        let offersRanges = headers["Accept-Ranges"]?.lowercased() == "bytes"
        if request.isConditional, offersRanges, mayAskAgain { return .askWithoutCondition }
        // The unchanged file from its first byte: existing bytes are compared, and kept if the transfer fails before
        // it passes them.
        return .append(first: 0, end: total, total: total)
    }

    private static func reason(_ request: RangeRequest, _ headers: Headers, _ total: Int64?) -> RestartReason {
        if let total, let known = request.total, total != known { return .changedLength }
        if case .strong(let tag) = request.validator { return headers["ETag"] == tag ? .rangesIgnored : .changed }
        if case .lastModified(let date) = request.validator { return headers["Last-Modified"] == date ? .rangesIgnored : .changed }
        return isOther(headers, than: request) ? .changed : .rangesIgnored
    }

    /// Whether the response's validators match the known ones.
    ///
    /// A missing validator is accepted where the request was conditional.
    private static func agrees(_ headers: Headers, with request: RangeRequest) -> Bool {
        switch request.validator {
        case .strong(let tag): headers["ETag"].map { $0 == tag } ?? request.isConditional
        case .lastModified(let date): headers["Last-Modified"].map { $0 == date } ?? true
        case .none: !isOther(headers, than: request)
        }
    }

    /// Whether the response's validators show another file.
    ///
    /// Weak validators can prove a difference but not equality.
    private static func isOther(_ headers: Headers, than request: RangeRequest) -> Bool {
        if let known = request.entityTag, let tag = headers["ETag"] { return !EntityValidator.isSame(known, tag) }
        if let known = request.lastModified, let date = headers["Last-Modified"] { return known != date }
        return false
    }

    /// The media type of a response that is not the file of the partial one; nil where it may be that file.
    ///
    /// Where the type of the file is unknown, HTML is another one.
    private static func otherType(_ headers: Headers, than request: RangeRequest) -> String? {
        guard let text = headers["Content-Type"], !text.isEmpty else { return nil }
        let type = ContentType(text)
        guard let known = request.contentType, !known.isEmpty else { return type.kind == .html ? type.mediaType : nil }
        return type.mediaType == ContentType(known).mediaType || type.mediaType.hasPrefix("multipart/byteranges") ? nil : type.mediaType
    }

    /// Whether the body has a content coding other than identity.
    package static func isEncoded(_ headers: Headers) -> Bool {
        headers.values(of: "Content-Encoding").contains { !$0.isEmpty && $0.lowercased() != "identity" }
    }

    /// The body length that the response declares.
    package static func length(_ headers: Headers) -> Int64? {
        // With a transfer coding, Content-Length is not the length of the body (RFC 9112 §6.3).
        guard !headers.contains("Transfer-Encoding"), let text = headers["Content-Length"], !text.isEmpty,
            text.utf8.allSatisfy(ASCII.isDigit)
        else { return nil }
        return Int64(text)
    }
}

/// The value of `Content-Range` (RFC 9110 §14.4), bytes only.
package enum ContentRange: Hashable, Sendable {
    /// `bytes first-last/total`; `total` is nil for `*`.
    case part(first: Int64, last: Int64, total: Int64?)
    /// `bytes */total`, in a response to an unsatisfiable range.
    case unsatisfied(total: Int64)

    /// Parses a field value; nil when it is malformed or inconsistent.
    package init?(_ text: String) {
        let words = text.split(whereSeparator: \.isSpaceOrTab)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        if halves[0] == "*" {
            guard let total = Self.number(halves[1]) else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else { return nil }
        guard halves[1] != "*" else {
            self = .part(first: first, last: last, total: nil)
            return
        }
        guard let total = Self.number(halves[1]), last < total else { return nil }
        self = .part(first: first, last: last, total: total)
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit), let value = Int64(text), value < .max else { return nil }
        return value
    }
}

/// The range that a download requests: the whole file, or the rest of a partial one.
package struct RangeRequest: Hashable, Sendable {
    /// The offset of the first requested byte; nil for the whole file, without a range.
    package var offset: Int64?
    /// The offset after the last requested byte; nil for the end of the file.
    package var end: Int64?
    /// The number of requested bytes at the end that exist already and are only compared.
    package var comparedAtEnd: Int64 = 0
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
        (self.offset, self.committed, self.total, self.validator, self.isConditional) = (offset, committed, total, validator, isConditional)
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
