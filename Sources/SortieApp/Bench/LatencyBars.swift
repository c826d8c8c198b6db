internal import Foundation
internal import Histogram

/// The distribution of recorded times in intervals that grow by a constant factor, because latencies are spread over powers of ten.
struct LatencyBars: Hashable, Sendable {
    /// The times from a bound up to, and without, the next one, in nanoseconds; the last interval has its upper bound.
    struct Bar: Hashable, Sendable {
        let from: UInt64
        let to: UInt64
        let count: UInt64
    }

    private static let most = 10

    /// The intervals in their order; empty where nothing is recorded.
    let bars: [Bar]

    init(_ histogram: Histogram<UInt64>) {
        guard histogram.totalCount > 0 else {
            bars = []
            return
        }
        let (shortest, longest) = (max(1, histogram.min), max(1, histogram.maxRecorded))
        let factor = pow(Double(longest) / Double(shortest), 1 / Double(Self.most))
        var bounds: [UInt64] = [shortest]
        for step in 1..<Self.most {
            let bound = Self.rounded(Double(shortest) * pow(factor, Double(step)))
            if let last = bounds.last, bound > last, bound < longest { bounds.append(bound) }
        }
        bounds.append(longest)
        var counted: UInt64 = 0
        bars = zip(bounds, bounds.dropFirst()).enumerated().map { index, pair in
            // Counted from below, so that an interval of the histogram at a bound counts once.
            let isLast = index == bounds.count - 2
            let below = isLast ? histogram.totalCount : histogram.count(within: 0...(pair.1 - 1))
            defer { counted = max(counted, below) }
            return Bar(from: pair.0, to: pair.1, count: below > counted ? below - counted : 0)
        }
    }

    /// The nearest number with two digits.
    private static func rounded(_ value: Double) -> UInt64 {
        let scale = pow(10, max(0, log10(value).rounded(.down) - 1))
        return UInt64((value / scale).rounded() * scale)
    }
}
