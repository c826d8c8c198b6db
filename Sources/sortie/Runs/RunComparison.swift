internal import HistoryModel
internal import SortieBase

/// The differences between the responses of a run and those of earlier runs of the same name in the same environment.
struct RunComparison {
    /// One step that was sent.
    struct Step {
        let name: String
        /// The comparison with its last response in an earlier run; nil where there is none.
        let comparison: ExchangeComparison?
    }

    /// The steps that were sent, in the order of the run.
    let steps: [Step]

    /// The steps whose responses differ.
    var differing: [Step] { steps.filter { $0.comparison.map { !$0.areEqual && !$0.isUnknown } ?? false } }

    /// The steps whose responses cannot be compared, because a body is missing.
    var unknown: [Step] { steps.filter { $0.comparison?.isUnknown ?? false } }

    /// Whether no step has an earlier response.
    var hasNoBaseline: Bool { steps.allSatisfy { $0.comparison == nil } }

    /// The comparison for `--json`: of each step with its last response in an earlier run.
    var record: JSONValue {
        .array(
            steps.map { step in
                // A step without an earlier response has null.
                ["step": .string(step.name), "difference": step.comparison?.record ?? .null]
            })
    }
}
