internal import Synchronization

/// How many bytes a second may come, for one download or for all of them together.
final class RateLimiter: Sendable {
    private struct State {
        var limit: Int64?
        /// When all that was taken is paid for, monotonic nanoseconds.
        var paidAt: UInt64 = 0
        /// What goes on when the limit changes, by who waits.
        var waiting: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    private let state: Mutex<State>

    /// What comes in this time is taken at once, so that a limit costs few pauses.
    private static let patience: UInt64 = 50_000_000

    /// A limit in bytes a second; nil for none.
    init(limit: Int64?) {
        state = Mutex(State(limit: limit))
    }

    /// Another limit from now on; those who wait because of the one before go on at once.
    func setLimit(_ limit: Int64?) {
        let waiting = state.withLock { state in
            defer { state = State(limit: limit) }
            return state.waiting.values
        }
        for goOn in waiting { goOn() }
    }

    /// Notes that `waiter` waits until the moment that ``take(_:now:)`` gave; nil when it does not any more.
    func note(_ waiter: AnyObject, goOn: (@Sendable () -> Void)?) {
        state.withLock { $0.waiting[ObjectIdentifier(waiter)] = goOn }
    }

    /// Takes `count` bytes; returns until when no more should come, nil when more may.
    func take(_ count: Int, now: UInt64) -> UInt64? {
        state.withLock { state in
            guard let limit = state.limit else { return nil }
            let price = UInt64(Double(count) / Double(max(1, limit)) * 1e9)
            state.paidAt = max(state.paidAt, now) &+ price
            return state.paidAt > now &+ Self.patience ? state.paidAt : nil
        }
    }
}
