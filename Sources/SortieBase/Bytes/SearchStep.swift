/// The result of one step of a search.
package enum SearchStep: Hashable, Sendable {
    /// A match, as a range of source bytes.
    case found(Range<Int>)

    /// No match exists up to the end (or the start) of the available bytes.
    case notFound

    /// The budget is used up; continue from this offset.
    case continueFrom(Int)
}
