internal import Synchronization

/// Things that happen at a moment unless they are called off before: the end of a wait.
@Engine
final class Alarms {
    static let shared = Alarms()

    /// Names one alarm, to call it off.
    struct ID: Hashable, Sendable {
        private let number: UInt64
        private static let last = Atomic<UInt64>(0)

        /// A new name.
        init() {
            number = Self.last.add(1, ordering: .relaxed).newValue
        }
    }

    private var alarms: [ID: (time: UInt64, action: () -> Void)] = [:]
    private var next = UInt64.max

    /// Calls `action` at `time`, monotonic nanoseconds.
    func set(_ id: ID, at time: UInt64, action: @escaping @Sendable () -> Void) {
        alarms[id] = (time, action)
        next = min(next, time)
    }

    /// Calls an alarm off; one that rang is forgotten already.
    func cancel(_ id: ID) {
        alarms[id] = nil
    }

    /// Rings what is due; returns when the next one may be.
    ///
    /// Most alarms are called off, so they are only looked through when one could be due.
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
