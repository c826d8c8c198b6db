/// One row of a displayed body.
package struct BodyRow: Hashable, Sendable {
    /// The text of the row, left to right.
    package var spans: [BodySpan]

    /// The bytes of the body that the row shows.
    package var sourceRange: Range<Int>

    /// The line number, from 1; nil when the row continues a line that is too long for one row.
    package var number: Int?

    /// Creates a row.
    package init(spans: [BodySpan], sourceRange: Range<Int>, number: Int?) {
        self.spans = spans
        self.sourceRange = sourceRange
        self.number = number
    }

    /// The text of the whole row.
    package var text: String { spans.reduce(into: "") { $0 += $1.text } }

    /// The maximum number of source bytes in a row; a longer line continues on further rows.
    package static let byteLimit = 4096
}

/// A part of a row with one meaning.
///
/// The pane defines how each meaning is displayed.
package struct BodySpan: Hashable, Sendable {
    /// The meaning of a part.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The name of an object's member, including quotes.
        case key
        /// A JSON string or the value of an attribute, including quotes.
        case string
        /// A JSON number.
        case number
        /// `true`, `false` or `null`.
        case literal
        /// Brackets, commas and colons; angle brackets and equal signs of a tag.
        case punctuation
        /// Any other text, including indentation.
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
        /// A text of the program that is not part of the body.
        case notice
    }

    /// The text, which may contain control characters; the drawing code makes them visible.
    package var text: String

    /// The meaning of the text.
    package var kind: Kind

    /// Whether the text is part of a search match.
    package var isMatch: Bool

    /// Whether that match is the selected one.
    package var isCurrent: Bool

    /// Creates a span.
    package init(_ text: String, _ kind: Kind, isMatch: Bool = false, isCurrent: Bool = false) {
        self.text = text
        self.kind = kind
        self.isMatch = isMatch
        self.isCurrent = isCurrent
    }
}
