package import BodyViews
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

/// The results of a filter of a body that still arrives, to which those of later messages are added.
package struct FilterContinuation: Hashable, Sendable {
    /// The results, which only the runner of effects reads.
    package let results: any AnyObject & Sendable

    /// Creates a continuation.
    package init(_ results: any AnyObject & Sendable) { self.results = results }

    /// Whether both have the same results.
    package static func == (left: FilterContinuation, right: FilterContinuation) -> Bool { left.results === right.results }

    /// Hashes the identity of the results.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(results)) }
}

/// A result of a ``SortTableJob``.
package enum TableSortUpdate: Hashable, Sendable {
    /// The completed part, from 0 to 1.
    case progress(Double)
    /// The rows are sorted.
    case done(TableOrder)
}
