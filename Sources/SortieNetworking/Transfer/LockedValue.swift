internal import Synchronization

/// A lock-protected box for the latest of several values.
final class LockedValue<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)

    /// The value; nil before the first one.
    var value: Value? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
