import Histogram
import Testing

@testable import SortieApp

/// Tests the percentiles and the drawn distribution of a bench.
@Suite struct LatencyBarsTests {
    private static func histogram(_ values: [UInt64]) -> Histogram<UInt64> {
        var histogram = Histogram<UInt64>(highestTrackableValue: 86_400_000_000_000, numberOfSignificantValueDigits: .three)
        for value in values { histogram.record(value) }
        return histogram
    }

    @Test(
        arguments: [
            [5], [1, 1, 1], [1000, 1001], [100, 200, 400, 800, 1_000_000], (1...5000).map { UInt64($0 * 977) }, [1, 86_400_000_000_000],
        ] as [[UInt64]])
    func `every value is in one bar, and the bounds grow`(values: [UInt64]) {
        let bars = LatencyBars(Self.histogram(values)).bars
        #expect(bars.reduce(0) { $0 + $1.count } == UInt64(values.count))
        #expect((1...10).contains(bars.count))
        for (bar, next) in zip(bars, bars.dropFirst()) { #expect(bar.to == next.from && bar.from < bar.to) }
    }

    @Test func `without a value there are no bars and no percentiles`() {
        #expect(LatencyBars(Self.histogram([])).bars.isEmpty)
        #expect(LatencySummary(Self.histogram([])) == nil)
    }

    @Test func `percentiles have three digits and are not above the maximum`() throws {
        let summary = try #require(LatencySummary(Self.histogram((1...1000).map { UInt64($0) * 1_000_000 })))
        let values = Dictionary(uniqueKeysWithValues: summary.values.map { ($0.key, $0.seconds) })
        for (key, seconds) in [
            ("min", 0.001), ("mean", 0.5005), ("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p999", 0.999), ("max", 1),
        ] {
            let value = try #require(values[key])
            #expect(abs(value / seconds - 1) < 0.002, "\(key): \(value)")
        }
        #expect(summary.values.allSatisfy { $0.seconds <= values["max"] ?? 0 })
    }

    @Test func `times have three digits and a unit`() {
        let texts = [0.0000005, 0.0000423, 0.0009996, 0.00123, 0.0456, 0.9994, 0.9996, 1, 12.34, 123.4].map { BenchText.time($0) }
        #expect(texts == ["0.50 µs", "42.3 µs", "1.00 ms", "1.23 ms", "45.6 ms", "999 ms", "1.00 s", "1.00 s", "12.3 s", "123 s"])
        #expect([0, 0.5, 3, 12.5, 200, 1234.6].map { BenchText.number($0) } == ["0", "0.5", "3", "12.5", "200", "1235"])
    }
}
