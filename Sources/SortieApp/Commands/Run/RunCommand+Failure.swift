internal import HistoryModel
internal import SortieHTTP
internal import WorkspaceModel

/// The exit status of `sortie run`.
extension RunCommand {
    /// The reason why a comparison with the previous run ends the command with another exit status than 0; nil without differences.
    func failure(of comparison: RunComparison, in environment: String?) -> CommandFailure? {
        let label = environment.map { $0 + ": " } ?? ""
        func names(_ steps: [RunComparison.Step]) -> String { steps.prefix(5).map(\.name).joined(separator: ", ") + (steps.count > 5 ? " …" : "") }
        let differing = comparison.steps(.different)
        if let first = differing.first {
            let subject = differing.count == 1 ? "the response of a step differs" : "the responses of \(differing.count) steps differ"
            var hint: String?
            if let left = first.left, let right = first.right { hint = "the complete difference: sortie history diff \(left) \(right)" }
            return CommandFailure(.response, name: "differs", "\(label)\(subject) from the previous run: \(names(differing))", hint: hint)
        }
        let unknown = comparison.steps(.unknown)
        guard !unknown.isEmpty else { return nil }
        let subject = unknown.count == 1 ? "the response of a step" : "the responses of \(unknown.count) steps"
        return CommandFailure(
            .file, name: "missingBody", "\(label)\(subject) cannot be compared completely with the previous run: \(names(unknown))",
            hint: "a body is missing; everything else is equal")
    }

    /// The reason why a run ends the command with another exit status than 0; nil for a finished one.
    func failure(of record: RunRecord, _ redaction: Redaction, isOneOfSeveral: Bool) -> CommandFailure? {
        let environment = isOneOfSeveral ? record.environment.map { "\($0): " } ?? "" : ""
        switch record.state {
        case .finished: return nil
        case .cancelled: return CommandFailure(.interrupted, "\(environment)the run \(record.run) was cancelled")
        case .failed, .running: break
        }
        guard let failedStep = record.failedStep, let failure = record.steps[failedStep].failures.first?.masked(by: redaction) else {
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
