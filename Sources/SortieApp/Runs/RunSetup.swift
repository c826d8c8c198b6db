internal import Foundation
internal import HistoryModel
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import Synchronization
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
    /// Whether violations of the contract fail steps also where the service only warns about them.
    var failsByContract = false
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
        do {
            let place = permission.program.path(path)
            // The data of the command line may be a pipe, that of a file of the workspace is a file.
            guard file != nil else { return try plan(definition, rows: try DataFile.rows(at: place, name: path)) }
            let bytes = try permission.program.input.content(ofFile: place, of: "--data") { _ in try InputFile.dataBytes(at: place) }
            return try plan(definition, rows: try DataFile.rows(in: bytes, name: path))
        } catch let problem as Diagnostic {
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
        (values.promptValues, values.recordsSnapshots, values.failsByContract) = (promptValues, recordsSnapshots, failsByContract)
        let preparation = RequestPreparation(requests, values)
        let captured = CapturedSecrets(plan: plan, workspace: workspace, hide: hide)
        // The captured values of an earlier run are hidden from the start.
        for step in record.steps {
            captured.hide(step)
            permission.note(step.captures.values, from: step.origins)
        }
        let calls = StepCalls(ended: ended)
        return RunRunner(
            plan, from: record, client: client,
            prepare: { [run = plan.definition.name] step, captures async throws(Diagnostic) in
                try await preparation.step(step, of: run, captures: captures)
            },
            contract: { preparation.builder.workspace.endpoint($0).flatMap(preparation.contract) },
            control: RunRunner.Control(
                reasonToSkip: { step, captures async throws(Diagnostic) in
                    try await preparation.evaluate { builder, scope throws(Diagnostic) in
                        try builder.reasonToSkip(step, captures: captures, scope: scope)
                    }
                },
                items: { step, captures async throws(Diagnostic) in
                    try await preparation.evaluate { builder, scope throws(Diagnostic) in
                        try builder.items(of: step, captures: captures, scope: scope)
                    }
                },
                reasonToRepeat: { step, captures async throws(Diagnostic) in
                    try await preparation.evaluate { builder, scope throws(Diagnostic) in
                        try builder.reasonToRepeat(step, captures: captures, scope: scope)
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

/// Hides the values that the steps of a run capture, like the values of secrets.
struct CapturedSecrets: Sendable {
    private let redaction: Redaction
    /// The sources of the captures by name, for each target; steps with the same target can capture a name from different sources.
    private let sources: [String: [String: Set<String>]]
    private let hide: @Sendable (String) -> Void

    init(plan: RunPlan, workspace: Workspace, hide: @escaping @Sendable (String) -> Void) {
        redaction = Redaction(adding: workspace.redact)
        var sources: [String: [String: Set<String>]] = [:]
        for step in plan.definition.steps {
            for capture in (workspace.endpoint(step.target)?.captures ?? []) + step.captures {
                sources[step.target, default: [:]][capture.name, default: []].insert(capture.path)
            }
        }
        (self.sources, self.hide) = (sources, hide)
    }

    /// Hides the captured values of a step.
    func hide(_ step: StepRecord) {
        for (name, value) in step.captures {
            let paths: [String?] = sources[step.target]?[name].map(Array.init) ?? [nil]
            if paths.contains(where: { redaction.hidesCapture(value, named: name, from: $0) }) { hide(value) }
        }
    }

    /// Whether a step captures a value.
    func has(_ step: StepRecord) -> Bool { sources[step.target] != nil }
}

/// The result of a run of a command.
struct RunOutcome {
    /// The record for reports, masked.
    var end: RunRecord
    /// The differences from the previous run; nil where they are not requested.
    var comparison: RunComparison?
    /// Why exchanges could not be recorded, or could not be compared.
    var problems: [CommandFailure] = []
}

/// Reports the calls of a run whose steps have ended, so that they are recorded when the values that the steps captured are known as secrets.
final class StepCalls: Sendable {
    private let ended: @Sendable (RequestID) -> Void
    /// The calls that have ended, by the indices of their steps, which have not.
    private let calls = Mutex<[Int: [RequestID]]>([:])

    init(ended: @escaping @Sendable (RequestID) -> Void) {
        self.ended = ended
    }

    /// Processes an event; the captured values of a step that ends must be hidden before.
    func receive(_ event: RunEvent) {
        switch event {
        case .call(let index, .finished(let exchange)): calls.withLock { $0[index, default: []].append(exchange.id) }
        case .step(let index, let step):
            // A step that repeats, or reads pages, has several calls.
            if step.state.isEnd { calls.withLock { $0.removeValue(forKey: index) ?? [] }.forEach(ended) }
        case .call, .expanded, .paused, .finished: break
        }
    }
}

/// Puts the output of the steps of a run into the order of the run.
///
/// The output of a step that ends before an earlier one waits. It is kept by the name of the step, because indices change when a list is evaluated.
struct StepSequence<Output> {
    private var names: [String]
    private var waiting: [String: Output] = [:]
    /// The number of steps whose output was returned.
    private var count = 0

    init(_ record: RunRecord) {
        names = record.steps.map(\.name)
    }

    /// Applies added steps; none of the steps from the position on was returned.
    mutating func expand(_ expansion: RunExpansion) {
        names.replaceSubrange(expansion.range, with: expansion.steps.map(\.name))
    }

    /// Whether a step has its output already.
    func has(_ index: Int) -> Bool { index < count || waiting[names[index]] != nil }

    /// Adds the output of a step, once, and returns what is next in the order of the run.
    mutating func add(_ output: Output, of index: Int) -> [Output] {
        guard !has(index) else { return [] }
        waiting[names[index]] = output
        var ready: [Output] = []
        while count < names.count, let next = waiting.removeValue(forKey: names[count]) {
            ready.append(next)
            count += 1
        }
        return ready
    }

    /// Removes and returns what waits for steps that did not end, in the order of the run.
    mutating func removeWaiting() -> [Output] {
        defer { waiting = [:] }
        return waiting.isEmpty ? [] : names[count...].compactMap { waiting[$0] }
    }
}
