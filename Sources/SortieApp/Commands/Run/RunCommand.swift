internal import ArgumentParser
internal import Dispatch
internal import Foundation
internal import HistoryModel
internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// `sortie run`: starts a batch or a chain of the workspace.
struct RunCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a batch, a chain, an endpoint, or all endpoints of a service or a folder.",
        discussion:
            "Prints a line for each step and exits with 1 when a response does not match its expectations. A failed run can be resumed at a step with "
            + "--from; captured values are stored until it finishes, in a private file under $XDG_STATE_HOME/sortie/runs."
    ).parsedAlone

    @Argument(
        help: ArgumentHelp(
            "The name of a run of the workspace, the run's file, - for standard input, the target of a service, folder or endpoint, or a .http, .rest, .hurl or .bru file or a "
                + "folder of them.", valueName: "run"),
        completion: .run)
    var name = ""

    @Argument(help: ArgumentHelp("With --record: further exchanges of the history, by number or id.", valueName: "exchange"), completion: .exchange)
    var exchanges: [String] = []

    @Option(
        help: ArgumentHelp(
            "Create this run of exchanges of the history, named in place of the run; values of a response that a later request has become captures. "
                + "Nothing is sent.", valueName: "name"))
    var record: String?

    @Flag(help: "Resume the last unfinished run where it ended; without a name, the last one of the workspace.")
    var resume = false

    @Flag(help: "Send only the steps again that failed or were not reached in the last run; captured values are restored.")
    var failed = false

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            "Resume the last failed run at this step; more steps that were interrupted are named by further ones.", valueName: "step"),
        completion: .step)
    var from: [String] = []

    @Option(
        name: .customLong("data"),
        help: ArgumentHelp("Repeat the run for each row of a CSV, JSON or NDJSON file; - is standard input.", valueName: "file"), completion: .file())
    var data: String?

    @Option(
        name: .customLong("junit"),
        help: ArgumentHelp("Write a JUnit report; - is stdout, the other lines go to stderr then.", valueName: "file"),
        completion: .file())
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

    @Flag(help: "Exit with 1 when a request or a response differs from the description of its service (contract:).")
    var contract = false

    @Flag(help: "Compare each response with that of the previous run; differences exit with 1.")
    var diff = false

    @Option(help: ArgumentHelp("What --diff ignores beside ignore: of the run: a JSON path, header:NAME, or status.", valueName: "what"))
    var ignore: [String] = []

    @Flag(help: "Run again each time a file of the workspace changes, until Ctrl-C.")
    var watch = false

    @Flag(name: .customLong("locust"), help: "Print the commands that run it under Locust, with workers on other machines; nothing is sent.")
    var locust = false

    @OptionGroup var locations: LocationOptions
    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run(in program: ProgramContext) async throws {
        if let record { return try self.record(as: record, in: program) }
        if let unexpected = exchanges.first { throw CommandFailure(.usage, "“\(unexpected)” is one argument too many; one run is started at a time") }
        if locust { return program.output.write(try LocustCommands(run: name, data: data, source: source, locations: locations, in: program).text) }
        try watch ? await runOnEachChange(in: program) : await runOnce(in: program)
    }

    /// Runs once, in one environment after the other.
    func runOnce(in program: ProgramContext) async throws {
        try locations.check(junit, .writing, in: program)
        try locations.check(capture, .writing, in: program)
        if [resume, failed, !from.isEmpty].count(where: { $0 }) > 1 {
            throw CommandFailure(.usage, "give only one of --resume, --failed and --from")
        }
        if output.json, format != nil { throw CommandFailure(.usage, "give only one of --format and --json") }
        // Stdout has one document.
        if junit == "-", output.json || format != nil {
            throw CommandFailure(.usage, "--junit - and \(output.json ? "--json" : "--format") both write to stdout; name a file with --junit")
        }
        let template = try format.map { try OutputTemplate($0, fields: StepRecord.fieldNames) }
        let (workspace, definition, environments) = try found(in: program)
        let rules = try compareRules(of: definition)
        if contract, !definition.steps.contains(where: { workspace.endpoint($0.target).flatMap(workspace.contract) != nil }) {
            throw CommandFailure.missingContract(of: definition.name)
        }
        let redaction = LiveRedaction(names: workspace.redact, showsSecrets: output.showSecrets)
        let permission = try WorkspacePermission.ofCommand(workspace, in: program, isTrusted: source.isTrusted, isForced: locations.isForced)
        var used = definition
        // The specified file replaces the data file of the run.
        if data != nil { used.dataFile = nil }
        for environment in environments { try permission.require(permission.missing(for: used, environment: environment)) }
        let given = try source.layer(hiding: redaction, locations, in: program)
        let plan = try RunSetup.plan(definition, dataFile: data, permission: permission)
        if let notice = plan.emptyNotice { program.errors.line("sortie: warning: \(notice)") }
        var promptValues: [[String: String]] = []
        for environment in environments {
            // The same label can stand for another secret in another environment.
            let needs = TemplateNeedsScan(workspace, environment: environment, overrides: given).needs(of: used)
            promptValues.append(
                try await TerminalPrompt.values(of: needs.prompts, given: given, in: environments.count > 1 ? environment : nil, program: program))
        }
        let store = RunStore(workspace: workspace.identity, stateFolder: program.folders.state)
        let services = Set(used.steps.compactMap { workspace.endpoint($0.target)?.serviceName })
        let executions = try zip(environments, promptValues).map { environment, promptValues in
            var setup = RunSetup(
                workspace: workspace, environment: environment, overrides: given, plan: plan, mayAsk: true, permission: permission,
                hide: redaction.hide)
            setup.recordsSnapshots = updateSnapshots
            setup.failsByContract = contract
            setup.promptValues = promptValues
            UnverifiedServers.report(
                workspace.services.filter { services.contains($0.folder) }, of: workspace, environment: environment, to: program.errors)
            return RunExecution(
                program: program, setup: setup, record: try start(setup, store, in: program), store: store, source: source, locations: locations,
                output: output,
                lines: lines(in: program), template: template, capture: capture, redaction: redaction, isOneOfSeveral: environments.count > 1,
                comparing: rules)
        }
        try await carryOut(executions, redaction, in: program)
    }

    /// Where the lines about the steps go.
    private func lines(in program: ProgramContext) -> LineOutput { junit == "-" ? .standardError(program.errors) : .standardOutput(program.output) }

    private func carryOut(_ executions: [RunExecution], _ redaction: LiveRedaction, in program: ProgramContext) async throws {
        let areSeveral = executions.count > 1
        if areSeveral, output.json { program.output.write(RunRecord.jsonStart(ofSeveral: executions[0].record.run)) }
        var ends: [RunRecord] = []
        var failures: [CommandFailure] = []
        for execution in executions {
            let result: RunOutcome
            do { result = try await execution.run(followsAnother: !ends.isEmpty) } catch let failure as CommandFailure {
                // The results of the other environments are printed.
                failures.append(areSeveral ? failure.labelled(execution.setup.environment) : failure)
                continue
            }
            ends.append(result.end)
            // The exit code is that of the run, and else that of its recording or comparison.
            let ofComparison = result.comparison.flatMap { failure(of: $0, in: areSeveral ? result.end.environment : nil) }
            let problems = [failure(of: result.end, redaction.always, isOneOfSeveral: areSeveral)] + result.problems + [ofComparison]
            failures += problems.compactMap(\.self).prefix(1)
            if result.end.state == .cancelled { break }
        }
        if areSeveral, output.json { program.output.write("]}\n") }
        if areSeveral, !output.json, format == nil, !ends.isEmpty { lines(in: program).write(EnvironmentTable(ends).text) }
        // Where no run started, an existing report stays.
        if let junit, !ends.isEmpty {
            let report = JUnitReport.text(of: ends, namesEnvironments: areSeveral)
            if junit == "-" { program.output.document(report) } else { try OutputFile.write(report, to: junit, program.folders, program.outputWaits) }
        }
        guard let worst = failures.indices.max(by: { failures[$0].exitCode < failures[$1].exitCode }) else { return }
        let last = failures.remove(at: worst)
        for failure in failures { failure.report(to: program.errors) }
        throw last
    }

    /// The differences from the previous run that do not count; nil where they are not requested.
    private func compareRules(of definition: RunDefinition) throws -> CompareRules? {
        guard diff else {
            if !ignore.isEmpty { throw CommandFailure(.usage, "--ignore is for --diff") }
            return nil
        }
        if output.noHistory { throw CommandFailure(.usage, "--diff compares responses of the history; leave out --no-history") }
        do throws(CompareRuleProblem) { return try CompareRules(parsing: definition.ignored + ignore) } catch {
            throw CommandFailure(.usage, name: "ignore", error.description)
        }
    }
}

