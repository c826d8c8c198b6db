internal import SortieHTTP
internal import Synchronization

/// Simulates bad network conditions for one attempt before it reaches the real network.
///
/// The waits belong to the call, so cancellation, suspension and time limits apply to them.
struct NetworkConditioner {
    let call: Call
    let conditions: NetworkConditions
    let fails: Bool

    /// Waits, then fails as configured or performs the attempt.
    ///
    /// An error that ends a wait becomes the outcome.
    func transfer(_ request: TransferRequest, body: any BodySink, observer: (@Sendable (Transfer.Event) -> Void)?) async -> TransferOutcome {
        let limiter = RateLimiter(limit: conditions.rate)
        var outcome = await attempt(request, body: conditions.rate == nil ? body : SlowBody(body, limiter: limiter), observer: observer)
        // A small body may arrive at once; its end is delayed to match the rate.
        let now = MonotonicClock.now
        if outcome.error == nil, let end = limiter.take(0, now: now) {
            let rest = Double(end - now) / 1e9
            do throws(NetworkError) { try await call.pause(seconds: rest) } catch { outcome.error = error }
            outcome.delay(end: MonotonicClock.seconds(from: now))
        }
        return outcome
    }

    private func attempt(_ request: TransferRequest, body: any BodySink, observer: (@Sendable (Transfer.Event) -> Void)?) async -> TransferOutcome {
        call.decided(.conditions, "network conditions are simulated: \(conditions.text)\(fails ? "; this attempt fails" : "")")
        do throws(NetworkError) {
            if conditions.delay > 0 { try await call.pause(seconds: conditions.delay) }
            var outcome = fails ? try await failure(request, body) : await call.transfer(request, body: body, observer: observer)
            outcome.delay(answer: conditions.delay)
            return outcome
        } catch { return TransferOutcome(error: error) }
    }

    private func failure(_ request: TransferRequest, _ body: any BodySink) async throws(NetworkError) -> TransferOutcome {
        let place = request.url.authority
        switch conditions.failure {
        case .refused:
            return TransferOutcome(error: made(.connectionRefused, "\(place) refuses connections"))
        case .reset:
            return TransferOutcome(error: made(.connectionLost, "the connection to \(place) was reset"))
        case .silence:
            return TransferOutcome(error: try await silence(place, request))
        case .status(let status):
            let text = "Sortie generated this response to simulate network conditions.\n"
            return await TransferOutcome(
                header: ["HTTP/1.1 \(status) Simulated", "Content-Type: text/plain", "Content-Length: \(text.utf8.count)"], text: text,
                into: body)
        }
    }

    /// Waits for the idle timeout, or for the deadline of the call, which throws.
    private func silence(_ place: String, _ request: TransferRequest) async throws(NetworkError) -> NetworkError {
        let idle = request.idleLimit
        try await call.pause(seconds: Double(idle.nanoseconds) / 1e9)
        var error = made(.timedOut, "no data arrived from \(place) for \(idle.spoken)")
        error.timeLimit = .idle
        return error
    }

    private func made(_ code: NetworkError.Code, _ words: String) -> NetworkError {
        NetworkError(code, "\(words) (simulated network conditions)", remedy: .simulatedConditions)
    }
}

extension NetworkConditions {
    /// The request with the simulated rate limits.
    func slowing(_ request: Request) -> Request {
        guard let rate else { return request }
        var request = request
        request.options.maximumUploadRate = min(rate, request.options.maximumUploadRate ?? rate)
        // libcurl 7.88.1 cannot be paused over HTTP/2 (`EngineFacts.md`, headline 5).
        if request.options.version == .automatic { request.options.version = .http1 }
        return request
    }
}

/// The simulated network conditions by service.
///
/// This type alone decides which attempts they affect.
///
/// Without conditions an attempt costs one atomic load.
final class ConditionsTable: Sendable {
    /// A random number source: from 0 to 1, excluding 1.
    typealias Chance = @Sendable () -> Double

    private let isOn = Atomic<Bool>(false)
    private let table = Mutex<[String: NetworkConditions]>([:])
    private let chance: Chance

    init(chance: @escaping Chance = { Double.random(in: 0..<1) }) {
        self.chance = chance
    }

    /// Replaces the table.
    ///
    /// Conditions without any effect are omitted.
    func use(_ conditions: [String: NetworkConditions]) {
        let conditions = conditions.filter { !$0.value.isPlain }
        table.withLock { $0 = conditions }
        isOn.store(!conditions.isEmpty, ordering: .relaxed)
    }

    /// The conditions for an attempt of a request; nil where none apply.
    func conditions(for request: Request) -> NetworkConditions? {
        guard isOn.load(ordering: .relaxed) else { return nil }
        return table.withLock { $0[request.service ?? request.url.origin] }
    }

    /// Whether an attempt is to fail, drawn at random.
    func hits(_ conditions: NetworkConditions) -> Bool {
        conditions.failureShare > 0 && chance() < conditions.failureShare
    }
}

/// A body sink that limits the rate and passes the bytes to another sink.
///
/// libcurl's own rate limit is not used: 7.88.1 exceeds it many times over.
struct SlowBody: BodySink {
    private var body: any BodySink
    private let limiter: RateLimiter

    init(_ body: any BodySink, limiter: RateLimiter) {
        (self.body, self.limiter) = (body, limiter)
    }

    var count: Int64 { body.count }
    var view: BodyBytes { body.view }
    var isBehind: Bool { body.isBehind }
    var failure: NetworkError? { body.failure }
    var beginsWithHeader: Bool { body.beginsWithHeader }

    mutating func begin(_ header: HeaderBytes) throws(NetworkError) { try body.begin(header) }

    mutating func append(_ bytes: UnsafeRawBufferPointer, whenDrained: @escaping @Sendable () -> Void) throws(NetworkError) -> Bool {
        let mustWait = try body.append(bytes, whenDrained: whenDrained)
        guard let time = limiter.take(bytes.count, now: LoopClock.now) else { return mustWait }
        Engine.assumeIsolated { TimerQueue.shared.set(TimerQueue.ID(), at: time, action: whenDrained) }
        return true
    }

    mutating func flush() { body.flush() }

    func waitUntilWritten() { body.waitUntilWritten() }

    func finish() async throws(NetworkError) { try await body.finish() }
}
