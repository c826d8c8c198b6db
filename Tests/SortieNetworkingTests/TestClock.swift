import Synchronization

/// A clock that advances only when a test moves it.
final class TestClock: Sendable {
    private let moment = Mutex(ContinuousClock.now)

    var now: @Sendable () -> ContinuousClock.Instant { { self.moment.withLock { $0 } } }

    func advance(_ duration: Duration) {
        moment.withLock { $0 += duration }
    }
}
