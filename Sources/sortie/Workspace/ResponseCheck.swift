package import SortieHTTP
internal import SortieNetworking
package import WorkspaceModel

/// Compares the response of a single call with the expectation of its endpoint; a run does the same for its steps.
package struct ResponseCheck: Sendable {
    private let expectation: Expectation
    /// The conditions whose templates could not be resolved.
    private let problems: [StepFailure]

    /// Creates the check of an endpoint; nil without an expectation.
    ///
    /// A condition without a value fails the check and does not prevent the call, because only a run defines the names of its steps.
    package init?(of endpoint: Endpoint, in scope: TemplateScope) {
        guard let expectation = endpoint.expectation, expectation != Expectation() else { return nil }
        (self.expectation, problems) = expectation.resolved(in: scope)
    }

    /// The event with the result of the check, if it ends the call; else unchanged.
    ///
    /// Cancelling the task ends a comparison with a pattern.
    package func checked(_ event: CallEvent) async -> CallEvent {
        guard case .finished(let exchange) = event else { return event }
        return .finished(await checked(exchange))
    }

    /// The exchange with the result of the check.
    ///
    /// Cancelling the task ends a comparison with a pattern.
    package func checked(_ exchange: Exchange) async -> Exchange {
        guard exchange.response != nil else { return exchange }
        // The body is parsed, and a pattern may take long.
        return await BlockingExecutor.shared.run { compared(exchange) }
    }

    private func compared(_ exchange: Exchange) -> Exchange {
        var checked = exchange
        let verdict = StepVerdict(exchange, PreparedStep(request: exchange.request, expectation: expectation), requiresSuccess: false)
        checked.expectationResult = ExpectationResult(failures: problems + verdict.unmet, coversRefusal: verdict.coversRefusal)
        return checked
    }
}
