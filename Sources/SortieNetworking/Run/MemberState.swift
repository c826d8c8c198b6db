/// The state of a member of a batch, or of a step of a chain.
public enum MemberState: Hashable, Sendable {
    /// Not started.
    case waiting
    /// Running.
    case running
    /// Ended with a value.
    case succeeded
    /// Ended with an error.
    case failed
    /// Stopped while it was running.
    case cancelled
    /// Not started, because the batch stopped before.
    case skipped
}
