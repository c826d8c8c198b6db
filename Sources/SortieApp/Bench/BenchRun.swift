internal import SortieHTTP
internal import SortieNetworking
internal import Synchronization
internal import WorkspaceModel

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
        let next: (request: Request, check: ResponseCheck?)
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
