/// The state of a call.
public enum CallState: Hashable, Sendable {
    /// The call waits, sends or receives.
    case running
    /// The call is suspended, or has not started.
    case suspended
    /// The call was cancelled and has not ended yet.
    case cancelling
    /// The call has ended with its terminal event.
    case completed
}

/// What the observer of a call receives: its events, and the changes of its state, which only callbacks and delegates receive.
package enum CallSignal: Sendable {
    case willStart, willSuspend, didSuspend
    case event(CallEvent)
}

/// The default actor of callbacks; it calls those of all calls of a client one after another.
package actor CallbackQueue {
    package init() {}
}
