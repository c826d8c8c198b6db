/// The result of one comparison of an exchange with the file of its endpoint: a rule for a parameter, a condition, a captured value.
package struct ExchangeCheck: Hashable, Sendable {
    /// The key of the file that has the condition.
    package enum Key: String, Hashable, Sendable, CaseIterable {
        case parameters, answer, envelope, graphql, grpc, hook, expect, contract, capture, example
    }

    /// The outcome of a comparison.
    package enum Outcome: String, Hashable, Sendable {
        case passed, failed
        /// The comparison failed, which is not an error.
        case warned
        /// The condition is not valid, or a template in it has no value.
        case unresolved
        /// The data for the comparison is missing.
        case skipped
    }

    /// The key of the file that has the condition.
    package var key: Key
    /// The compared part: `status`, `$.code`, `header ETag`, the name of a parameter or of a captured value.
    package var subject: String
    /// The expected value; nil where there is no particular one.
    package var expected: String?
    /// The actual value, or why the comparison was not possible; a long one is truncated when it is masked.
    package var actual: String
    /// The outcome.
    package var outcome: Outcome
    /// Whether the comparison reads the body of the response.
    package var readsBody: Bool
    /// What the user can do about the failure; nil where the values say it.
    package var remedy: Diagnostic.Remedy?

    /// Creates a result.
    package init(
        _ key: Key, _ outcome: Outcome, subject: String, expected: String? = nil, actual: String, readsBody: Bool = false,
        remedy: Diagnostic.Remedy? = nil
    ) {
        (self.key, self.outcome, self.subject, self.expected) = (key, outcome, subject, expected)
        self.actual = StepFailure.kept(actual)
        (self.readsBody, self.remedy) = (readsBody, remedy)
    }

    /// Creates the check of a failure of a run's step.
    package init(_ key: Key, _ failure: StepFailure) {
        self.init(
            key, failure.kind == .preparation ? .unresolved : .failed, subject: failure.subject, expected: failure.expected, actual: failure.actual,
            remedy: failure.remedy)
    }

    /// The reason for the failure; nil for a check that passed or was skipped.
    package var failure: StepFailure? {
        guard outcome == .failed || outcome == .unresolved else { return nil }
        var failure = StepFailure(outcome == .failed ? .expectation : .preparation, subject: subject, expected: expected, actual: actual)
        failure.isReported = key == .hook
        failure.remedy = remedy
        return failure
    }

    /// Returns the check with secrets masked.
    package func masked(by redaction: Redaction) -> ExchangeCheck {
        var masked = self
        let name = Self.name(in: subject)
        let isSecret = redaction.isSecretPath(name) || key == .capture && expected.map(redaction.isSecretPath) == true
        let isValue = [.passed, .failed, .warned].contains(outcome) && !Self.missing.contains(actual)
        masked.actual = isSecret && isValue ? HeaderField.mask : redaction.masked(actual)
        masked.expected = expected.map { redaction.masked($0) }
        if key == .hook {
            // A hook takes its names and expected values from the response; those of the other checks are in the file of the endpoint.
            masked.subject = redaction.masked(subject)
            if isSecret, expected != nil { masked.expected = HeaderField.mask }
        }
        masked.actual = StepFailure.shortened(masked.actual)
        return masked
    }

    /// The name of the field or the path in a ``subject``, without the word for the kind of comparison before it.
    static func name(in subject: String, orAfter kind: String? = nil) -> String {
        let kinds = contractKinds + ["header ", "\(schemaSubject) ", "\(shapeSubject) ", "\(snapshotSubject) "] + [kind].compactMap(\.self)
        return kinds.first(where: subject.hasPrefix).map { String(subject.dropFirst($0.count)) } ?? subject
    }

    /// The ``subject`` of the comparison with a snapshot; a difference has its path after it.
    package static let snapshotSubject = "snapshot"

    /// Whether the check compares the body with a snapshot.
    package var isOfSnapshot: Bool { key == .expect && (subject == Self.snapshotSubject || subject.hasPrefix("\(Self.snapshotSubject) ")) }

    /// The ``subject`` of the comparison with a JSON Schema; a failure has its path after it.
    package static let schemaSubject = "schema"

    /// The ``subject`` of the comparison with a shape; a failure has its path after it.
    package static let shapeSubject = "shape"

    /// The words before the name in a ``subject`` of ``Key/contract``.
    private static let contractKinds = ["request body ", "request header ", "body ", "query ", "path ", "cookie "]

    /// The texts of ``actual`` for a value that is missing.
    private static let missing = ["nothing", "not sent"]
}

/// The result of comparing an exchange with the file of its endpoint.
package struct ExpectationResult: Hashable, Sendable {
    /// All comparisons: parameters, conditions of acceptance, the envelope, errors of GraphQL, the status of gRPC, the rest of `expect:`, the
    /// contract, examples, captures.
    package var checks: [ExchangeCheck]
    /// Whether the expectation covers the body, so that a refusal by business rules (`envelope:`, `errorFilter`) counts as expected.
    package var coversRefusal: Bool

    /// Creates a result.
    package init(checks: [ExchangeCheck], coversRefusal: Bool = false) {
        (self.checks, self.coversRefusal) = (checks, coversRefusal)
    }

    /// Creates the result of the failed expectations of a step.
    package init(failures: [StepFailure]) {
        self.init(checks: failures.map { ExchangeCheck(.expect, $0) })
    }

    /// The failed expectations (`expect:`), the failed checks of hooks, of GraphQL, of gRPC and of the contract; empty where all hold.
    ///
    /// The error of the call has the failures of conditions of acceptance, of the envelope and of parameters.
    package var failures: [StepFailure] { checks.filter { $0.key.isOwn }.compactMap(\.failure) }

    /// Returns the result with other checks of the snapshot, or with them after the other expectations.
    package func replacingSnapshot(by checks: [ExchangeCheck]) -> ExpectationResult {
        var result = self
        let place = self.checks.firstIndex(where: \.isOfSnapshot) ?? self.checks.firstIndex { $0.key == .capture } ?? self.checks.endIndex
        result.checks.removeAll(where: \.isOfSnapshot)
        result.checks.insert(contentsOf: checks, at: place)
        return result
    }

    /// The comparisons that failed without being errors.
    package var warnings: [ExchangeCheck] { checks.filter { $0.outcome == .warned } }

    /// Whether the endpoint, its hooks, its contract, GraphQL or gRPC expect something of the response.
    package var hasExpectations: Bool { checks.contains { $0.key.isOwn } }
}

extension ExchangeCheck.Key {
    /// Whether no error of the call has the failures of these checks.
    fileprivate var isOwn: Bool { [.expect, .hook, .graphql, .grpc, .contract].contains(self) }
}
