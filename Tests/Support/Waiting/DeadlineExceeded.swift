/// Something a test waited for did not happen in time.
public struct DeadlineExceeded: Error, CustomStringConvertible {
    /// What was waited for, as the end of the sentence "waited for …".
    public let what: String
    /// How long it was waited for.
    public let limit: Duration
    /// What was there instead, for the reader of the failed test; empty when there is nothing to show.
    public let state: String

    /// Names what did not happen within `limit`, and what was there instead.
    public init(what: String, limit: Duration, state: String = "") {
        self.what = what
        self.limit = limit
        self.state = state
    }

    /// One sentence, followed by the state on lines of its own.
    public var description: String {
        "waited \(limit) for \(what), in vain" + (state.isEmpty ? "" : "; there was instead:\n\(state)")
    }
}
