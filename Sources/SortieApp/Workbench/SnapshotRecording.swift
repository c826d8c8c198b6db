internal import SortieHTTP
internal import SortieWorkbench
internal import WorkspaceModel

extension SnapshotJob: PerformedWork {
    /// Records the body of a response, as `send --update-snapshots` does, and compares it with the record.
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> SnapshotOutcome? {
        let folder = runner.workspaceFolder
        guard var snapshot = endpoint.expectation?.snapshot else { return .failed("the endpoint has no expect: {snapshot: true}") }
        guard let response = exchange.response else { return .failed("there is no response") }
        guard let place = endpoint.location else { return .failed("the endpoint has no file") }
        let file = SnapshotExpectation.file(beside: place.file)
        let path = FilePath.joining(folder, file)
        guard let recorded = SnapshotCheck(snapshot, of: exchange).record(response, at: path, in: folder, replaces: replaces) else {
            return .exists(file)
        }
        guard recorded.outcome == .passed else { return .failed(recorded.actual) }
        do throws(TemplateError) { snapshot.record = .text(try CheckFile.text(at: path), file: file) } catch { return .failed(error.message) }
        let checks = SnapshotCheck(snapshot, of: exchange).checks(of: response)
        return .recorded("The body was \(recorded.actual.replacing(path, with: file))", checks: checks)
    }
}
