internal import SortieHTTP
internal import WorkspaceModel

/// The evaluation of a step's response: its failures and its captures.
struct StepVerdict {
    /// The expectations that the response does not meet.
    private(set) var unmet: [StepFailure] = []
    /// Whether the expectation decides about a failure by business rules.
    let coversRefusal: Bool
    /// Why the step failed: unmet expectations first, then the error of the call.
    private(set) var failures: [StepFailure] = []
    private(set) var captures: [String: String] = [:]
    /// The duration of the step's request, in seconds.
    let seconds: Double

    /// - Parameter requiresSuccess: Whether a status of 400 or above fails when no expectation names it.
    init(_ exchange: Exchange, _ prepared: PreparedStep, requiresSuccess: Bool = true) {
        seconds = exchange.duration
        // An expectation of the JSON replaces the business rules, so that a step can expect a refusal.
        coversRefusal = !prepared.expectation.json.isEmpty && exchange.error?.errorClass == .business && exchange.response != nil
        if let error = exchange.error, !coversRefusal { failures.append(StepFailure(error)) }
        guard let response = exchange.response, exchange.error?.errorClass != .transport else { return }
        let body = Self.body(of: response, for: prepared)
        // The expected time applies to the server and excludes the time in the request queue.
        unmet = prepared.expectation.failures(of: response, body: body, seconds: seconds - exchange.timing.queued)
        // Without an expected status, a step requires success (S2.29): a chain must not continue after a refusal.
        let isExpected = prepared.expectation.status != nil || prepared.request.options.answer.accepts(status: response.status) == true
        if requiresSuccess, response.status >= 400, !isExpected, exchange.error == nil {
            unmet.insert(StepFailure(.expectation, subject: "status", expected: "below 400", actual: String(response.status)), at: 0)
        }
        // Unmet expectations come first, because the user can act on them.
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
        do { return .success(try response.value(as: prepared.request.options.answer.format)) } catch { return .failure(error) }
    }
}
