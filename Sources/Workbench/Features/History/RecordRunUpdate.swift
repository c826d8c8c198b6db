package import HistoryModel
internal import SortieBase
internal import WorkspaceModel

extension Command {
    /// Makes a run of the marked exchanges, or of the selected one.
    static let recordRun = Command.named("recordRun")
}

/// Reading exchanges and making a run of them, which parses their bodies.
package struct RecordRunJob: WorkJob {
    static let opensPopup = true

    /// The numbers of the exchanges.
    package let numbers: [Int64]
    private let workspace: Workspace
    private let environment: String?

    init(numbers: [Int64], in state: AppState) {
        (self.numbers, workspace, environment) = (numbers, state.workspace, state.environment)
    }

    /// The run of the exchanges.
    package func recording(of exchanges: [PastExchange]) -> RunRecording {
        let builder = RequestBuilder(workspace: workspace, environment: environment)
        return RunRecording(named: "", of: exchanges, in: workspace) { builder.serverURLs(of: $0) }
    }

    func finish(_ outcome: Result<RunRecording, Diagnostic>, _ state: inout AppState) -> [Effect] {
        switch outcome {
        case .success(let recording): HistoryFeature.askToRecord(recording, &state)
        case .failure(let problem): state.notify("No run was made: \(problem.workbenchSentence)", .error)
        }
        return []
    }
}

/// Making runs of exchanges.
extension HistoryFeature {
    static func recordRun(_ state: inout AppState) -> [Effect] {
        let numbers = chosenItems(state).map(\.number)
        guard !numbers.isEmpty else { return [] }
        return state.start(RecordRunJob(numbers: numbers, in: state), showing: "Reading \(ItemCount.text(numbers.count, "exchange"))…")
    }

    /// Asks for the name of a run of exchanges.
    fileprivate static func askToRecord(_ recording: RunRecording, _ state: inout AppState) {
        guard state.mayOpen("The run") else { return }
        guard !recording.run.steps.isEmpty else {
            let reason =
                state.workspace.services.isEmpty ? "the workspace has no service for its endpoints" : "connections that stay open are in no run"
            state.notify("No run was made: \(reason)", .warning)
            return
        }
        let name = ItemsFeature.runName(of: recording.run.steps.map { EndpointID($0.target) }, state)
        state.stopEditing()
        let row = Form.Row("Name", proposing: name, placeholder: "name of the file in runs")
        state.popups.show(
            Form("Run of \(ItemCount.text(recording.run.steps.count, "exchange"))", [row], guide: "runs#a-run-of-what-was-sent") {
                form, state throws(FormProblem) in
                try create(recording, form, &state)
            })
    }

    private static func create(_ recording: RunRecording, _ form: Form, _ state: inout AppState) throws(FormProblem) -> [Effect] {
        var run = recording.run
        run.name = FilePath.components(of: form.text("Name")).joined(separator: "/")
        if let problem = WorkspaceItem.run(run.name).nameProblem { throw FormProblem(problem, at: "Name") }
        guard !state.workspace.runs.contains(where: { $0.name == run.name }) else { throw FormProblem("\(run.name) already exists", at: "Name") }
        var job = EditWorkspaceJob(
            edit: .createRun(run, saving: recording.endpoints), text: "Created runs/\(run.name).yaml", form: form, row: .run(run.name))
        job.then = { [name = run.name] state in
            state.history.marked = []
            for line in recording.notes { state.notify(line, source: name) }
            return state.isOccupied ? [] : state.perform(.showSelectedRun)
        }
        return ItemsFeature.start(job, &state)
    }
}
