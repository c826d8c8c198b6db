extension BidirectionalCollection {
    /// The elements without those that fulfil a condition at both ends.
    @inlinable package func trimming(_ isRemoved: (Element) -> Bool) -> SubSequence {
        let start = drop(while: isRemoved)
        guard let last = start.lastIndex(where: { !isRemoved($0) }) else { return start.prefix(0) }
        return start[...last]
    }
}

extension StringProtocol {
    /// The text without white space at both ends.
    @inlinable package var trimmingBlanks: String { String(trimming(\.isWhitespace)) }

    /// The text without optional white space at both ends: spaces and tabs (RFC 9110 §5.6.3).
    @inlinable package var trimmingOptionalWhitespace: String {
        let scalars = unicodeScalars.trimming(\.isSpaceOrTab)
        return String(self[scalars.startIndex..<scalars.endIndex])
    }

    /// The text without spaces at its end.
    @inlinable package var trimmingEnd: String { String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]) }
}

extension UInt8 {
    /// Whether the byte is optional white space (RFC 9110 §5.6.3).
    @inlinable package var isSpaceOrTab: Bool { self == 0x20 || self == 0x09 }

    /// Whether the byte is white space of JSON, XML and header sections.
    @inlinable package var isSpaceOrLineBreak: Bool { isSpaceOrTab || self == 0x0a || self == 0x0d }

    /// Whether the byte is white space of C and of HTML, which includes the form feed.
    @inlinable package var isASCIIWhitespace: Bool { self == 0x20 || (0x09...0x0d).contains(self) }
}

extension Unicode.Scalar {
    /// Whether the scalar is optional white space (RFC 9110 §5.6.3).
    @inlinable package var isSpaceOrTab: Bool { self == " " || self == "\t" }

    /// Whether the scalar is white space of JSON, XML and header sections.
    @inlinable package var isSpaceOrLineBreak: Bool { isSpaceOrTab || self == "\n" || self == "\r" }
}

extension Character {
    /// Whether the character is optional white space (RFC 9110 §5.6.3), which also indents lines.
    @inlinable package var isSpaceOrTab: Bool { self == " " || self == "\t" }

    /// Whether the character ends a line of a file.
    ///
    /// `isNewline` also includes characters that are part of values, such as U+2028 and U+0085.
    @inlinable package var isLineBreak: Bool { self == "\n" || self == "\r\n" || self == "\r" }
}
