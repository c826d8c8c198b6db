internal import SortieHTTP
internal import Synchronization

/// The explicit total timeout of a download: one clock for all of its attempts and the waits between them.
///
/// The clock stops while the download is paused.
final class DownloadLimit: Sendable {
    private struct State {
        /// The remaining nanoseconds, as of ``runningSince``.
        var left: UInt64
        /// The time at which the clock was started; nil while it is stopped.
        var runningSince: UInt64?
        var alarm: TimerQueue.ID?
    }

    private let limit: Duration
    private let expire: @Sendable () -> Void
    private let state: Mutex<State>

    /// Creates a stopped clock; nil where the timeouts do not limit a transfer.
    ///
    /// - Parameter expire: Called on the engine's thread when the time has elapsed.
    init?(_ timeouts: Timeouts, expire: @escaping @Sendable () -> Void) {
        guard let limit = timeouts.total(ofTransfer: true) else { return nil }
        (self.limit, self.expire) = (limit, expire)
        state = Mutex(State(left: limit.nanoseconds))
    }

    /// The error of a download that exceeds the limit.
    var error: NetworkError {
        NetworkError(
            .timedOut, "the download was not complete within \(limit.spoken)",
            remedy: .downloadTimeout,
            timeLimit: .total)
    }

    /// Starts the clock; no effect while it runs.
    func start() {
        let alarm = TimerQueue.ID()
        let end = state.withLock { state -> UInt64? in
            guard state.runningSince == nil else { return nil }
            let now = MonotonicClock.now
            (state.runningSince, state.alarm) = (now, alarm)
            return now &+ state.left
        }
        guard let end else { return }
        Engine.post { [self] in TimerQueue.shared.set(alarm, at: end) { self.ring(alarm) } }
    }

    /// Stops the clock; no effect while it is stopped.
    func stop() {
        let alarm = state.withLock { state -> TimerQueue.ID? in
            guard let since = state.runningSince else { return nil }
            state.left -= min(state.left, MonotonicClock.now &- since)
            state.runningSince = nil
            return state.alarm.take()
        }
        if let alarm { Engine.post { TimerQueue.shared.cancel(alarm) } }
    }

    private func ring(_ alarm: TimerQueue.ID) {
        // A timer that was replaced at the same moment is ignored.
        if state.withLock({ $0.alarm == alarm }) { expire() }
    }
}
