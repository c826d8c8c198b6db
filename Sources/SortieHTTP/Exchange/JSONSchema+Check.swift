package import SortieBase

extension JSONSchema {
    /// The most failures of one schema that are listed.
    private static let listedFailures = 20

    /// The comparison of a body with the schema: one check for a valid body, else one for each failure.
    ///
    /// - Parameters:
    ///   - subject: ``ExchangeCheck/schemaSubject`` or ``ExchangeCheck/shapeSubject``.
    ///   - name: The name of the schema in reports.
    ///   - body: The body as JSON, or why it cannot be read.
    ///   - steps: The remaining budget of regular expressions.
    package func checks(
        _ key: ExchangeCheck.Key, _ subject: String, named name: String, of body: Result<JSONValue, BodyProblem>, _ steps: inout Int
    ) -> [ExchangeCheck] {
        let failures: [JSONSchemaFailure]
        do {
            failures = try self.failures(in: try body.get(), limit: Self.listedFailures + 1, patternSteps: &steps)
        } catch {
            return [ExchangeCheck(key, .failed, subject: subject, expected: name, actual: "\(error)", readsBody: true)]
        }
        guard !failures.isEmpty else { return [ExchangeCheck(key, .passed, subject: subject, expected: name, actual: "valid", readsBody: true)] }
        var checks = failures.prefix(Self.listedFailures).map { failure in
            let failure = failure.withoutSecret
            return ExchangeCheck(
                key, .failed, subject: "\(subject) \(failure.path)", expected: "\(failure.keyword): \(failure.expected)", actual: failure.actual,
                readsBody: true)
        }
        if failures.count > Self.listedFailures {
            let more = "more than the \(Self.listedFailures) failures that are listed"
            checks.append(ExchangeCheck(key, .failed, subject: subject, expected: name, actual: more, readsBody: true))
        }
        return checks
    }
}

extension JSONSchemaFailure {
    /// The failure without a value that has the name of a secret, because reports are sent to build servers.
    package var withoutSecret: JSONSchemaFailure {
        var failure = self
        if Redaction.standard.isSecretPath("\(path)") { failure.actual = HeaderField.mask }
        return failure
    }
}
