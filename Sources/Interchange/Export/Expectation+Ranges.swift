internal import WorkspaceModel

extension Expectation {
    /// The expected statuses, one or several; nil where any status is expected.
    var ranges: [ClosedRange<Int>]? { status.map { [$0...$0] } ?? statuses }
}