/// The exit status of `sortie run`.
extension RunCommand {
    /// The reason why a comparison with the previous run ends the command with another exit status than 0; nil without differences.
    func failure(of comparison: RunComparison, in environment: String?) -> CommandFailure? {
        let label = environment.map { $0 + ": " } ?? ""
        func names(_ steps: [RunComparison.Step]) -> String { steps.prefix(5).map(\.name).joined(separator: ", ") + (steps.count > 5 ? " …" : "") }
        let differing = comparison.steps(.different)
        if let first = differing.first {
            let subject = differing.count == 1 ? "the response of a step differs" : "the responses of \(differing.count) steps differ"
            var hint: String?
            if let left = first.left, let right = first.right { hint = "the complete difference: sortie history diff \(left) \(right)" }
            return CommandFailure(.response, name: "differs", "\(label)\(subject) from the previous run: \(names(differing))", hint: hint)
        }
        let unknown = comparison.steps(.unknown)
        guard !unknown.isEmpty else { return nil }
        let subject = unknown.count == 1 ? "the response of a step" : "the responses of \(unknown.count) steps"
        return CommandFailure(
            .file, name: "missingBody", "\(label)\(subject) cannot be compared completely with the previous run: \(names(unknown))",
            hint: "a body is missing; everything else is equal")
    }

