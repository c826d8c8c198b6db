/// A search match to highlight in the rows.
package struct BodyMark: Hashable, Sendable {
    /// The source bytes of the match.
    package var range: Range<Int>
    /// Whether the match is the selected one.
    package var isCurrent: Bool

    /// Creates a mark.
    package init(_ range: Range<Int>, isCurrent: Bool = false) {
        self.range = range
        self.isCurrent = isCurrent
    }
}
