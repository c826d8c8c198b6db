/// The error for a condition that was not met in time.
public struct DeadlineExceeded: Error, CustomStringConvertible {
    /// The condition, as the end of the sentence "waited for …".
    public let what: String
    /// The time limit.
    public let limit: Duration
    /// The actual state, for the message of the failed test; empty when there is none.
    public let state: String

    /// Creates the error.
    public init(what: String, limit: Duration, state: String = "") {
        self.what = what
        self.limit = limit
        self.state = state
    }

    /// One sentence, followed by the state on separate lines.
    public var description: String {
        "waited \(limit) for \(what), in vain" + (state.isEmpty ? "" : "; there was instead:\n\(state)")
    }
}
