internal import Synchronization

/// Whoever is told of what passes, who may come and go while calls run (S3.3).
///
/// Without one an event costs one look at a flag.
final class TrafficObserver<Event: Sendable>: Sendable {
    private let isOnFlag = Atomic<Bool>(false)
    private let observer = Mutex<(@Sendable (Event) -> Void)?>(nil)

    /// Whether somebody listens.
    var isOn: Bool { isOnFlag.load(ordering: .relaxed) }

    /// Has each event told from now on; nil ends that.
    func use(_ observer: (@Sendable (Event) -> Void)?) {
        self.observer.withLock { $0 = observer }
        isOnFlag.store(observer != nil, ordering: .relaxed)
    }

    /// Tells of an event.
    func note(_ event: Event) {
        observer.withLock { $0 }?(event)
    }
}
