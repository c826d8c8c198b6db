internal import Model

/// What an answer means for its step: what it failed, what was captured of it.
struct StepVerdict {
    /// What is not as expected.
    private(set) var unmet: [StepFailure] = []
    /// Whether a refusal by business rules is left to the expectation.
    let coversRefusal: Bool
    /// Why the step failed: what is not as expected, then the error of the call.
    private(set) var failures: [StepFailure] = []
    private(set) var captures: [String: String] = [:]
    /// How long the step's call took, in seconds.
    let seconds: Double

    /// - Parameter requiresSuccess: whether a status of 400 and above fails where nothing names it.
    init(_ exchange: Exchange, _ prepared: PreparedStep, requiresSuccess: Bool = true) {
        seconds = exchange.duration
        // An expectation of the JSON decides itself, so that a refusal can be what is expected.
        coversRefusal = !prepared.expectation.json.isEmpty && exchange.error?.errorClass == .business && exchange.response != nil
        if let error = exchange.error, !coversRefusal { failures.append(StepFailure(error)) }
        guard let response = exchange.response, exchange.error?.errorClass != .transport else { return }
        let body = Self.body(of: response, for: prepared)
        // What is expected is a time of the server; the queue of the service is no part of it.
        unmet = prepared.expectation.failures(of: response, body: body, seconds: seconds - exchange.timing.queued)
        // Who says nothing of the status means success (S2.29): a chain must not go on from a refusal as if nothing had been.
        let isExpected = prepared.expectation.status != nil || prepared.request.options.answer.accepts(status: response.status) == true
        if requiresSuccess, response.status >= 400, !isExpected, exchange.error == nil {
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
