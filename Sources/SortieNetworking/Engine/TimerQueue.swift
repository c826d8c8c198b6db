internal import Synchronization

/// Timers of the engine: actions that run at a given time unless they are cancelled before.
@Engine
final class TimerQueue {
    static let shared = TimerQueue()

    /// Identifies one timer, so that it can be cancelled.
    struct ID: Hashable, Sendable {
        private let number: UInt64
        private static let last = Atomic<UInt64>(0)

        init() {
            number = Self.last.add(1, ordering: .relaxed).newValue
        }
    }

    private var alarms: [ID: (time: UInt64, action: () -> Void)] = [:]
    private var next = UInt64.max

    /// Schedules `action` at `time` (monotonic nanoseconds).
    func set(_ id: ID, at time: UInt64, action: @escaping @Sendable () -> Void) {
        alarms[id] = (time, action)
        next = min(next, time)
    }

    /// Cancels a timer.
    ///
    /// Does nothing when the timer has fired already.
    func cancel(_ id: ID) {
        alarms[id] = nil
    }

    /// Runs the actions that are due and returns the earliest time at which the next one can be due.
    ///
    /// Most timers are cancelled before they fire, so the table is searched only when one can be due.
    func ring(now: UInt64) -> UInt64 {
        guard now >= next else { return next }
        let due = alarms.filter { $0.value.time <= now }.sorted { $0.value.time < $1.value.time }
        for (id, alarm) in due where alarms[id] != nil {
            alarms[id] = nil
            alarm.action()
        }
        next = alarms.values.map(\.time).min() ?? .max
        return next
    }
}

/// The time at which the engine's current pass began.
///
/// It is exact enough for idle timeouts and is read many times per pass.
enum LoopClock {
    // Written and read on the engine's thread only.
    nonisolated(unsafe) private(set) static var now = MonotonicClock.now

    /// Updates the time.
    ///
    /// Called when the loop wakes.
    static func tick() {
        now = MonotonicClock.now
    }
}
