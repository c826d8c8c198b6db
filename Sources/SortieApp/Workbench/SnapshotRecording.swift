internal import SortieHTTP
internal import SortieWorkbench
internal import WorkspaceModel

/// Records bodies as the snapshots of endpoints of a workspace, as `send --update-snapshots` does.
struct SnapshotRecording: Sendable {
    /// The folder of the workspace.
    let folder: String

    /// Records the body of a response, and compares it with the record.
    ///
    /// - Parameter replaces: Whether a file with another body is replaced.
    func record(_ response: Response, of endpoint: Endpoint, replaces: Bool) -> SnapshotOutcome {
        guard var snapshot = endpoint.expectation?.snapshot else { return .failed("the endpoint has no expect: {snapshot: true}") }
        guard let place = endpoint.location else { return .failed("the endpoint has no file") }
        let file = SnapshotExpectation.file(beside: place.file)
        let path = FilePath.joining(folder, file)
        guard let recorded = SnapshotCheck(snapshot).record(response, at: path, replaces: replaces) else { return .exists(file) }
        guard recorded.outcome == .passed else { return .failed(recorded.actual) }
        do throws(TemplateError) { snapshot.record = .text(try CheckFile.text(at: path), file: file) } catch { return .failed(error.message) }
        return .recorded("The body was \(recorded.actual.replacing(path, with: file))", checks: SnapshotCheck(snapshot).checks(of: response))
    }
}
