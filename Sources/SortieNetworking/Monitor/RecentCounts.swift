/// The number of attempts in each of the last sixty seconds.
struct RecentCounts {
    private static let length: UInt64 = 60

    private var counts = [UInt32](repeating: 0, count: Int(RecentCounts.length))
    /// The second of the last update.
    private var last: UInt64 = 0

    /// Counts one attempt at `now` (monotonic nanoseconds).
    mutating func note(at now: UInt64) {
        let second = now / 1_000_000_000
        forget(until: second)
        counts[Int(second % Self.length)] &+= 1
    }

    /// The counts in order; the last one is that of the current second.
    func lastMinute(at now: UInt64) -> [Int] {
        var copy = self
        let second = now / 1_000_000_000
        copy.forget(until: second)
        return (1...Self.length).map { Int(copy.counts[Int((second + $0) % Self.length)]) }
    }

    /// Resets the seconds without attempts.
    private mutating func forget(until second: UInt64) {
        guard second > last else { return }
        if second - last >= Self.length {
            for index in counts.indices { counts[index] = 0 }
        } else {
            for between in last + 1...second { counts[Int(between % Self.length)] = 0 }
        }
        last = second
    }
}
