internal import Synchronization

/// The latest of several values, from any thread.
final class Latest<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)

    /// The value; nil before there is one.
    var value: Value? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