    /// The reason why a run ends the command with another exit status than 0; nil for a finished one.
    func failure(of record: RunRecord, _ redaction: Redaction, isOneOfSeveral: Bool) -> CommandFailure? {
        let environment = isOneOfSeveral ? record.environment.map { "\($0): " } ?? "" : ""
        switch record.state {
        case .finished: return nil
        case .cancelled: return CommandFailure(.interrupted, "\(environment)the run \(record.run) was cancelled")
        case .failed, .running: break
        }
        guard let failedStep = record.failedStep, let failure = record.steps[failedStep].failures.first?.masked(by: redaction) else {
            return CommandFailure(.network, name: "failed", "\(environment)the run \(record.run) did not finish")
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
        let hints = [failure.remedy?.programText, "to resume there: \(resuming(record, at: step, redaction))"].compactMap(\.self)
        return CommandFailure(
            kind, name: reason, "\(environment)\(place)step \(step): \(sentence)", hint: hints.joined(separator: "; "))
    }
}

/// Finds out at which step `sortie run` begins.
extension RunCommand {
    /// The initial record: a new one, or that of the last run with the steps from `--from` on reset.
    func start(_ setup: RunSetup, _ store: RunStore, in program: ProgramContext) throws -> RunRecord {
        let plan = setup.plan
        if resume { return try resumed(setup, store) }
        if failed { return try retried(setup, store) }
        guard !from.isEmpty else { return plan.newRecord(environment: setup.environment) }
        let stored: RunRecord?
        do { stored = try setup.stored(in: store) } catch { throw CommandFailure(error) }
        let named = Set(try from.map { try index(of: $0, stored, plan) })
        guard let stored else {
            guard named == [0] else {
                throw CommandFailure(
                    .usage, name: "notStarted",
                    "no earlier run of \(plan.definition.name) with this environment and these steps reached the step \(from[0])",
                    hint: "run it without --from")
            }
            return plan.newRecord(environment: setup.environment)
        }
        if let first = named.min(), let obstacle = plan.obstacle(to: stored, continuingAt: first) {
            let (step, earlier) = (stored.steps[first].name, stored.steps[obstacle].name)
            throw CommandFailure(
                .usage, name: "notReached", "the run \(plan.definition.name) cannot be resumed at \(step): the step \(earlier) before it is not done",
                hint: "to resume there: --from \(ShellQuote.quoted(earlier))")
        }
        let unnamed = plan.unnamedInterrupted(in: stored, continuingAt: named)
        guard unnamed.isEmpty else { throw Self.mayHaveArrived(unnamed, of: stored, beside: named) }
        for index in named.sorted() where stored.steps[index].state == .interrupted {
            program.errors.line("sortie: warning: the step \(stored.steps[index].name) was being sent when the program ended; it is sent again")
        }
        return plan.continuing(stored, at: named)
    }

