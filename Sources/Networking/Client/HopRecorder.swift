internal import Model
internal import Synchronization

/// Whoever records what passes, who may come and go while calls run (S3.3).
///
/// Without one an attempt costs one look at a flag.
final class HopRecorder: Sendable {
    private let isOnFlag = Atomic<Bool>(false)
    private let observer = Mutex<(@Sendable (RecordedHop) -> Void)?>(nil)

    /// Whether somebody records.
    var isOn: Bool { isOnFlag.load(ordering: .relaxed) }

    /// Has each attempt told that ends from now on; nil ends that.
    func use(_ observer: (@Sendable (RecordedHop) -> Void)?) {
        self.observer.withLock { $0 = observer }
        isOnFlag.store(observer != nil, ordering: .relaxed)
    }

    /// Tells of an attempt that has ended.
    func note(_ hop: RecordedHop) {
        observer.withLock { $0 }?(hop)
    }
}
