internal import Histogram

/// The percentiles of recorded times, in seconds.
struct LatencySummary: Hashable, Sendable {
    /// A value with its name in texts and in `--json`.
    struct Value: Hashable, Sendable {
        let name: String
        let key: String
        let seconds: Double
    }

    /// Mean, minimum, percentiles and maximum, in this order.
    let values: [Value]

    /// Creates the summary of times in nanoseconds; nil where none is recorded.
    init?(_ histogram: Histogram<UInt64>) {
        guard histogram.totalCount > 0 else { return nil }
        let longest = histogram.maxRecorded
        func seconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1e9 }
        // A percentile is the upper end of its interval, which may be above the largest recorded time.
        func percentile(_ share: Double) -> Double { seconds(Swift.min(longest, histogram.valueAtPercentile(share))) }
        values = [
            Value(name: "mean", key: "mean", seconds: histogram.mean / 1e9), Value(name: "min", key: "min", seconds: seconds(histogram.min)),
            Value(name: "p50", key: "p50", seconds: percentile(50)), Value(name: "p90", key: "p90", seconds: percentile(90)),
            Value(name: "p95", key: "p95", seconds: percentile(95)), Value(name: "p99", key: "p99", seconds: percentile(99)),
            Value(name: "p99.9", key: "p999", seconds: percentile(99.9)), Value(name: "max", key: "max", seconds: seconds(longest)),
        ]
    }
}
