internal import Synchronization

/// An observer that can be set and removed while calls run (S3.3).
///
/// Without an observer an event costs one atomic load.
final class ExchangeObserver<Event: Sendable>: Sendable {
    private let isOnFlag = Atomic<Bool>(false)
    private let observer = Mutex<(@Sendable (Event) -> Void)?>(nil)

    /// Whether an observer is set.
    var isOn: Bool { isOnFlag.load(ordering: .relaxed) }

    /// Sets the observer for events from now on; nil removes it.
    func use(_ observer: (@Sendable (Event) -> Void)?) {
        self.observer.withLock { $0 = observer }
        isOnFlag.store(observer != nil, ordering: .relaxed)
    }

    /// Passes an event to the observer.
    func note(_ event: Event) {
        observer.withLock { $0 }?(event)
    }
}
