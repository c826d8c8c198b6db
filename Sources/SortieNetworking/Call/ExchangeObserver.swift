internal import Synchronization

/// An observer that can be set and removed while calls run.
///
/// Without an observer an event costs one atomic load.
final class ExchangeObserver<Event: Sendable>: Sendable {
    /// Holds the closure, because a function value that is read from a generic place and written back, as `Mutex.withLock` does, is wrapped in a
    /// further reabstraction thunk each time.
    private final class Receiver: Sendable {
        let receive: @Sendable (Event) -> Void

        init(_ receive: @escaping @Sendable (Event) -> Void) { self.receive = receive }
    }

    private let isOnFlag = Atomic<Bool>(false)
    private let receiver = Mutex<Receiver?>(nil)

    /// Whether an observer is set.
    var isOn: Bool { isOnFlag.load(ordering: .relaxed) }

    /// Sets the observer for events from now on; nil removes it.
    func use(_ observer: (@Sendable (Event) -> Void)?) {
        let new = observer.map(Receiver.init)
        receiver.withLock { $0 = new }
        isOnFlag.store(observer != nil, ordering: .relaxed)
    }

    /// Passes an event to the observer.
    func note(_ event: Event) {
        receiver.withLock { $0 }?.receive(event)
    }
}
