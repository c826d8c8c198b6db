internal import Synchronization

/// How many bytes a second may come, for one download or for all of them together.
final class RateLimiter: Sendable {
    private struct State {
        var limit: Int64?
        /// When all that was taken is paid for, monotonic nanoseconds.
        var paidAt: UInt64 = 0
    }

    private let state: Mutex<State>

    /// What comes in this time is taken at once, so that a limit costs few pauses.
    private static let patience: UInt64 = 50_000_000

    /// A limit in bytes a second; nil for none.
    init(limit: Int64?) {
        state = Mutex(State(limit: limit))
    }

    /// Another limit from now on.
    func setLimit(_ limit: Int64?) {
        state.withLock { $0 = State(limit: limit) }
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
