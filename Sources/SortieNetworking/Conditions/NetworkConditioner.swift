internal import SortieHTTP

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
    func transfer(_ spec: TransferRequest, body: any BodySink, observer: (@Sendable (Transfer.Event) -> Void)?) async -> TransferOutcome {
        let limiter = RateLimiter(limit: conditions.rate)
        var outcome = await attempt(spec, body: conditions.rate == nil ? body : SlowBody(body, limiter: limiter), observer: observer)
        // A small body may arrive at once; its end is delayed to match the rate.
        let now = MonotonicClock.now
        if outcome.error == nil, let end = limiter.take(0, now: now) {
            let rest = Double(end - now) / 1e9
            do throws(NetworkError) { try await call.pause(seconds: rest) } catch { outcome.error = error }
            outcome.delay(end: MonotonicClock.seconds(from: now))
        }
        return outcome
    }

    private func attempt(_ spec: TransferRequest, body: any BodySink, observer: (@Sendable (Transfer.Event) -> Void)?) async -> TransferOutcome {
        call.decided(.conditions, "network conditions are simulated: \(conditions.text)\(fails ? "; this attempt fails" : "")")
        do throws(NetworkError) {
            if conditions.delay > 0 { try await call.pause(seconds: conditions.delay) }
            var outcome = fails ? try await failure(spec, body) : await call.transfer(spec, body: body, observer: observer)
            outcome.delay(answer: conditions.delay)
            return outcome
        } catch { return TransferOutcome(error: error) }
    }

    private func failure(_ spec: TransferRequest, _ body: any BodySink) async throws(NetworkError) -> TransferOutcome {
        let place = spec.url.authority
        switch conditions.failure {
        case .refused:
            return TransferOutcome(error: made(.connectionRefused, "\(place) refuses connections"))
        case .reset:
            return TransferOutcome(error: made(.connectionLost, "the connection to \(place) was reset"))
        case .silence:
            return TransferOutcome(error: try await silence(place, spec))
        case .status(let status):
            let text = "Sortie generated this response to simulate network conditions.\n"
            return await TransferOutcome(
                header: ["HTTP/1.1 \(status) Simulated", "Content-Type: text/plain", "Content-Length: \(text.utf8.count)"], text: text,
                into: body)
        }
    }

    /// Waits for the idle timeout, or for the deadline of the call, which throws.
    private func silence(_ place: String, _ spec: TransferRequest) async throws(NetworkError) -> NetworkError {
        let idle = spec.idleLimit
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
