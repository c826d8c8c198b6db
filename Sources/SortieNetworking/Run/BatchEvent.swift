/// An event of one batch; numbers are the positions of members in the order in which they were added.
///
/// Events are in order, and exactly one ``finished(_:)`` is the last.
public enum BatchEvent<Value: Sendable>: Sendable {
    /// The batch starts.
    case started(total: Int)
    /// A member starts.
    case memberStarted(Int)
    /// A member has ended, or was skipped.
    case memberEnded(Int, BatchOutcome<Value>)
    /// More members have ended.
    case progressed(BatchProgress)
    /// The end.
    case finished(BatchResult<Value>)
}
