internal import SortieBase
internal import SortieHTTP

extension Expectation {
    /// The most failures of one schema that are listed.
    private static let schemaFailures = 20

    /// The comparison with the schema: one check for a valid body, else one for each failure.
    func checks(by source: SchemaSource, of body: Result<JSONValue, BodyProblem>, _ steps: inout Int) -> [ExchangeCheck] {
        guard case .loaded(let schema, let name) = source else {
            return [ExchangeCheck(.expect, .unresolved, subject: "schema", expected: source.name, actual: "the schema was not read", readsBody: true)]
        }
        let failures: [JSONSchemaFailure]
        do {
            failures = try schema.failures(in: try body.get(), limit: Self.schemaFailures + 1, patternSteps: &steps)
        } catch {
            return [ExchangeCheck(.expect, .failed, subject: "schema", expected: name, actual: "\(error)", readsBody: true)]
        }
        guard !failures.isEmpty else {
            return [ExchangeCheck(.expect, .passed, subject: "schema", expected: name, actual: "valid", readsBody: true)]
        }
        var checks = failures.prefix(Self.schemaFailures).map { failure in
            // Reports are sent to build servers, so values with the name of a secret are left out.
            let isHidden = Redaction.standard.isSecretPath("\(failure.path)")
            return ExchangeCheck(
                .expect, .failed, subject: "\(ExchangeCheck.schemaSubject)\(failure.path)", expected: "\(failure.keyword): \(failure.expected)",
                actual: isHidden ? HeaderField.mask : failure.actual, readsBody: true)
        }
        if failures.count > Self.schemaFailures {
            checks.append(
                ExchangeCheck(
                    .expect, .failed, subject: "schema", expected: name, actual: "more than the \(Self.schemaFailures) failures that are listed",
                    readsBody: true))
        }
        return checks
    }
}
