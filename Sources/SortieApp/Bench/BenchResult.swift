internal import Foundation
internal import Histogram
internal import SortieBase
internal import SortieHTTP

/// The result of a bench.
struct BenchResult: Sendable {
    let plan: BenchPlan
    let tally: BenchTally
    /// The time from the begin to the end of the last call, in seconds.
    let duration: Double
    /// The number of intended calls that had not started when the time was over.
    let notStarted: Int
    /// Whether a signal ended it.
    let isInterrupted: Bool

    /// The number of calls that ended per second.
    var callsPerSecond: Double { duration > 0 ? Double(tally.calls) / duration : 0 }

    /// The failure with which the command ends; nil where all calls succeeded.
    ///
    /// Where no call has a response, it is the failure of the first one, as that of a single call.
    var failure: CommandFailure? {
        let count = tally.calls
        if isInterrupted {
            return CommandFailure(.interrupted, "the bench was interrupted after \(count) calls")
        }
        guard tally.failed > 0 else { return nil }
        let reasons = reasons
        if tally.withoutResponse == count, let first = reasons.first?.failures.first {
            let others = count > 1 ? "; all \(count) calls failed so" : ""
            let rest = reasons.count == 1 ? others : "; no call had a response"
            return CommandFailure(first.kind, name: first.name, first.message + rest, hint: reasons.count == 1 ? first.hint : nil)
        }
        let parts = reasons.map { "\($0.name) × \($0.failures.count)" }.joined(separator: ", ")
        return CommandFailure(.response, "\(tally.failed) of \(count) calls failed: \(parts)")
    }

    /// The reasons of failures, the most frequent one first.
    var reasons: [(name: String, failures: BenchTally.Failures)] {
        tally.failures.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { ($0.key, $0.value) }
    }

    /// The statuses of gRPC in the order of their codes; empty for other calls.
    var grpcStatuses: [(status: GRPCStatus, count: Int)] {
        tally.grpcStatuses.sorted { $0.key < $1.key }.map { (GRPCStatus(code: $0.key), $0.value) }
    }

    /// The statuses in their order.
    var statuses: [(status: Int, count: Int)] { tally.statuses.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
}

/// The record of `--json`.
extension BenchResult {
    /// The record of a bench of a request; times are in seconds.
    func record(of request: Request, _ redaction: Redaction) -> JSONValue {
        let bars = LatencyBars(tally.latencies).bars
        return [
            "endpoint": .optional(request.target), "environment": .optional(request.environment),
            "request": ["method": .string(request.method.rawValue), "url": .string(redaction.maskedURL(request.url.description))],
            "state": isInterrupted ? "cancelled" : "finished",
            "load": [
                "model": plan.rate == nil ? "closed" : "open", "concurrency": .integer(plan.concurrency),
                "rate": plan.rate.map { .number(String($0)) } ?? .null, "requests": plan.requests.map { .integer($0) } ?? .null,
                "duration": plan.duration.map { .seconds($0 / .seconds(1)) } ?? .null,
            ],
            "duration": .seconds(duration), "calls": .integer(tally.calls), "failed": .integer(tally.failed),
            "cancelled": .integer(tally.cancelled), "notStarted": .integer(notStarted),
            "callsPerSecond": .number(String((callsPerSecond * 1000).rounded() / 1000)),
            "latency": Self.record(LatencySummary(tally.latencies)), "serviceTime": Self.record(LatencySummary(tally.serviceTimes)),
            "histogram": .array(bars.map(Self.record)),
            "statuses": .array(statuses.map { ["status": .integer($0.status), "count": .integer($0.count)] }),
            "grpcStatuses": .array(
                grpcStatuses.map {
                    ["status": .integer($0.status.code), "name": .string($0.status.name), "count": .integer($0.count)]
                }),
            "failures": .array(
                reasons.map { ["reason": .string($0.name), "count": .integer($0.failures.count), "message": .string($0.failures.first.message)] }),
            "bytes": ["sent": .integer(tally.bytesSent), "received": .integer(tally.bytesReceived)],
            "connections": ["opened": .integer(tally.connectionsOpened), "reused": .integer(tally.connectionsReused)],
            "attempts": .integer(tally.attempts),
        ]
    }

    private static func record(_ bar: LatencyBars.Bar) -> JSONValue {
        ["from": .seconds(Double(bar.from) / 1e9), "to": .seconds(Double(bar.to) / 1e9), "count": .integer(bar.count)]
    }

    private static func record(_ summary: LatencySummary?) -> JSONValue {
        summary.map { .object($0.values.map { JSONValue.Member($0.key, .seconds($0.seconds)) }) } ?? .null
    }
}

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
