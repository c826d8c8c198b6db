/// The progress of a ``Batch``.
public struct BatchProgress: Hashable, Sendable {
    /// The number of members that have ended, with any outcome.
    public var finished: Int
    /// The number of all members.
    public var total: Int
}
