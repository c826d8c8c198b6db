/// The progress of a ``Batch`` or a ``Chain``.
public struct BatchProgress: Hashable, Sendable {
    /// The number of members that have ended, with any outcome, or of steps that have succeeded.
    public var finished: Int
    /// The number of all members or steps.
    public var total: Int
}
