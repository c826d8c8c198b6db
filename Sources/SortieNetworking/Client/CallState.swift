/// Where a call is in its life (S2.26).
public enum CallState: Hashable, Sendable {
    /// It waits, sends or receives.
    case running
    /// It stands still, or was not started yet.
    case suspended
    /// It was cancelled and has not ended yet.
    case cancelling
    /// It has its one terminal event.
    case completed
}

/// What the observer of a call is told: its events, and the steps of its life that only callbacks and delegates hear of (S2.22).
enum CallSignal: Sendable {
    case willStart, willSuspend, didSuspend
    case event(CallEvent)
}
