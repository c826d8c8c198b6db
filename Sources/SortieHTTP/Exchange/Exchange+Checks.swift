internal import SortieBase

extension Exchange {
    /// The comparison of each parameter with its rule; one check per rule.
    package var parameterChecks: [ExchangeCheck] {
        let values = request.parameterValues
        return request.options.parameterRules.map { rule in
            let given = values[rule.name] ?? []
            let problem = (given.isEmpty ? [nil] : given.map(Optional.some)).lazy.compactMap { rule.problem(of: $0) }.first
            return ExchangeCheck(
                .parameters, problem == nil ? .passed : .failed, subject: rule.name, expected: problem,
                actual: given.isEmpty ? "not sent" : given.joined(separator: ", "))
        }
    }

    /// The comparison of the response with `answer:` of its endpoint.
    ///
    /// The rules of the response are those that decide about the error of the call. Each is compared, also after one that failed.
    ///
    /// - Parameter body: The body, read in the format of the endpoint, or the reason why it cannot be read.
    package func answerChecks(body: () -> Result<JSONValue, BodyProblem>) -> [ExchangeCheck] {
        guard let response else { return [] }
        let rules = request.options.answer
        var checks: [ExchangeCheck] = []
        if let statuses = rules.statuses, let isAccepted = rules.accepts(status: response.status) {
            let texts = statuses.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            checks.append(
                ExchangeCheck(
                    .answer, isAccepted ? .passed : .failed, subject: "status", expected: texts.joined(separator: " or "),
                    actual: String(response.status)))
        }
        if let types = rules.contentTypes {
            // An empty body has no type that could be wrong.
            let isAccepted = response.body.isEmpty || rules.problem(ofContentType: response.contentType) == nil
            checks.append(
                ExchangeCheck(
                    .answer, isAccepted ? .passed : .failed, subject: "types", expected: types.joined(separator: " or "),
                    actual: response.body.isEmpty ? "no body" : response.contentType ?? "no type"))
        }
        guard rules.format != nil || rules.shape != nil else { return checks }
        let body = body()
        if let format = rules.format {
            let (outcome, actual): (ExchangeCheck.Outcome, String) =
                switch body {
                case .success: (.passed, format.rawValue)
                case .failure(let problem): (.failed, "the body is \(problem)")
                }
            checks.append(ExchangeCheck(.answer, outcome, subject: "format", expected: format.rawValue, actual: actual, readsBody: true))
        }
        if let shape = rules.shape {
            let problem: String? =
                switch body {
                case .success(let value): shape.mismatch(in: value).map { "\($0)" }
                case .failure(let problem): "\(problem)"
                }
            checks.append(
                ExchangeCheck(
                    .answer, problem == nil ? .passed : .failed, subject: "shape", expected: "the names and types of the example",
                    actual: problem ?? "the same", readsBody: true))
        }
        return checks
    }
}
