/// What a download asks for: the whole file, or the rest of one of which a part is here.
public struct ResumeQuestion: Hashable, Sendable {
    /// From which byte on; nil for the whole file, without a range.
    public var offset: Int64?
    /// The byte before which to stop; nil for all that follow.
    public var end: Int64?
    /// How many bytes are safely here.
    public var committed: Int64
    /// How many bytes the file has, where that is known.
    public var total: Int64?
    /// By what the file is recognized.
    public var validator: EntityValidator
    /// Whether `If-Range` goes along.
    public var isConditional: Bool
    /// `ETag` of the bytes that are here, a weak one too: an equal one does not prove that the file is the same, but another one proves that it is not.
    public var entityTag: String?
    /// `Last-Modified` of the bytes that are here, however young it was.
    public var lastModified: String?

    /// The whole file.
    public static let whole = ResumeQuestion(offset: nil, committed: 0, total: nil, validator: .none, isConditional: false)

    /// The whole file, because the server cannot send the rest alone; the bytes that are here are compared where the file is known to be the same.
    public static func whole(insteadOf committed: Int64, total: Int64?, validator: EntityValidator) -> ResumeQuestion {
        ResumeQuestion(offset: nil, committed: committed, total: total, validator: validator, isConditional: false)
    }

    /// A question.
    public init(offset: Int64?, committed: Int64, total: Int64?, validator: EntityValidator, isConditional: Bool) {
        self.offset = offset
        self.committed = committed
        self.total = total
        self.validator = validator
        self.isConditional = isConditional
    }

    /// How many bytes are fetched again where nothing vouches for those that are here.
    public static let overlap: Int64 = 64 << 10

    /// The question for the rest: with a strong validator from where the part ends, with a weaker one a little before, to compare (§5.3).
    ///
    /// - Parameter isConditional: whether `If-Range` may be used, where there is something for it.
    public static func rest(committed: Int64, total: Int64?, validator: EntityValidator, isConditional: Bool = true) -> ResumeQuestion {
        let overlap = validator.isStrong ? 0 : min(Self.overlap, committed)
        return ResumeQuestion(
            offset: committed - overlap, committed: committed, total: total, validator: validator,
            isConditional: isConditional && validator.ifRange != nil)
    }

    /// The question for the rest of a stretch of a file; without its end where that is the file's.
    public static func rest(of stretch: DownloadSegment, total: Int64, validator: EntityValidator) -> ResumeQuestion {
        var question = rest(committed: stretch.position, total: total, validator: validator)
        if stretch.end < total { question.end = stretch.end }
        return question
    }

    /// The fields to send.
    public var fields: [HeaderField] {
        guard let offset else { return [] }
        var fields = [HeaderField("Range", "bytes=\(offset)-\(end.map { String($0 - 1) } ?? "")")]
        if isConditional, let value = validator.ifRange { fields.append(HeaderField("If-Range", value)) }
        return fields
    }
}
