/// One row of a body on the screen.
public struct BodyRow: Hashable, Sendable {
    /// What the row says, left to right.
    public var spans: [BodySpan]

    /// The bytes of the body that the row shows.
    public var sourceRange: Range<Int>

    /// The line's number, from 1; nil when the row continues a line too long for one row.
    public var number: Int?

    /// Makes a row.
    public init(spans: [BodySpan], sourceRange: Range<Int>, number: Int?) {
        self.spans = spans
        self.sourceRange = sourceRange
        self.number = number
    }

    /// The whole row as text.
    public var text: String { spans.reduce(into: "") { $0 += $1.text } }

    /// Source bytes a row shows at most; a longer line is continued on further rows.
    public static let byteLimit = 4096
}

/// A stretch of a row with one meaning.
///
/// What the meanings look like is the pane's affair.
public struct BodySpan: Hashable, Sendable {
    /// What a stretch of text is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The name of an object's member, quotes included.
        case key
        /// A JSON string or an attribute's value, quotes included.
        case string
        /// A JSON number.
        case number
        /// `true`, `false` or `null`.
        case literal
        /// Brackets, commas and colons; angle brackets and equal signs of a tag.
        case punctuation
        /// Anything else, indentation included.
        case text
        /// The name of an XML or HTML element.
        case tag
        /// The name of an attribute.
        case attribute
        /// A comment.
        case comment
        /// The offset at the left of a hex row.
        case hexOffset
        /// Bytes as hexadecimal digits.
        case hexByte
        /// Bytes as characters at the right of a hex row.
        case hexASCII
        /// A word of the program, not of the body.
        case notice
    }

    /// The text; it may hold control characters, which whoever draws it makes visible.
    public var text: String

    /// What the text is.
    public var kind: Kind

    /// Whether the text is part of a search match.
    public var isMatch: Bool

    /// Whether that is the match the reader is at.
    public var isCurrent: Bool

    /// Makes a span.
    public init(_ text: String, _ kind: Kind, isMatch: Bool = false, isCurrent: Bool = false) {
        self.text = text
        self.kind = kind
        self.isMatch = isMatch
        self.isCurrent = isCurrent
    }
}
