internal import Interchange
internal import SortieWorkbench

extension ContractCoverageJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> ContractCoverageOutcome? {
        do {
            // Damaged exchanges are displayed in History.
            let recorded = try RecordedContracts(runner.requests.workspace, runner.requests.permission) { _ in }
            let coverages = try recorded.coverages { cancellation.isCancelled }
            let lines = coverages.flatMap { $0.text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init) }
            return .lines(lines.map(VisibleLine.of))
        } catch is CancellationError {
            return nil
        } catch {
            return .failed(CommandFailure.sentence(error))
        }
    }
}
