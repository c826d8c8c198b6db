/// A parallel group of a chain: consecutive steps that are sent at the same time, after the steps before them have ended.
package struct StepGroup: Hashable, Sendable {
    /// The number of the group in its chain, from 1.
    package var number: Int
    /// The maximum number of concurrent steps; nil for the default.
    package var concurrency: Int?

    /// Creates a group.
    package init(number: Int, concurrency: Int? = nil) {
        self.number = number
        self.concurrency = concurrency
    }
}
