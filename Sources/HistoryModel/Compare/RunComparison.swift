package import WorkspaceModel

/// The differences between the responses of a run and those of earlier runs of the same name in the same environment.
///
/// Of each step only the result is kept, because a run can have many steps with large responses.
package struct RunComparison: Hashable, Sendable {
    /// The result of comparing the response of a step with its last one in an earlier run.
    package enum Result: Hashable, Sendable {
        case equal
        case different
        /// A body is missing, and everything else is equal.
        case unknown
        /// The step has no response now.
        case noResponse
        /// The step has no earlier response.
        case new
    }

    /// One step that was sent.
    package struct Step: Hashable, Sendable {
        /// The name of the step.
        package var name: String
        /// The result.
        package var result: Result
        /// The number of the earlier exchange in the history; nil where there is none.
        package var left: Int64?
        /// The number of the exchange in the history; nil where there is none.
        package var right: Int64?

        /// Creates a result.
        package init(name: String, result: Result, left: Int64? = nil, right: Int64? = nil) {
            (self.name, self.result, self.left, self.right) = (name, result, left, right)
        }
    }

    /// The steps that were sent, in the order of the run.
    package var steps: [Step]

    /// Creates the comparison of a run.
    package init(steps: [Step] = []) {
        self.steps = steps
    }

    /// The steps with a result.
    package func steps(_ result: Result) -> [Step] { steps.filter { $0.result == result } }

    /// Whether no step has an earlier response.
    package var hasNoBaseline: Bool { steps.allSatisfy { $0.result == .new } }

    /// The result as a sentence without a full stop.
    package var summary: String {
        guard !hasNoBaseline else { return "no earlier run to compare with" }
        func count(_ result: Result) -> Int { steps.count { $0.result == result } }
        let different = count(.different)
        var parts = ["\(different) of \(different + count(.equal)) responses differ from the previous run"]
        if count(.unknown) > 0 { parts.append("\(count(.unknown)) cannot be compared") }
        if count(.noResponse) > 0 { parts.append("\(count(.noResponse)) without a response now") }
        return parts.joined(separator: ", ")
    }
}

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
