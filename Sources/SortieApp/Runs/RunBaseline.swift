internal import HistoryModel
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// The last responses of the steps of earlier runs; both responses of a comparison are read from the history, so that the same secrets are
/// masked in them.
struct RunBaseline: Sendable {
    private let store: HistoryStore
    private let numbers: [String: Int64]
    private let rules: CompareRules
    /// Names that are masked further than when the exchanges were stored.
    private let names: [String]

    /// Finds the responses; this blocks.
    ///
    /// - Parameters:
    ///   - workspace: The folder of the workspace, as the history has it.
    ///   - end: The number of an exchange that is later than all of them; nil for the newest ones.
    ///   - names: Further masked names.
    init(
        of run: String, in workspace: String?, environment: String?, before end: Int64? = nil, ignoring rules: CompareRules, masking names: [String],
        store: HistoryStore
    ) throws(WorkspaceError) {
        (self.store, self.rules, self.names) = (store, rules, names)
        numbers = try store.numbers(ofLastStepsOf: run, in: workspace, environment: environment, before: end)
    }

    /// Compares the exchanges of a run that are in the history now, one after the other, so that one comparison is in memory.
    ///
    /// - Parameters:
    ///   - exchanges: The exchanges that were sent, by the name of the step.
    ///   - use: Receives each comparison, in the order of the run.
    func comparison(
        of record: RunRecord, _ exchanges: [String: RequestID], use: (StepComparison) -> Void
    ) async throws(WorkspaceError) -> RunComparison {
        var result = RunComparison()
        for step in record.steps where step.state == .done || step.state == .failed {
            guard let id = exchanges[step.name] else { continue }
            // Large bodies are read.
            let compared = try await BlockingExecutor.shared.run { () throws(WorkspaceError) -> StepComparison in
                try comparison(of: step.name, id)
            }
            use(compared)
            result.steps.append(compared.step)
        }
        return result
    }

    /// Compares the exchange of a step; this blocks.
    func comparison(of step: String, _ id: RequestID) throws(WorkspaceError) -> StepComparison {
        let left = try numbers[step].flatMap { number throws(WorkspaceError) in try past(number) }
        // Without an earlier response, the new one is not read.
        let right = left == nil ? nil : try store.number(of: id.description).flatMap { number throws(WorkspaceError) in try past(number) }
        return StepComparison(step, left: left, right: right, ignoring: rules)
    }

    /// The exchange; nil where it was removed meanwhile.
    private func past(_ number: Int64) throws(WorkspaceError) -> PastExchange? {
        let past = try store.past(number)
        return names.isEmpty ? past : past?.masked(by: Redaction(adding: names))
    }
}
