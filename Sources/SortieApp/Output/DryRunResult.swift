internal import SortieHTTP
internal import WorkspaceModel

/// Prints the request of a dry run on stdout; an error ends the command as it would end the call.
struct DryRunResult {
    let output: StandardOutput
    let dryRun: DryRun
    /// The masking rules of the output.
    let redaction: Redaction
    let asJSON: Bool

    func deliver() throws {
        if asJSON {
            output.write(dryRun.record(redaction: redaction).text + "\n")
        } else {
            output.write(dryRun.lines(redaction: redaction).map { VisibleLine.of($0.text) + "\n" }.joined())
        }
        // Only errors fail the command. An unknown name is a finding, and the request is printed.
        if let error = dryRun.error { throw CommandFailure(redaction.masked(error)) }
    }
}
