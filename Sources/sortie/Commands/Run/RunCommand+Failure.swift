internal import HistoryModel
internal import SortieHTTP
internal import WorkspaceModel

/// The exit status of `sortie run`.
extension RunCommand {
    /// The reason why a comparison with the previous run ends the command with another exit status than 0; nil without differences.
    func failure(of comparison: RunComparison, in environment: String?) -> CommandFailure? {
        let differing = comparison.differing
        guard !differing.isEmpty else { return nil }
        let names = differing.prefix(5).map(\.name).joined(separator: ", ") + (differing.count > 5 ? " …" : "")
        let commands = differing.prefix(1).compactMap(\.comparison).map { "sortie history diff \($0.left.number) \($0.right.number)" }
        return CommandFailure(
            .response, name: "differs",
            "\(environment.map { $0 + ": " } ?? "")\(differing.count == 1 ? "the response of a step differs" : "the responses of \(differing.count) steps differ") "
                + "from the previous run: \(names)",
            hint: commands.first.map { "the complete difference: \($0)" })
    }

    /// The reason why a run ends the command with another exit status than 0; nil for a finished one.
    func failure(of record: RunRecord, _ redaction: Redaction, isOneOfSeveral: Bool) -> CommandFailure? {
        let environment = isOneOfSeveral ? record.environment.map { "\($0): " } ?? "" : ""
        switch record.state {
        case .finished: return nil
        case .cancelled: return CommandFailure(.interrupted, "\(environment)the run \(record.run) was cancelled")
        case .failed, .running: break
        }
        guard let failedStep = record.failedStep, let failure = record.steps[failedStep].failures.first else {
            return CommandFailure(.network, name: "failed", "\(environment)the run \(record.run) did not finish")
        }
        let kind: CommandFailure.Kind =
            switch failure.kind {
            case .expectation, .response: .response
            case .network: .network
            case .preparation: .file
            }
        let reason = failure.kind == .expectation ? "expectation" : failure.kind == .preparation ? "workspace" : failure.subject
        let step = record.steps[failedStep].name
        let sentence = failure.expected == nil ? failure.actual : failure.description
        let place = failure.kind == .preparation ? "\(failure.subject): " : ""
        return CommandFailure(
            kind, name: reason, "\(environment)\(place)step \(step): \(sentence)", hint: "to continue there: \(resuming(record, at: step, redaction))"
        )
    }
}
