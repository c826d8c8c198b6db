internal import HistoryModel
internal import WorkspaceModel

/// The result of a run of a command.
struct RunOutcome {
    /// The record for reports, masked.
    var end: RunRecord
    /// The differences from the previous run; nil where they are not requested.
    var comparison: RunComparison?
    /// Why exchanges could not be recorded, or could not be compared.
    var problems: [CommandFailure] = []
}
