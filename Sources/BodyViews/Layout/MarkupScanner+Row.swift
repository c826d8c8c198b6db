extension MarkupScanner {
    /// A row.
    struct Row {
        /// The kinds of rows.
        enum Kind { case tag, text, raw, comment }

        var kind: Kind
        /// The bytes without white space at both ends.
        var source: Range<Int>
        /// The start of the next row, before its white space.
        var next: Int
        var depth: Int
        /// Whether the row continues a line or a tag that is too long for one row.
        var continues = false
        /// Whether the end of the row is final.
        var isClosed = true
    }

    /// What the next bytes belong to.
    enum Phase: Sendable {
        case start, content, text
        /// A comment, an instruction or a declaration, up to these bytes.
        case until(StaticEnd)
        /// A tag that is too long for one row, with the quote that is open in it.
        case tag(quote: UInt8)
        /// The content of an element that is text up to its end tag.
        case raw
    }

    /// The ends of constructs that have no content.
    enum StaticEnd: Sendable {
        case comment, instruction, data, declaration
        /// Of a declaration with declarations in brackets.
        case subset

        var bytes: StaticString {
            switch self {
            case .comment: "-->"
            case .instruction: "?>"
            case .data: "]]>"
            case .declaration: ">"
            case .subset: "]>"
            }
        }
    }
}
