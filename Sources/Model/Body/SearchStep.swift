/// What one step of a search came to.
public enum SearchStep: Hashable, Sendable {
    /// A match, as a range of source bytes.
    case found(Range<Int>)

    /// There is none from here to the end (or the start) of the bytes there are.
    case notFound

    /// The budget is used up; ask again from this offset.
    case continueFrom(Int)
}
