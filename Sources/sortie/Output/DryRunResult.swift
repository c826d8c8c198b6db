internal import SortieHTTP
internal import WorkspaceModel

/// Tells what would be sent on stdout; what would stand in its way ends the command as it would end the call.
struct DryRunResult {
    let dryRun: DryRun
    /// What is masked of it.
    let redaction: Redaction
    let asJSON: Bool

    func deliver() throws {
        if asJSON {
            StandardOutput.write(dryRun.record(redaction: redaction).text + "\n")
        } else {
            StandardOutput.write(dryRun.lines(redaction: redaction).map { VisibleLine.of($0.text) + "\n" }.joined())
        }
        // A name that is not known is a finding, and no reason to fail: what would be sent is there.
        if let error = dryRun.error { throw CommandFailure(redaction.masked(error)) }
    }
}
