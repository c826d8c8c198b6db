package import WorkspaceModel

/// The comparison of the response of a step with its last one in an earlier run.
package struct StepComparison: Sendable {
    /// The result.
    package let step: RunComparison.Step
    /// The complete comparison; nil where one of the two exchanges is missing.
    package let difference: ExchangeComparison?

    /// Creates the comparison of a step.
    ///
    /// The time is bounded, but large bodies are read, so do not call this on the drawing thread.
    ///
    /// - Parameters:
    ///   - name: The name of the step.
    ///   - left: The earlier exchange; nil where there is none.
    ///   - right: The exchange; nil where the history does not have it.
    package init(_ name: String, left: PastExchange?, right: PastExchange?, ignoring rules: CompareRules) {
        let difference: ExchangeComparison? =
            if let left, let right { ExchangeComparison(left: left, right: right, ignoring: rules) } else { nil }
        let result: RunComparison.Result =
            if left == nil {
                .new
            } else if let right, !right.item.hasResponse {
                .noResponse
            } else if let difference, !difference.isUnknown {
                difference.areEqual ? .equal : .different
            } else {
                .unknown
            }
        step = RunComparison.Step(name: name, result: result, left: left?.item.number, right: right?.item.number)
        self.difference = difference
    }
}
