internal import Histogram

/// The percentiles of recorded times, in seconds.
struct LatencySummary: Hashable, Sendable {
    /// A time with its name in texts and in `--json`.
    struct Figure: Hashable, Sendable {
        let name: String
        let key: String
        let seconds: Double
    }

    /// Mean, minimum, percentiles and maximum, in this order.
    let values: [Figure]

    /// Creates the summary of times in nanoseconds; nil where none is recorded.
    init?(_ histogram: Histogram<UInt64>) {
        guard histogram.totalCount > 0 else { return nil }
        let longest = histogram.maxRecorded
        func seconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1e9 }
        // A percentile is the upper end of its interval, which may be above the largest recorded time.
        func percentile(_ share: Double) -> Double { seconds(Swift.min(longest, histogram.valueAtPercentile(share))) }
        values = [
            Figure(name: "mean", key: "mean", seconds: histogram.mean / 1e9), Figure(name: "min", key: "min", seconds: seconds(histogram.min)),
            Figure(name: "p50", key: "p50", seconds: percentile(50)), Figure(name: "p90", key: "p90", seconds: percentile(90)),
            Figure(name: "p95", key: "p95", seconds: percentile(95)), Figure(name: "p99", key: "p99", seconds: percentile(99)),
            Figure(name: "p99.9", key: "p999", seconds: percentile(99.9)), Figure(name: "max", key: "max", seconds: seconds(longest)),
        ]
    }
}
