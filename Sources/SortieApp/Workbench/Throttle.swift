internal import SortieNetworking
internal import Synchronization

/// Performs work after notes, at most once in an interval, and always after the last one.
final class Throttle: Sendable {
    private struct State {
        var next: ContinuousClock.Instant
        var isScheduled = false
    }

    private let interval: Duration
    private let work: @Sendable () -> Void
    private let state: Mutex<State>

    init(interval: Duration, _ work: @escaping @Sendable () -> Void) {
        self.interval = interval
        self.work = work
        state = Mutex(State(next: .now))
    }

    /// Performs the work now, or when the interval has passed.
    func note() {
        let now = ContinuousClock.now
        let (isDue, mustSchedule) = state.withLock { state -> (Bool, Bool) in
            guard !state.isScheduled else { return (false, false) }
            guard now < state.next else {
                state.next = now + interval
                return (true, false)
            }
            state.isScheduled = true
            return (false, true)
        }
        if isDue { work() }
        guard mustSchedule else { return }
        Task {
            // The task is not cancelled, so the sleep ends normally.
            do { try await Task.sleep(until: state.withLock { $0.next }) } catch { return }
            state.withLock { state in
                state.isScheduled = false
                state.next = .now + interval
            }
            work()
        }
    }
}
