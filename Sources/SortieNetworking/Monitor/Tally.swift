internal import Histogram
internal import SortieHTTP

/// The counts of the attempts at one address.
struct Tally {
    /// The longest recorded latency: ten minutes in microseconds.
    ///
    /// Longer ones count as this value; the precision is two digits.
    private static let longest: UInt64 = 600_000_000

    /// The position in the order of first attempts.
    let number: Int
    /// When the last attempt ended (monotonic nanoseconds).
    private(set) var last: UInt64 = 0
    private var counts = TrafficReport()
    private var latencies = Histogram<UInt32>(
        lowestDiscernibleValue: 1, highestTrackableValue: Tally.longest, numberOfSignificantValueDigits: .two)

    init(number: Int) {
        self.number = number
    }

    mutating func note(_ attempt: Attempt, at now: UInt64) {
        last = now
        counts.requests += 1
        if attempt.error?.errorClass == .transport { counts.errors += 1 }
        counts.bytesSent += attempt.sentBodyBytes
        counts.bytesReceived += attempt.response?.wireBytes ?? 0
        if attempt.isConnectionReused {
            counts.connectionsReused += 1
        } else if attempt.timing.connect > 0 {
            counts.connectionsOpened += 1
        }
        if attempt.timing.firstByte > 0 {
            latencies.record(min(UInt64(attempt.timing.firstByte * 1e6), Self.longest))
        }
    }

    /// The sum of several tallies.
    static func sum(_ tallies: some Sequence<Tally>) -> Tally {
        var sum = Tally(number: 0)
        for tally in tallies {
            sum.counts.requests += tally.counts.requests
            sum.counts.errors += tally.counts.errors
            sum.counts.bytesSent += tally.counts.bytesSent
            sum.counts.bytesReceived += tally.counts.bytesReceived
            sum.counts.connectionsOpened += tally.counts.connectionsOpened
            sum.counts.connectionsReused += tally.counts.connectionsReused
            sum.latencies.add(tally.latencies)
        }
        return sum
    }

    /// The values for display.
    var report: TrafficReport {
        var report = counts
        guard latencies.totalCount > 0 else { return report }
        report.p50 = Double(latencies.valueAtPercentile(50)) / 1e6
        report.p95 = Double(latencies.valueAtPercentile(95)) / 1e6
        report.p99 = Double(latencies.valueAtPercentile(99)) / 1e6
        return report
    }
}
