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
