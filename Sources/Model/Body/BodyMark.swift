/// A search match to be marked in the rows.
public struct BodyMark: Hashable, Sendable {
    /// The source bytes of the match.
    public var range: Range<Int>
    /// Whether it is the match that the reader is at.
    public var isCurrent: Bool

    /// A mark.
    public init(_ range: Range<Int>, isCurrent: Bool = false) {
        self.range = range
        self.isCurrent = isCurrent
    }
}
