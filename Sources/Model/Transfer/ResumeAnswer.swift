/// What becomes of an answer to a ``ResumeQuestion``, decided from its header alone, before any byte of its body is taken (§5.4).
public enum ResumeAnswer: Hashable, Sendable {
    /// The body continues the part. Bytes before `committed` are compared with what is here.
    ///
    /// - Parameters:
    ///   - first: the file's byte with which the body begins.
    ///   - end: the byte after the body's last one; nil when that is not known.
    ///   - total: the length of the file, where it is known.
    case append(first: Int64, end: Int64?, total: Int64?)
    /// The body is the whole file: what is here is dropped, with the reason where there was something.
    case replace(total: Int64?, because: RestartReason?)
    /// The body is of no use; the whole file is asked for, without a range.
    case startOver(RestartReason)
    /// The body is of no use; the same is asked once more without `If-Range`, which this server takes for a no.
    case askWithoutCondition
    /// Nothing is missing.
    case complete
    /// The server may do better later; in seconds, where it says when.
    case tryLater(status: Int)
    /// It will not get better.
    case refuse(status: Int, keepsPart: Bool)

    /// The decision.
    ///
    /// - Parameter mayAskAgain: whether the question was not yet asked without its condition.
    public init(to question: ResumeQuestion, status: Int, headers: Headers, mayAskAgain: Bool) {
        switch status {
        case 206: self = Self.partial(question, headers)
        case 204, 205: self = .refuse(status: status, keepsPart: true)
        case 200..<300: self = Self.whole(question, headers, mayAskAgain: mayAskAgain)
        case 416: self = Self.unsatisfied(question, headers)
        case 304, 412: self = question.offset == nil ? .refuse(status: status, keepsPart: true) : .startOver(.conditionRefused)
        case 408, 425, 429, 500..<600: self = .tryLater(status: status)
        case 410: self = .refuse(status: status, keepsPart: false)
        default: self = .refuse(status: status, keepsPart: true)
        }
    }

    private static func partial(_ question: ResumeQuestion, _ headers: Headers) -> ResumeAnswer {
        guard let asked = question.offset else { return .refuse(status: 206, keepsPart: true) }
        let isMultipart = headers["Content-Type"].map { $0.lowercased().hasPrefix("multipart/byteranges") } ?? false
        guard !isMultipart, headers.values(of: "Content-Range").count == 1,
            case .part(let first, let last, let total)? = headers["Content-Range"].flatMap({ ContentRange($0) })
        else { return .startOver(.badRange) }
        guard !isEncoded(headers) else { return .startOver(.encoded) }
        // A length that contradicts the range: one of them is wrong, and nothing tells which.
        guard length(headers).map({ $0 == last - first + 1 }) ?? true else { return .startOver(.badRange) }
        if let total, let known = question.total, total != known { return .startOver(.changedLength) }
        if let known = question.total, last >= known { return .startOver(.changedLength) }
        guard agrees(headers, with: question) else { return .startOver(.changed) }
        guard first <= asked else { return .startOver(.laterStart) }
        // A part that ends before what is here brings nothing, and the same would come again.
        guard last >= question.committed else { return .startOver(.badRange) }
        return .append(first: first, end: last + 1, total: total ?? question.total)
    }

    private static func whole(_ question: ResumeQuestion, _ headers: Headers, mayAskAgain: Bool) -> ResumeAnswer {
        let total = length(headers)
        guard question.offset != nil || question.committed > 0 else { return .replace(total: total, because: nil) }
        guard case .strong(let tag) = question.validator, headers["ETag"] == tag, let total, total == question.total, !isEncoded(headers) else {
            return .replace(total: total, because: reason(question, headers, total))
        }
        let offersRanges = headers["Accept-Ranges"]?.lowercased() == "bytes"
        if question.isConditional, offersRanges, mayAskAgain { return .askWithoutCondition }
        // The same file from its beginning: what is here is compared, and stays if the transfer breaks before it catches up.
        return .append(first: 0, end: total, total: total)
    }

    private static func reason(_ question: ResumeQuestion, _ headers: Headers, _ total: Int64?) -> RestartReason {
        if let total, let known = question.total, total != known { return .changedLength }
        if case .strong(let tag) = question.validator { return headers["ETag"] == tag ? .rangesIgnored : .changed }
        if case .lastModified(let date) = question.validator { return headers["Last-Modified"] == date ? .rangesIgnored : .changed }
        return isOther(headers, than: question) ? .changed : .rangesIgnored
    }

    private static func unsatisfied(_ question: ResumeQuestion, _ headers: Headers) -> ResumeAnswer {
        guard question.offset != nil else { return .refuse(status: 416, keepsPart: true) }
        if case .unsatisfied(let total)? = headers["Content-Range"].flatMap({ ContentRange($0) }), total == question.committed,
            question.total.map({ $0 == total }) ?? true, question.validator.isStrong, question.isConditional
        {
            return .complete
        }
        return .startOver(.unsatisfiable)
    }

    /// Whether what the answer says of itself fits what is known; what it does not say is no objection where it was asked with a condition.
    private static func agrees(_ headers: Headers, with question: ResumeQuestion) -> Bool {
        switch question.validator {
        case .strong(let tag): headers["ETag"].map { $0 == tag } ?? question.isConditional
        case .lastModified(let date): headers["Last-Modified"].map { $0 == date } ?? true
        case .none: !isOther(headers, than: question)
        }
    }

    /// Whether the answer says that its file is another one than that of which bytes are here, by what cannot prove that it is the same.
    private static func isOther(_ headers: Headers, than question: ResumeQuestion) -> Bool {
        if let known = question.entityTag, let tag = headers["ETag"] { return !EntityValidator.isSame(known, tag) }
        if let known = question.lastModified, let date = headers["Last-Modified"] { return known != date }
        return false
    }

    /// Whether the body has an encoding besides its own form.
    public static func isEncoded(_ headers: Headers) -> Bool {
        headers.values(of: "Content-Encoding").contains { !$0.isEmpty && $0.lowercased() != "identity" }
    }

    /// The length that the answer announces for its body.
    static func length(_ headers: Headers) -> Int64? {
        // With a transfer coding the length is not that of the body (RFC 9112 §6.3).
        guard !headers.contains("Transfer-Encoding"), let text = headers["Content-Length"], !text.isEmpty,
            text.utf8.allSatisfy(ASCII.isDigit)
        else { return nil }
        return Int64(text)
    }
}
