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
        let scalars = unicodeScalars.trimming { $0 == " " || $0 == "\t" }
        return String(self[scalars.startIndex..<scalars.endIndex])
    }

    /// The text without spaces at its end.
    @inlinable package var trimmingEnd: String { String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]) }
}
