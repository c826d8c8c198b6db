internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The evaluation of an exchange by the file of its endpoint or step: all checks, the failures, and the captured values.
///
/// Runs, `send`, the workbench and the history use it.
struct StepEvaluation {
    /// All comparisons, and whether the expectation decides about a failure by business rules.
    private(set) var result: ExpectationResult
    /// Why the step failed: unmet expectations first, then the error of the call, or else the captures without a value.
    private(set) var failures: [StepFailure] = []
    private(set) var captures: [String: String] = [:]
    /// The captured values, also those of a response that fails, so that they can be masked.
    private(set) var found: [String: String] = [:]
    /// The duration of the step's request, in seconds.
    let seconds: Double

    /// - Parameters:
    ///   - envelope: The envelope of the service; nil for none.
    ///   - contract: The description with which the exchange is compared; nil for none.
    ///   - requiresSuccess: Whether a status of 400 or above fails when no expectation names it.
    init(_ exchange: Exchange, _ prepared: PreparedStep, envelope: Envelope? = nil, contract: EndpointContract? = nil, requiresSuccess: Bool = true) {
        seconds = exchange.duration
        // An expectation of the JSON replaces the business rules, so that a step can expect a refusal.
        let coversRefusal = !prepared.expectation.json.isEmpty && exchange.error?.errorClass == .business && exchange.response != nil
        result = ExpectationResult(checks: exchange.parameterChecks, coversRefusal: coversRefusal)
        if let error = exchange.error, !coversRefusal { failures.append(StepFailure(error)) }
        // A part of a response, as of a cancelled call, is not compared.
        guard let response = exchange.response, exchange.error.map({ $0.errorClass == .transport || $0.isCancellation }) != true else { return }
        let body = Self.body(of: response, for: prepared, contract)
        result.checks += exchange.answerChecks { body }
        if let envelope, let check = envelope.check(of: exchange) { result.checks.append(check) }
        let graphQL = Self.graphQLChecks(of: exchange, prepared.expectation, body)
        let grpc = prepared.expectation.namesGRPCStatus ? [] : [exchange.grpcCheck].compactMap(\.self)
        result.checks += graphQL + grpc + exchange.reportedChecks
        // The expected time applies to the server and excludes the time in the request queue.
        var expected = prepared.expectation.checks(of: response, body: body, seconds: seconds - exchange.timing.queued)
        // Without an expected status, a step requires success: a chain must not continue after a refusal.
        let isExpected = prepared.expectation.statuses != nil || prepared.request.options.answer.accepts(status: response.status) == true
        if requiresSuccess, response.status >= 400, !isExpected, exchange.error == nil {
            expected.insert(ExchangeCheck(.expect, .failed, subject: "status", expected: "below 400", actual: String(response.status)), at: 0)
        }
        if let snapshot = prepared.expectation.snapshot { expected += SnapshotCheck(snapshot, of: exchange).checks(of: response) }
        let captured = prepared.captures.map { $0.check(of: response, body: body) }
        let described = contract?.checks(of: exchange) {
            [nil, .json].contains(prepared.request.options.answer.format) ? body : Result { () throws(BodyProblem) in try response.value(as: .json) }
        }
        expected += described ?? []
        result.checks += expected + captured
        // Unmet expectations come first, because the user can act on them.
        failures = (graphQL + grpc + exchange.reportedChecks + expected).compactMap(\.failure) + failures
        found = exchange.reportedValues
        var missing: [StepFailure] = []
        for capture in prepared.captures {
            do { found[capture.name] = try capture.value(in: response, body: body) } catch { missing.append(error) }
        }
        guard failures.isEmpty else { return }
        (captures, failures) = (found, missing)
    }

    /// The checks of a response to a GraphQL request; empty where the endpoint expects errors: by a condition for them, or by a status of 400 or above.
    private static func graphQLChecks(
        of exchange: Exchange, _ expectation: Expectation, _ body: Result<JSONValue, BodyProblem>
    ) -> [ExchangeCheck] {
        guard exchange.request.isGraphQL, let response = exchange.response else { return [] }
        let expectsErrors = expectation.json.contains { row in
            row.isEnabled && ["$.errors", "$['errors']", "$[\"errors\"]"].contains { row.name.hasPrefix($0) }
        }
        guard !expectsErrors, !(response.status >= 400 && expectation.statuses != nil) else { return [] }
        return exchange.graphQLChecks(body: body)
    }

    private static func body(of response: Response, for prepared: PreparedStep, _ contract: EndpointContract?) -> Result<JSONValue, BodyProblem> {
        let rules = prepared.request.options.answer
        let isWanted =
            !prepared.expectation.json.isEmpty || prepared.expectation.schema != nil
            || prepared.captures.contains(where: \.readsBody) || rules.format != nil || rules.schema != nil || prepared.request.isGraphQL
            || contract != nil && response.format == .json
        guard isWanted, response.body.count <= JSONValue.bodyLimit else {
            let limit = ByteCount(JSONValue.bodyLimit).text
            return .failure(BodyProblem(message: "the body is larger than \(limit) and is not read as JSON", line: 1, column: 1, byte: 0))
        }
        do { return .success(try response.value(as: rules.format)) } catch { return .failure(error) }
    }
}

extension Envelope {
    /// The check of the result code, from the outcome of the call; nil where the body was not compared.
    fileprivate func check(of exchange: Exchange) -> ExchangeCheck? {
        let expected = success.map(\.plainText).joined(separator: " or ")
        if exchange.error?.errorClass == .business, let code = exchange.error?.businessCode {
            return ExchangeCheck(.envelope, .failed, subject: "\(codePath)", expected: expected, actual: code, readsBody: true)
        }
        guard exchange.error == nil, exchange.value != nil else { return nil }
        return ExchangeCheck(.envelope, .passed, subject: "\(codePath)", expected: expected, actual: expected, readsBody: true)
    }
}
