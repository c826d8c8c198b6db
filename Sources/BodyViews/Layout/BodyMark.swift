/// A search match to highlight in the rows.
public struct BodyMark: Hashable, Sendable {
    /// The source bytes of the match.
    public var range: Range<Int>
    /// Whether the match is the selected one.
    public var isCurrent: Bool

    /// Creates a mark.
    public init(_ range: Range<Int>, isCurrent: Bool = false) {
        self.range = range
        self.isCurrent = isCurrent
    }
}
