internal import Synchronization

/// Limits the bytes per second of one download, or of all downloads together.
final class RateLimiter: Sendable {
    private struct State {
        var limit: Int64?
        /// The time until which the bytes taken so far use up the limit, in monotonic nanoseconds.
        var paidAt: UInt64 = 0
        /// The callbacks of waiting bodies, called when the limit changes.
        var waiting: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    private let state: Mutex<State>

    /// The nanoseconds of debt that cause no pause, so that a limit causes few pauses.
    private static let patience: UInt64 = 50_000_000

    /// Creates a limiter for `limit` bytes per second; nil for no limit.
    init(limit: Int64?) {
        state = Mutex(State(limit: limit))
    }

    /// Changes the limit; bodies that wait because of the previous one continue at once.
    func setLimit(_ limit: Int64?) {
        let waiting = state.withLock { state in
            defer { state = State(limit: limit) }
            return state.waiting.values
        }
        for goOn in waiting { goOn() }
    }

    /// Records that `waiter` waits until the time that ``take(_:now:)`` returned; a nil callback removes the record.
    func note(_ waiter: AnyObject, goOn: (@Sendable () -> Void)?) {
        state.withLock { $0.waiting[ObjectIdentifier(waiter)] = goOn }
    }

    /// Counts `count` bytes; returns the time before which no more should be read, nil when reading may continue.
    func take(_ count: Int, now: UInt64) -> UInt64? {
        state.withLock { state in
            guard let limit = state.limit else { return nil }
            let price = UInt64(Double(count) / Double(max(1, limit)) * 1e9)
            state.paidAt = max(state.paidAt, now) &+ price
            return state.paidAt > now &+ Self.patience ? state.paidAt : nil
        }
    }
}
