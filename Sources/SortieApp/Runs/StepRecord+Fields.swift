internal import SortieHTTP
internal import WorkspaceModel

/// The fields of a step of a run for `--format`.
extension StepRecord {
    /// The names.
    static let fieldNames = ["step", "endpoint", "environment", "state", "status", "time", "ms", "row", "repetition", "reason", "error"]

    /// The value of a field; nil where the step has none, and for the environment, which is that of the run.
    func field(_ name: String, _ redaction: Redaction) -> String? {
        switch name {
        case "step": self.name
        case "endpoint": target
        case "state": state.name
        case "status": status.map { String($0) }
        case "time": seconds.map(OutputTemplate.seconds)
        case "ms": seconds.map(OutputTemplate.milliseconds)
        case "row": String(row + 1)
        case "repetition": repetition.map { String($0.number) }
        case "reason": reason.map { redaction.masked($0) }
        case "error": failures.isEmpty ? nil : failures.map { $0.masked(by: redaction).description }.joined(separator: "; ")
        default: nil
        }
    }
}
