internal import Histogram
internal import SortieHTTP
internal import SortieNetworking
internal import Synchronization

/// Makes the calls of a bench: a number of workers, each of which starts its next call when its last one has ended or, with a rate, when it is due.
///
/// With a rate, the latency of a call is counted from its intended start. A call whose start is delayed, because all workers wait for the server, has
/// that delay in its latency, so that the percentiles are those of callers that arrive independently of the server (coordinated omission).
final class BenchRun: Sendable {
    /// The progress of a bench.
    struct Progress: Sendable {
        let elapsed: Duration
        let calls: Int
        let failed: Int
    }

    let plan: BenchPlan
    private let client: Client
    /// The request of each call.
    private let requests: RequestRepetition
    private let redaction: LiveRedaction
    /// Receives the events of the first call, for `-v`; nil without.
    private let observer: (@Sendable (CallEvent) -> Void)?
    private let tally = Mutex(BenchTally())
    /// The number of calls that a worker has taken, and of those that were due and have started.
    private let claimed = Atomic(0)
    private let started = Atomic(0)
    private let begin = Mutex(ContinuousClock.now)

    init(
        _ plan: BenchPlan, client: Client, requests: RequestRepetition, redaction: LiveRedaction, observer: (@Sendable (CallEvent) -> Void)?
    ) {
        (self.plan, self.client, self.requests) = (plan, client, requests)
        (self.redaction, self.observer) = (redaction, observer)
    }

    /// The calls so far.
    var progress: Progress {
        let elapsed = ContinuousClock.now - begin.withLock { $0 }
        return tally.withLock { Progress(elapsed: elapsed, calls: $0.calls, failed: $0.failed) }
    }

    /// Makes the calls.
    ///
    /// Cancelling the task ends those in flight, which are not counted.
    func run() async -> BenchResult {
        let start = ContinuousClock.now
        begin.withLock { $0 = start }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<plan.concurrency {
                group.addTask { [self] in
                    while !Task.isCancelled {
                        guard await perform(claimed.add(1, ordering: .relaxed).oldValue, of: start) else { return }
                    }
                }
            }
        }
        let elapsed = ContinuousClock.now - start
        let started = started.load(ordering: .relaxed)
        let notStarted = plan.intendedCalls(within: elapsed).map { max(0, $0 - started) } ?? 0
        return BenchResult(
            plan: plan, tally: tally.withLock { $0 }, duration: elapsed / .seconds(1), notStarted: notStarted, isInterrupted: Task.isCancelled)
    }

    /// Makes a call when it is due; false when no further one is to be made.
    private func perform(_ call: Int, of start: ContinuousClock.Instant) async -> Bool {
        if let requests = plan.requests, call >= requests { return false }
        let end = plan.duration.map { start + $0 }
        var intended: ContinuousClock.Instant?
        if let offset = plan.intendedStart(of: call) {
            let due = start + offset
            if let end, due >= end { return false }
            if due > .now {
                do { try await Task.sleep(until: due, tolerance: .zero, clock: .continuous) } catch { return false }
            }
            intended = due
        }
        if let end, .now >= end { return false }
        started.add(1, ordering: .relaxed)
        await send(call, intended: intended)
        return true
    }

    private func send(_ call: Int, intended: ContinuousClock.Instant?) async {
        let start = ContinuousClock.now
        let next: PreparedRequest
        do { next = try await requests.next() } catch {
            let now = ContinuousClock.now
            let failure = error as? CommandFailure ?? CommandFailure(.file, "\(error)")
            if Task.isCancelled { return tally.withLock { $0.noteCancelled() } }
            return tally.withLock { $0.note(unsent: failure, latency: now - (intended ?? start), serviceTime: intended.map { _ in now - start }) }
        }
        var exchange = await client.exchange(next.request, onEvent: call == 0 ? observer : nil)
        let end = ContinuousClock.now
        // The comparison is work of this program and not part of the latency.
        if let check = next.check { exchange = await check.checked(exchange) }
        if Task.isCancelled, exchange.error?.code == .cancelled || next.check != nil {
            return tally.withLock { $0.noteCancelled() }
        }
        let reason = Self.failure(of: exchange, namesStatus: next.check?.namesStatus == true)
        tally.withLock {
            $0.note(exchange, latency: end - (intended ?? start), serviceTime: intended.map { _ in end - start }, failure: reason) {
                failure(of: exchange)
            }
        }
    }

    /// The reason why a call failed, as in a run: its error, what the endpoint expects, or a status of 400 or above that nothing accepts.
    private static func failure(of exchange: Exchange, namesStatus: Bool) -> String? {
        let expectation = exchange.expectationResult
        if let error = exchange.error, expectation?.coversRefusal != true { return error.code.rawValue }
        if let failures = expectation?.failures, !failures.isEmpty { return "expectation" }
        guard let response = exchange.response, !namesStatus else { return nil }
        let isAccepted = exchange.request.options.answer.accepts(status: response.status) ?? (response.status < 400)
        return isAccepted ? nil : "status"
    }

    /// The failure of a failed call, with secrets masked.
    private func failure(of exchange: Exchange) -> CommandFailure {
        let redaction = redaction.current.learning(from: exchange)
        let expectation = exchange.expectationResult
        if let error = exchange.error, expectation?.coversRefusal != true { return CommandFailure(redaction.masked(error)) }
        if let failures = expectation?.failures, !failures.isEmpty {
            let text = failures.map { $0.masked(by: redaction).description }.joined(separator: "; ")
            return CommandFailure(.response, name: "expectation", text)
        }
        return CommandFailure(.response, name: "status", "the server responded with \(exchange.response?.status ?? 0)")
    }
}

/// When the calls of a bench start.
struct BenchPlan: Hashable, Sendable {
    /// The number of calls; nil for as many as the time allows.
    let requests: Int?
    /// The time in which calls start; nil without a limit.
    let duration: Duration?
    /// The maximum number of calls at a time.
    let concurrency: Int
    /// The number of intended starts per second; nil where a call starts when another one has ended.
    let rate: Double?

    /// The intended start of a call after the begin of the bench; nil without a rate.
    func intendedStart(of call: Int) -> Duration? {
        rate.map { .nanoseconds(Int64((Double(call) / $0 * 1e9).rounded())) }
    }

    /// The number of calls whose intended start is within a time after the begin; nil without a rate.
    func intendedCalls(within elapsed: Duration) -> Int? {
        guard let rate else { return nil }
        let time = min(elapsed, duration ?? elapsed)
        // The first call starts at once, and none at the end of the time.
        let count = max(1, Int((time / .seconds(1) * rate).rounded(.up)))
        return min(count, requests ?? count)
    }
}

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
