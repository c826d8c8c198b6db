internal import ArgumentParser
internal import Foundation
internal import Interchange
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// `sortie run`: starts a batch or a chain of the workspace.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a batch, a chain, or all endpoints of a service or a folder.",
        discussion:
            "Prints a line for each step and exits with 1 when a response does not match its expectations. A failed run can continue at a step with "
            + "--from; captured values are stored until it finishes, in a private file under $XDG_STATE_HOME/sortie/runs.")

    @Argument(
        help: ArgumentHelp("The name of a run of the workspace, the run's file, or the target of a service or folder.", valueName: "run"),
        completion: .run)
    var name = ""

    @Flag(help: "Continue the last unfinished run where it ended; without a name, the last one of the workspace.")
    var resume = false

    @Flag(help: "Send only the steps again that failed or were not reached in the last run; captured values are restored.")
    var failed = false

    @Option(
        name: .customLong("from"), help: ArgumentHelp("Continue the last failed run at this step.", valueName: "step"), completion: .step)
    var from: String?

    @Option(
        name: .customLong("data"),
        help: ArgumentHelp("Repeat the run for each row of a CSV or JSON file; - is standard input.", valueName: "file"), completion: .file())
    var data: String?

    @Option(name: .customLong("junit"), help: ArgumentHelp("Write a JUnit report; - is stdout.", valueName: "file"), completion: .file())
    var junit: String?

    @Option(
        help: ArgumentHelp(
            "Record exchanges in a HAR file, secrets masked unless --show-secrets; an existing HAR file is extended.", valueName: "file"),
        completion: .file())
    var capture: String?

    @Option(
        help: ArgumentHelp(
            "Print a line with these fields for each step: \(StepRecord.fieldNames.map { "{\($0)}" }.joined(separator: " ")).", valueName: "text"))
    var format: String?

    @Flag(help: "Record the bodies of steps with expect: {snapshot: true} instead of comparing them.")
    var updateSnapshots = false

    @Flag(help: "Run again each time a file of the workspace changes, until Ctrl-C.")
    var watch = false

    @Flag(name: .customLong("locust"), help: "Print the commands that run it under Locust, with workers on other machines; nothing is sent.")
    var locust = false

    @OptionGroup var locations: LocationOptions
    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        if locust { return StandardOutput.write(try LocustCommands(run: name, data: data, source: source, locations: locations).text) }
        try watch ? await runOnEachChange() : await runOnce()
    }

    /// Runs once.
    func runOnce() async throws {
        try locations.check(junit, .writing)
        try locations.check(capture, .writing)
        if [resume, failed, from != nil].count(where: { $0 }) > 1 { throw CommandFailure(.usage, "give only one of --resume, --failed and --from") }
        if output.json, format != nil { throw CommandFailure(.usage, "give only one of --format and --json") }
        let template = try format.map { try OutputTemplate($0, fields: StepRecord.fieldNames) }
        let (workspace, definition) = try found()
        let redaction = LiveRedaction(names: workspace.redact, showsSecrets: output.showSecrets)
        let environment = try WorkspaceSource.environment(source.environment, of: workspace)
        let permission = try WorkspacePermission.ofCommand(workspace, isTrusted: source.isTrusted, isForced: locations.isForced)
        var used = definition
        // The specified file replaces the data file of the run.
        if data != nil { used.dataFile = nil }
        try permission.require(permission.missing(for: used, environment: environment))
        let given = try source.layer(hiding: redaction, locations)
        var setup = RunSetup(
            workspace: workspace, environment: environment, overrides: given,
            plan: try RunSetup.plan(definition, dataFile: data, permission: permission),
            mayAsk: true, permission: permission, hide: redaction.hide)
        let prompts = TemplateNeedsScan(workspace, environment: environment, overrides: given).needs(of: used).prompts
        setup.recordsSnapshots = updateSnapshots
        setup.promptValues = try await TerminalPrompt.values(of: prompts, given: given)
        let services = Set(used.steps.compactMap { workspace.endpoint($0.target)?.serviceName })
        UnverifiedServers.report(workspace.services.filter { services.contains($0.folder) }, of: workspace, environment: environment)
        let store = RunStore(workspace: workspace.folder)
        let record = try start(setup, store)

        let connection = try WorkspaceClient(
            workspace, source: source, locations: locations, cookies: nil, permission: permission, hiding: redaction)
        let capture = try TrafficCapture.begin(capture, of: connection.client, masking: redaction)
        let history = HistoryRecorder.begin(output, of: connection.client, workspace: workspace, hiding: redaction)
        let keeper = RunWriter(store, redaction: { redaction.always }) { StandardError.line("sortie: warning: \($0)") }
        let (events, continuation) = AsyncStream<RunEvent>.makeStream()
        let backlog = EventBacklog()
        let runner = setup.runner(
            from: record, client: connection.client,
            keep: { checkpoint in
                await keeper.keep(checkpoint)
                await backlog.waitForRoom()
            }
        ) { event in
            backlog.add()
            continuation.yield(event)
            if case .finished = event { continuation.finish() }
        }
        let interruption = Interruption { runner.cancel() }
        let running = Task { await runner.run() }
        var reporter = RunReporter(plan: setup.plan, record: record, output: output, template: template, redaction: redaction)
        var writer = output.json ? RunJSONWriter(redaction: redaction) : nil
        writer?.begin(record)
        reporter.begin()
        let captured = CapturedSecrets(plan: setup.plan, workspace: workspace, hide: redaction.hide)
        var held: [Int: [CallEvent]] = [:]
        // Steps may be added.
        var current = record
        func tell(_ index: Int, _ event: CallEvent) {
            let showsBlocks = !workspace.hasDebugLog(workspace.endpoint(current.steps[index].target))
            reporter.verbose(index, CallLines(redaction: redaction.current, showsBlocks: showsBlocks).lines(of: event))
        }
        for await event in events {
            if output.verbose, case .call(let index, let event) = event {
                // The captured values of a step are known as secrets after its end.
                if captured.has(current.steps[index]) { held[index, default: []].append(event) } else { tell(index, event) }
            }
            switch event {
            case .expanded(let expansion):
                current.apply(expansion)
                reporter.expanded(expansion)
            case .step(let index, let step):
                if step.state.isEnd { for event in held.removeValue(forKey: index) ?? [] { tell(index, event) } }
                reporter.step(index, step)
                if step.state.isEnd { writer?.end(index, step) }
            case .call(let index, .progressed(let progress)): reporter.progressed(index, progress)
            case .call(let index, .finished(let exchange)):
                if let notice = exchange.undecodedNotice {
                    StandardError.line("sortie: warning: \(current.steps[index].name): \(notice)")
                }
                for notice in exchange.notices {
                    StandardError.line("sortie: warning: \(current.steps[index].name): \(redaction.current.masked(notice))")
                }
                writer?.take(index, exchange)
            case .call, .finished: break
            }
            backlog.remove()
        }
        let end = await running.value
        withExtendedLifetime((interruption, connection)) {}
        defer { history?.end() }
        let recording = Result { try capture?.finish() }
        reporter.end(end)
        let masked = end.masked(by: redaction.current)
        writer?.finish(end, monitor: connection.client.monitor.snapshot())
        if junit == "-" {
            StandardOutput.write(JUnitReport.text(of: masked))
        } else if let junit {
            try BodyFile.write(BodyBytes(Array(JUnitReport.text(of: masked).utf8)), to: junit)
        }
        try finish(masked, redaction.always)
        try recording.get()
    }

    /// The workspace and the specified run.
    func found() throws -> (Workspace, RunDefinition) {
        let isNamedAsFile = name.hasSuffix(".yaml") || name.hasSuffix(".yml") || name.hasPrefix("/") || name.hasPrefix(".")
        let isFile = name.contains("/") || isNamedAsFile
        var folder = source.workspace
        if isFile, folder == nil, try WorkspaceSource.folder(named: nil) == nil {
            folder = try WorkspaceSource.find(from: (name as NSString).deletingLastPathComponent)
        }
        let workspace = try WorkspaceSource.load(named: folder)
        let name = try name.isEmpty ? lastUnfinished(in: workspace) : name
        if let definition = workspace.runs.first(where: { $0.name == name }) { return (workspace, try sound(definition, workspace)) }
        if !isExistingFile(name), let definition = try folderRun(of: name, in: workspace) { return (workspace, definition) }
        let files = ["runs/\(name).yaml", "runs/\(name).yml"]
        if let problem = workspace.problems.first(where: { $0.severity == .error && files.contains($0.location.file) }) {
            throw CommandFailure(problem)
        }
        // A name with a slash is that of a folder, unless there is such a file.
        guard isFile, isNamedAsFile || isExistingFile(name) else {
            let names = workspace.runs.map(\.name) + workspace.folderRunNames
            let nearest = Suggestion.nearest(to: name, in: names).map { "did you mean \($0)? " } ?? ""
            throw CommandFailure(
                .usage, name: "unknownRun", "the workspace \(workspace.name) has no run, service or folder \(name)",
                hint: nearest + "sortie list shows all; a file's name ends in .yaml")
        }
        return (workspace, try read(name, in: workspace))
    }

    private func isExistingFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }

    /// The run of all endpoints of a service or a folder; nil where there is none of this target.
    private func folderRun(of target: String, in workspace: Workspace) throws -> RunDefinition? {
        guard let (run, leftOut) = workspace.folderRun(of: target) else { return nil }
        // An endpoint that cannot be read is not in the run, which then would succeed without it.
        if let problem = workspace.problems.first(where: { $0.severity == .error && $0.location.file.hasPrefix(run.name + "/") }) {
            throw CommandFailure(problem)
        }
        guard !run.steps.isEmpty else {
            throw CommandFailure(
                .usage, name: "unknownRun", "\(target) has only downloads and connections that stay open, which a run of a folder leaves out",
                hint: "sortie download or sortie listen")
        }
        for target in leftOut {
            StandardError.line(
                "sortie: warning: \(target) is left out, because it is a download or a connection that stays open; a run file can send it")
        }
        return run
    }

    /// The run of the workspace that ended last without finishing, for `--resume` without a name.
    private func lastUnfinished(in workspace: Workspace) throws -> String {
        guard resume || failed else {
            throw CommandFailure(.usage, "name a run", hint: "sortie list shows all; --resume alone continues the last unfinished one")
        }
        do throws(WorkspaceError) {
            if let name = try RunStore(workspace: workspace.folder).lastUnfinished(of: workspace.runs.map(\.name) + workspace.folderRunNames) {
                return name
            }
        } catch {
            throw CommandFailure(error)
        }
        throw CommandFailure(.usage, name: "notStarted", "the workspace \(workspace.name) has no unfinished run", hint: "sortie list shows its runs")
    }

    /// A run of the workspace without errors in its file.
    private func sound(_ definition: RunDefinition, _ workspace: Workspace) throws -> RunDefinition {
        let problem = workspace.problems.first { $0.severity == .error && $0.location.file == definition.location?.file }
        if let problem { throw CommandFailure(problem) }
        return definition
    }

    private func read(_ file: String, in workspace: Workspace) throws -> RunDefinition {
        do {
            let (definition, problems) = try WorkspaceFolder(path: workspace.folder).run(at: file, in: workspace)
            if let problem = problems.first(where: { $0.severity == .error }) { throw CommandFailure(problem) }
            guard let definition else { throw CommandFailure(.file, name: "workspace", "\(file) contains no run") }
            return definition
        } catch let error as WorkspaceError {
            throw CommandFailure(error)
        } catch let problem as Diagnostic {
            throw CommandFailure(problem)
        }
    }

    /// The initial record: a new one, or that of the last run with the steps from `--from` on reset.
    private func start(_ setup: RunSetup, _ store: RunStore) throws -> RunRecord {
        let plan = setup.plan
        if resume { return try resumed(setup, store) }
        if failed { return try retried(setup, store) }
        guard let from else { return plan.newRecord(environment: setup.environment) }
        let stored: RunRecord?
        do { stored = try setup.stored(in: store) } catch { throw CommandFailure(error) }
        guard let index = stored?.index(of: from) ?? plan.index(of: from) else {
            let names = plan.steps.map(\.name)
            let nearest = Suggestion.nearest(to: from, in: names).map { "did you mean \($0)? " } ?? ""
            throw CommandFailure(
                .usage, "the run \(plan.definition.name) has no step \(from)",
                hint: nearest + "it has: \(names.prefix(20).joined(separator: ", "))")
        }
        if stored?.steps[index].state == .interrupted {
            StandardError.line("sortie: warning: the step \(from) was being sent when the program ended; it is sent again")
        }
        let record = stored?.restarting(at: index)
        let isReady = stored.map { stored in plan.mayContinue(stored, at: index) } ?? (index == 0)
        guard isReady else {
            throw CommandFailure(
                .usage, name: "notStarted",
                "no earlier run of \(plan.definition.name) with this environment and these steps reached the step \(from)",
                hint: "run it without --from")
        }
        return record ?? plan.newRecord(environment: setup.environment)
    }

    /// The record of the last run with the steps reset that failed or were not reached.
    private func retried(_ setup: RunSetup, _ store: RunStore) throws -> RunRecord {
        let stored: RunRecord?
        do { stored = try setup.stored(in: store) } catch { throw CommandFailure(error) }
        guard let stored, stored.restartStep != nil else {
            throw CommandFailure(
                .usage, name: "notStarted", "\(setup.plan.definition.name) has no failed steps with this environment and these steps",
                hint: "run it without --failed")
        }
        let record = stored.retryingFailed
        let interrupted = stored.steps.first { $0.state == .interrupted }
        // A chain needs the captures of each step, and in a batch others can be sent.
        if let interrupted, record.kind == .chain || !record.steps.contains(where: { $0.state == .waiting }) {
            throw Self.mayHaveArrived(interrupted)
        }
        return record
    }

    /// The record of the unfinished run, which continues where it ended.
    private func resumed(_ setup: RunSetup, _ store: RunStore) throws -> RunRecord {
        let stored: RunRecord?
        do { stored = try setup.stored(in: store) } catch { throw CommandFailure(error) }
        guard let stored, let index = stored.restartStep else {
            throw CommandFailure(
                .usage, name: "notStarted", "\(setup.plan.definition.name) has no unfinished run with this environment and these steps",
                hint: "run it without --resume")
        }
        // In a parallel group, another step may have failed first.
        let interrupted = stored.kind == .chain ? stored.steps[index...].first { $0.state == .interrupted } : nil
        if let step = interrupted ?? (stored.steps[index].state == .interrupted ? stored.steps[index] : nil) {
            // Sending it twice may be harmful, so that the user has to name it.
            throw Self.mayHaveArrived(step)
        }
        return stored.restarting(at: index)
    }

    private static func mayHaveArrived(_ step: StepRecord) -> CommandFailure {
        CommandFailure(
            .usage, name: "interrupted", "the step \(step.name) was being sent when the program ended, and the server may have received it",
            hint: "to send it again: --from \(ShellQuote.quoted(step.name))")
    }

    /// The command line that continues at a step, with the workspace, environment, data, variables and output options of this one.
    private func resuming(_ run: String, at step: String, _ redaction: Redaction) -> String {
        var words = ["sortie", "run", name.isEmpty ? run : name, "--from", step]
        if let workspace = source.workspace { words += ["-w", workspace] }
        if let environment = source.environment { words += ["-e", environment] }
        if let data { words += ["--data", data] }
        for text in source.variables {
            let name = text.prefix { $0 != "=" }
            let isSecret = text.contains("=") && !output.showSecrets && redaction.isSecretPath(String(name))
            words += ["--var", isSecret ? "\(name)=\(HeaderField.mask)" : output.showSecrets ? text : redaction.masked(text)]
        }
        if let junit { words += ["--junit", junit] }
        if let format { words += ["--format", format] }
        if source.isTrusted { words.append("--trust") }
        if locations.isForced { words.append("--force") }
        if let capture { words += ["--capture", capture] }
        words += [("--json", output.json), ("--no-history", output.noHistory), ("--show-secrets", output.showSecrets), ("-v", output.verbose)]
            .filter(\.1).map(\.0)
        return words.map(ShellQuote.quoted).joined(separator: " ")
    }

    /// Ends the command with the exit status of the contract.
    private func finish(_ record: RunRecord, _ redaction: Redaction) throws {
        switch record.state {
        case .finished: return
        case .cancelled: throw CommandFailure(.interrupted, "the run \(record.run) was cancelled")
        case .failed, .running: break
        }
        guard let failedStep = record.failedStep, let failure = record.steps[failedStep].failures.first else {
            throw CommandFailure(.network, name: "failed", "the run \(record.run) did not finish")
        }
        let kind: CommandFailure.Kind =
            switch failure.kind {
            case .expectation, .response: .response
            case .network: .network
            case .preparation: .file
            }
        let reason = failure.kind == .expectation ? "expectation" : failure.kind == .preparation ? "workspace" : failure.subject
        let step = record.steps[failedStep].name
        let sentence = failure.expected == nil ? failure.actual : failure.description
        let place = failure.kind == .preparation ? "\(failure.subject): " : ""
        throw CommandFailure(
            kind, name: reason, "\(place)step \(step): \(sentence)", hint: "to continue there: \(resuming(record.run, at: step, redaction))")
    }
}

extension RunRecord {
    /// The record for reports: without captured values, and with secrets masked in the reasons of failures.
    fileprivate func masked(by redaction: Redaction) -> RunRecord {
        var record = self
        for step in record.steps.indices { record.steps[step] = record.steps[step].masked(by: redaction) }
        return record
    }
}
