internal import HistoryModel
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// The last responses of the steps of earlier runs, found before a run begins.
struct RunBaseline {
    private let store: HistoryStore
    private let numbers: [String: Int64]
    private let rules: CompareRules

    /// - Parameter workspace: The folder of the workspace, as the history has it.
    /// - Throws: When the history cannot be read.
    init(of run: String, in workspace: String?, environment: String?, ignoring rules: CompareRules) throws {
        store = HistoryStore.open()
        self.rules = rules
        do { numbers = try store.numbers(ofLastStepsOf: run, in: workspace, environment: environment) } catch { throw CommandFailure(error) }
    }

    /// Compares the exchanges of a run that are in the history now.
    ///
    /// - Parameters:
    ///   - exchanges: The exchanges that were sent, by the name of the step.
    ///   - names: Further masked names.
    /// - Throws: When the history cannot be read.
    func comparison(of record: RunRecord, _ exchanges: [String: RequestID], masking names: [String]) throws -> RunComparison {
        var steps: [RunComparison.Step] = []
        for step in record.steps where step.state == .done || step.state == .failed {
            guard let id = exchanges[step.name] else { continue }
            guard let number = numbers[step.name], let left = try past(number, names) else {
                steps.append(RunComparison.Step(name: step.name, comparison: nil))
                continue
            }
            let right = try HistoryReference(id.description).exchange(in: store, masking: names)
            steps.append(RunComparison.Step(name: step.name, comparison: ExchangeComparison(left: left, right: right, ignoring: rules)))
        }
        return RunComparison(steps: steps)
    }

    /// The exchange; nil where it was removed meanwhile.
    private func past(_ number: Int64, _ names: [String]) throws -> PastExchange? {
        do {
            let past = try store.past(number)
            return names.isEmpty ? past : past?.masked(by: Redaction(adding: names))
        } catch { throw CommandFailure(error) }
    }
}
