public import Model

/// Compares the response of a single call with what its endpoint expects; a run does the same for its steps.
public struct ResponseCheck: Sendable {
    private let expectation: Expectation
    /// The conditions that could not be resolved.
    private let problems: [StepFailure]

    /// The check of an endpoint, nil where it expects nothing.
    ///
    /// A condition without a value fails the check and does not prevent the call: steps of a run know more names.
    public init?(of endpoint: Endpoint, in scope: TemplateScope) {
        guard let expectation = endpoint.expectation, expectation != Expectation() else { return nil }
        (self.expectation, problems) = expectation.resolved(in: scope)
    }

    /// The event; one that ends the call has the result in its exchange.
    public func checked(_ event: CallEvent) -> CallEvent {
        guard case .finished(let exchange) = event else { return event }
        return .finished(checked(exchange))
    }

    /// The exchange with its result.
    ///
    /// The body is read as JSON where the expectation asks for it, so this belongs on no thread that must not wait.
    public func checked(_ exchange: Exchange) -> Exchange {
        var checked = exchange
        guard exchange.response != nil else { return exchange }
        let verdict = StepVerdict(exchange, PreparedStep(request: exchange.request, expectation: expectation), requiresSuccess: false)
        checked.expectationResult = ExpectationResult(failures: problems + verdict.unmet, coversRefusal: verdict.coversRefusal)
        return checked
    }
}
