internal import Model

/// What an answer means for its step: what it failed, what was captured of it.
struct StepVerdict {
    private(set) var failures: [StepFailure] = []
    private(set) var captures: [String: String] = [:]
    /// How long the step's call took, in seconds.
    let seconds: Double

    init(_ exchange: Exchange, _ prepared: PreparedStep) {
        seconds = exchange.duration
        // Whoever expects something of the JSON judges the answer himself, so that a refusal can be what is expected.
        let judgesBody = !prepared.expectation.json.isEmpty && exchange.error?.errorClass == .business
        if let error = exchange.error, !judgesBody || exchange.response == nil { failures.append(StepFailure(error)) }
        guard let response = exchange.response, exchange.error?.errorClass != .transport else { return }
        let body = Self.body(of: response, for: prepared)
        // What is expected is a time of the server; the queue of the service is no part of it.
        var unmet = prepared.expectation.failures(of: response, body: body, seconds: seconds - exchange.timing.queued)
        // Who says nothing of the status means success (S2.29): a chain must not go on from a refusal as if nothing had been.
        let isExpected = prepared.expectation.status != nil || prepared.request.options.answer.accepts(status: response.status) == true
        if response.status >= 400, !isExpected, exchange.error == nil {
            unmet.insert(StepFailure(.expectation, subject: "status", expected: "below 400", actual: String(response.status)), at: 0)
        }
        // What a person can act on comes first.
        failures = unmet + failures
        guard failures.isEmpty else { return }
        for capture in prepared.captures {
            do { captures[capture.name] = try capture.value(in: response, body: body) } catch { failures.append(error) }
        }
    }

    private static func body(of response: Response, for prepared: PreparedStep) -> Result<JSONValue, BodyProblem> {
        let isWanted = !prepared.expectation.json.isEmpty || prepared.captures.contains { $0.path.hasPrefix("$") }
        guard isWanted, response.body.count <= JSONValue.bodyLimit else {
            let limit = ByteCount(JSONValue.bodyLimit).text
            return .failure(BodyProblem(message: "the body is larger than \(limit) and is not read as JSON", line: 1, column: 1, byte: 0))
        }
        do { return .success(try JSONValue(parsing: response.utf8Body)) } catch { return .failure(error) }
    }
}
