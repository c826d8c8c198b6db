internal import Foundation
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// A run of a workspace that is ready to start, used by the command and by the workbench.
struct RunSetup: Sendable {
    let workspace: Workspace
    let environment: String?
    /// Variables that take precedence over all files.
    let overrides: [String: String]
    let plan: RunPlan
    /// Whether the user can be prompted.
    var mayAsk = false
    /// Whether bodies are recorded as snapshots instead of compared.
    var recordsSnapshots = false
    /// What the user entered for the prompts of all steps, by label.
    var promptValues: [String: String] = [:]
    /// The permissions of the workspace on this machine.
    let permission: WorkspacePermission
    /// Called with the values of secrets: those of the workspace, and captured values.
    let hide: @Sendable (String) -> Void

    /// Reads the rows of `file`, or else of the run's own data.
    static func plan(_ definition: RunDefinition, dataFile file: String? = nil, permission: WorkspacePermission) throws -> RunPlan {
        guard let path = file ?? definition.dataFile else { return RunPlan(definition) }
        if file == "-" {
            let name = "standard input"
            let bytes = Array(try permission.program.input.all(for: "--data"))
            do { return try plan(definition, rows: try DataFile.rows(in: bytes, name: name)) } catch let problem as Diagnostic {
                throw CommandFailure(.file, name: "data", problem.description)
            }
        }
        if let protected = permission.protected(path, .reading) { throw CommandFailure(protected) }
        do { return try plan(definition, rows: try DataFile.rows(at: permission.program.path(path), name: path)) } catch let problem as Diagnostic {
            throw CommandFailure(.file, name: "data", problem.description)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.file, name: "data", "\(error)")
        }
    }

    /// Repeats a run for rows, unless it has too many steps then.
    private static func plan(_ definition: RunDefinition, rows: [[String: String]]) throws -> RunPlan {
        let perRow = RunPlan.stepsPerRow(of: definition)
        // Without lists, the limits of the data are sufficient.
        guard perRow == definition.steps.count || rows.count <= WorkspaceLimits.runSteps / max(1, perRow) else {
            throw CommandFailure(
                .file, name: "data",
                "the run has more than \(WorkspaceLimits.runSteps) steps: \(rows.count) rows with \(perRow) steps each; split the data")
        }
        return RunPlan(definition, rows: rows)
    }

    /// The record of an earlier run, to continue at `step`; nil without one, or where its steps or its environment differ.
    func stored(in store: RunStore) throws(WorkspaceError) -> RunRecord? {
        guard let record = try store.load(plan.definition.name, in: environment), plan.matches(record) else { return nil }
        return record
    }

    /// Creates a runner that begins with `record`.
    ///
    /// - Parameter ended: Called with each call whose step has ended, when its captured values are hidden; must not block.
    func runner(
        from record: RunRecord, client: Client, ended: @escaping @Sendable (RequestID) -> Void,
        keep: @escaping @Sendable (RunCheckpoint) async -> Void,
        onEvent: @escaping @Sendable (RunEvent) -> Void
    ) -> RunRunner {
        var requests = RequestBuilder(workspace: workspace, environment: environment, overrides: [overrides])
        for step in plan.definition.steps { requests.stepTargets[step.name, default: []].insert(step.target) }
        requests.turn = { [environment] in client.serverTurn(of: $0, in: environment, count: $1) }
        var values = LiveValues(workspace, mayAsk: mayAsk, permission: permission, used: hide)
        values.promptValues = promptValues
        values.recordsSnapshots = recordsSnapshots
        let captured = CapturedSecrets(plan: plan, workspace: workspace, hide: hide)
        // The captured values of an earlier run are hidden from the start.
        for step in record.steps {
            captured.hide(step)
            permission.note(step.captures.values, from: step.origins)
        }
        let learning = Redaction(adding: workspace.redact)
        let calls = StepCalls(ended: ended)
        return RunRunner(
            plan, from: record, client: client,
            prepare: { [requests, plan, permission, hide, values] step, captures async throws(Diagnostic) in
                var prepared = try await values.resolve { values throws(Diagnostic) in
                    try requests.prepared(step, captures: captures) { values.scope(of: $0, plan: $1) }
                }
                try permission.refuseProtectedFiles(of: prepared.request, at: SourceLocation(file: step.definition.target))
                prepared.request.origin?.run = plan.definition.name
                prepared.request.origin?.step = step.name
                prepared.request.origin?.isSentByRun = true
                for value in learning.secrets(of: prepared.request) { hide(value) }
                return prepared
            },
            control: RunRunner.Control(
                reasonToSkip: { [requests, values] step, captures async throws(Diagnostic) in
                    try await values.resolve { values throws(Diagnostic) in
                        try requests.reasonToSkip(step, captures: captures) { values.scope(of: $0, plan: $1) }
                    }
                },
                items: { [requests, values] step, captures async throws(Diagnostic) in
                    try await values.resolve { values throws(Diagnostic) in
                        try requests.items(of: step, captures: captures) { values.scope(of: $0, plan: $1) }
                    }
                },
                reasonToRepeat: { [requests, values] step, captures async throws(Diagnostic) in
                    try await values.resolve { values throws(Diagnostic) in
                        try requests.reasonToRepeat(step, captures: captures) { values.scope(of: $0, plan: $1) }
                    }
                }), keep: keep,
            onEvent: { [permission] event in
                if case .step(_, let step) = event {
                    captured.hide(step)
                    if step.state.isEnd { permission.note(step.captures.values, from: step.origins) }
                }
                calls.receive(event)
                onEvent(event)
            })
    }
}
