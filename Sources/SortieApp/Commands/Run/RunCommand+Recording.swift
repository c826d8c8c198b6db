internal import HistoryModel
internal import SortieStorage
internal import WorkspaceModel

/// `sortie run --record`: creates a run of exchanges of the history.
extension RunCommand {
    /// Creates the run, and prints what it captures; nothing is sent.
    func record(as run: String, in program: ProgramContext) throws {
        if output.json { throw CommandFailure(.usage, "--json prints the results of a run, and --record sends nothing; leave one of them out") }
        let references = ([name] + exchanges).filter { !$0.isEmpty }
        guard !references.isEmpty else {
            throw CommandFailure(
                .usage, "name the exchanges of the run", hint: "sortie run --record \(run) 12 13; sortie history list shows the numbers")
        }
        let workspace = try WorkspaceSource.load(named: source.workspace, in: program)
        let builder = RequestBuilder(workspace: workspace, environment: try WorkspaceSource.environment(source.environment, of: workspace))
        let store = HistoryStore.open(stateFolder: program.folders.state)
        let pasts = try references.map { try HistoryReference($0).exchange(in: store, masking: workspace.redact, in: program) }
        let recording = RunRecording(named: run, of: pasts, in: workspace) { builder.serverURLs(of: $0) }
        guard !recording.run.steps.isEmpty else {
            throw CommandFailure(.usage, "none of the exchanges can be a step of a run", hint: recording.leftOut.joined(separator: "\n"))
        }
        _ = try WorkspaceFolder(path: workspace.folder, program.folders).perform(.createRun(recording.run, saving: recording.endpoints))
        report(recording, in: program)
    }

    private func report(_ recording: RunRecording, in program: ProgramContext) {
        let file = "runs/\(recording.run.name).yaml"
        let endpoints = recording.endpoints.map { "\($0.original == nil ? "created" : "changed") \($0.edited.target)" }
        let lines = ["created \(file): \(recording.run.steps.map(\.name).joined(separator: ", "))"] + endpoints + recording.notes
        program.output.write(lines.map { VisibleLine.of($0) + "\n" }.joined())
    }
}
