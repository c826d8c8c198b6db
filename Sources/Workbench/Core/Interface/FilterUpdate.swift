package import SortieBase

/// The results of a filter so far.
package struct FilterUpdate: Hashable, Sendable {
    /// The results as JSON text, each on a line.
    package var bytes: BodyBytes
    /// The number of results.
    package var count: Int
    /// Whether no results follow.
    package var isFinal: Bool
    /// Why the results are incomplete; nil when they are not.
    package var problem: String?
    /// What continues the work when more of the body has arrived; nil while results follow, and where none will.
    package var continuation: FilterContinuation?

    /// Creates an update.
    package init(bytes: BodyBytes, count: Int, isFinal: Bool, problem: String? = nil, continuation: FilterContinuation? = nil) {
        self.bytes = bytes
        self.count = count
        self.isFinal = isFinal
        self.problem = problem
        self.continuation = continuation
    }
}
