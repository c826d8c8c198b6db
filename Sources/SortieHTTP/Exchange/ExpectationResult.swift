/// The result of comparing an exchange with the file of its endpoint.
package struct ExpectationResult: Hashable, Sendable {
    /// All comparisons: parameters, `answer:`, the envelope, errors of GraphQL, the status of gRPC, `expect:` in the order of the contract, captures.
    package var checks: [ExchangeCheck]
    /// Whether the expectation covers the body, so that a refusal by business rules (`envelope:`, `errorFilter`) counts as expected.
    package var coversRefusal: Bool

    /// Creates a result.
    package init(checks: [ExchangeCheck], coversRefusal: Bool = false) {
        self.checks = checks
        self.coversRefusal = coversRefusal
    }

    /// Creates the result of the failed expectations of a step.
    package init(failures: [StepFailure]) {
        self.init(checks: failures.map { ExchangeCheck(.expect, $0) })
    }

    /// The failed expectations (`expect:`), the failed checks of hooks, the errors of GraphQL and the status of gRPC; empty where all hold.
    ///
    /// The error of the call has the failures of `answer:`, of the envelope and of parameters.
    package var failures: [StepFailure] { checks.filter { $0.key.isOwn }.compactMap(\.failure) }

    /// Returns the result with other checks of the snapshot, or with them after the other expectations.
    package func replacingSnapshot(by checks: [ExchangeCheck]) -> ExpectationResult {
        var result = self
        let place = self.checks.firstIndex(where: \.isOfSnapshot) ?? self.checks.firstIndex { $0.key == .capture } ?? self.checks.endIndex
        result.checks.removeAll(where: \.isOfSnapshot)
        result.checks.insert(contentsOf: checks, at: place)
        return result
    }

    /// Whether the endpoint, its hooks, GraphQL or gRPC expect something of the response.
    package var hasExpectations: Bool { checks.contains { $0.key.isOwn } }
}

extension ExchangeCheck.Key {
    /// Whether no error of the call has the failures of these checks.
    fileprivate var isOwn: Bool { self == .expect || self == .hook || self == .graphql || self == .grpc }
}
