internal import Histogram
internal import SortieHTTP
internal import WorkspaceModel

/// The counts of a bench.
///
/// Requests and bodies are not kept.
struct BenchTally: Sendable {
    /// The calls that failed for one reason.
    struct Failures: Sendable {
        var count = 0
        /// The first failure, with secrets masked.
        let first: CommandFailure
    }

    /// The longest recorded time: a day in nanoseconds.
    ///
    /// Longer ones count as this value.
    private static let longest: UInt64 = 86_400_000_000_000
    /// The number of different notices that are kept.
    private static let noticeLimit = 5

    /// The times from the intended starts to the ends, in nanoseconds; the precision is three digits.
    private(set) var latencies = Histogram<UInt64>(
        lowestDiscernibleValue: 1, highestTrackableValue: Self.longest, numberOfSignificantValueDigits: .three)
    /// The times from the starts to the ends; empty without a rate, where they are the same.
    private(set) var serviceTimes = Histogram<UInt64>(
        lowestDiscernibleValue: 1, highestTrackableValue: Self.longest, numberOfSignificantValueDigits: .three)
    /// The number of calls that ended.
    private(set) var calls = 0
    /// The number of calls that ended without a response.
    private(set) var withoutResponse = 0
    /// The number of calls that an interruption ended.
    private(set) var cancelled = 0
    private(set) var statuses: [Int: Int] = [:]
    /// The number of calls by the code of their gRPC status; empty for other calls.
    private(set) var grpcStatuses: [Int: Int] = [:]
    private(set) var failures: [String: Failures] = [:]
    private(set) var attempts = 0
    private(set) var bytesSent: Int64 = 0
    private(set) var bytesReceived: Int64 = 0
    private(set) var connectionsOpened = 0
    private(set) var connectionsReused = 0
    private(set) var notices: [String] = []

    /// The number of calls that failed.
    var failed: Int { failures.values.reduce(0) { $0 + $1.count } }

    /// Counts a call that ended.
    ///
    /// - Parameters:
    ///   - latency: the time since its intended start.
    ///   - serviceTime: the time since its start; nil where that is the intended one.
    ///   - failure: the reason of a failed call.
    ///   - describe: creates the failure, which only the first one of a reason needs.
    mutating func note(_ exchange: Exchange, latency: Duration, serviceTime: Duration?, failure: String?, describe: () -> CommandFailure) {
        record(latency, serviceTime)
        for attempt in exchange.attempts {
            attempts += 1
            bytesSent += attempt.sentBodyBytes
            bytesReceived += attempt.response?.wireBytes ?? 0
            if attempt.isConnectionReused {
                connectionsReused += 1
            } else if attempt.timing.connect > 0 {
                connectionsOpened += 1
            }
        }
        if let response = exchange.response {
            statuses[response.status, default: 0] += 1
            if exchange.grpcCheck != nil, let status = response.grpcStatus { grpcStatuses[status.knownCode, default: 0] += 1 }
        } else {
            withoutResponse += 1
        }
        for notice in exchange.notices where notices.count < Self.noticeLimit && !notices.contains(notice) { notices.append(notice) }
        if let failure { note(failure, describe) }
    }

    /// Counts a call whose request could not be built.
    mutating func note(unsent failure: CommandFailure, latency: Duration, serviceTime: Duration?) {
        record(latency, serviceTime)
        withoutResponse += 1
        note(failure.name) { failure }
    }

    /// Counts a call that an interruption ended; its time is not one of the server.
    mutating func noteCancelled() { cancelled += 1 }

    private mutating func record(_ latency: Duration, _ serviceTime: Duration?) {
        calls += 1
        latencies.record(Self.nanoseconds(latency))
        if let serviceTime { serviceTimes.record(Self.nanoseconds(serviceTime)) }
    }

    private mutating func note(_ reason: String, _ describe: () -> CommandFailure) {
        failures[reason, default: Failures(first: describe())].count += 1
    }

    private static func nanoseconds(_ time: Duration) -> UInt64 {
        let (seconds, attoseconds) = time.components
        guard seconds >= 0, seconds < 86_400 else { return seconds < 0 ? 0 : longest }
        return UInt64(seconds) * 1_000_000_000 + UInt64(max(0, attoseconds / 1_000_000_000))
    }
}