    /// The index of a named step in the record of the last run, else in the plan.
    private func index(of step: String, _ stored: RunRecord?, _ plan: RunPlan) throws -> Int {
        if let index = stored.map({ $0.index(of: step) }) ?? plan.index(of: step) { return index }
        let names = stored?.steps.map(\.name) ?? plan.steps.map(\.name)
        throw CommandFailure(
            .usage, "the run \(plan.definition.name) has no step \(step)",
            hint: Suggestion.hint(for: step, in: names, "it has: \(names.prefix(20).joined(separator: ", "))"))
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
        let interrupted = stored.steps.indices.filter { stored.steps[$0].state == .interrupted }
        // A chain needs the captures of each step, and in a batch others can be sent.
        if !interrupted.isEmpty, record.kind == .chain || !record.steps.contains(where: { $0.state == .waiting }) {
            throw Self.mayHaveArrived(interrupted, of: stored)
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
        // In a chain, each interrupted step must be named; in a parallel group, another step may have failed first.
        let interrupted = stored.steps.indices.filter { stored.steps[$0].state == .interrupted && (stored.kind == .chain || $0 == index) }
        guard interrupted.isEmpty else { throw Self.mayHaveArrived(interrupted, of: stored, beside: [index]) }
        return setup.plan.continuing(stored, at: [index])
    }

    /// The error for interrupted steps: sending them twice may be harmful, so that the user has to name them.
    ///
    /// - Parameter others: Steps that are named, too.
    private static func mayHaveArrived(_ interrupted: [Int], of record: RunRecord, beside others: Set<Int> = []) -> CommandFailure {
        let names = interrupted.prefix(20).map { record.steps[$0].name }
        let options = others.union(interrupted.prefix(20)).sorted().map { "--from \(ShellQuote.quoted(record.steps[$0].name))" }
        let isOne = interrupted.count == 1
        return CommandFailure(
            .usage, name: "interrupted",
            "the \(isOne ? "step \(names[0]) was" : "steps \(names.joined(separator: ", "))\(interrupted.count > 20 ? " …" : "") were") being sent "
                + "when the program ended, and the server may have received \(isOne ? "it" : "them")",
            hint: "to send \(isOne ? "it" : "them") again: \(options.joined(separator: " "))")
    }

    /// The command line that continues at a step, with the workspace, environment, data, variables and output options of this one.
    func resuming(_ record: RunRecord, at step: String, _ redaction: Redaction) -> String {
        var words = ["sortie", "run", name.isEmpty ? record.run : name, "--from", step]
        if let workspace = source.workspace { words += ["-w", workspace] }
        if !source.environments.isEmpty || name.isEmpty, let environment = record.environment { words += ["-e", environment] }
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
        if diff { words.append("--diff") }
        if contract { words.append("--contract") }
        for rule in ignore { words += ["--ignore", rule] }
        words += [("--json", output.json), ("--no-history", output.noHistory), ("--show-secrets", output.showSecrets), ("-v", output.verbose)]
            .filter(\.1).map(\.0)
        return words.map(ShellQuote.quoted).joined(separator: " ")
    }
}

/// `sortie run --watch`.
extension RunCommand {
    /// Runs at once, and again after each change of the workspace's files, until Ctrl-C.
    ///
    /// A change during a run starts one further run after it. Files that the command itself writes are not considered as changes.
    func runOnEachChange(in program: ProgramContext) async throws {
        let other = [("--resume", resume), ("--failed", failed), ("--from", !from.isEmpty)].first(where: \.1)?.0
        if let other { throw CommandFailure(.usage, "--watch starts each run from the beginning; leave out \(other)") }
        if data == "-" { throw CommandFailure(.usage, "--watch cannot read the data from standard input again; name a file with --data") }
        let folder = try found(in: program).0.folder
        let written = Set([junit, capture].compactMap(\.self).map(FilePath.name))
        let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let watch = WorkspaceWatch(
            folder, queue: DispatchQueue(label: "sortie.watch"),
            isRelevant: { [updateSnapshots] name in !written.contains(name) && !(updateSnapshots && name.hasSuffix(".snapshot")) },
            changed: { continuation.yield() })
        guard let watch else {
            throw CommandFailure(.file, name: "watch", "changes of \(folder) cannot be detected on this system", hint: "run it without --watch")
        }
        var waiting = changes.makeAsyncIterator()
        repeat {
            do { try await runOnce(in: program) } catch let failure as CommandFailure {
                // The file that is invalid now may be corrected by the next change.
                guard failure.kind != .interrupted else { throw failure }
                failure.report(to: program.errors)
            }
            if program.output.isDiscarding { break }
        } while await Self.nextChange(&waiting, in: program) { continuation.finish() }
        withExtendedLifetime(watch) {}
    }

    /// Waits for a change; returns false after Ctrl-C.
    private static func nextChange(_ changes: inout AsyncStream<Void>.Iterator, in program: ProgramContext, stop: @escaping @Sendable () -> Void)
        async -> Bool
    {
        let interruption = Interruption(in: program, stop)
        program.errors.line("waiting for changes of the workspace; Ctrl-C ends")
        let isChanged = await changes.next() != nil
        // A signal between two runs ends the program.
        if isChanged { interruption.end() }
        return isChanged
    }
}
