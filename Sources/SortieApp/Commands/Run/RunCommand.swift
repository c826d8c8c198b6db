internal import ArgumentParser
internal import Foundation
internal import Interchange
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// `sortie run`: starts a batch or a chain of the workspace.
struct RunCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a batch, a chain, an endpoint, or all endpoints of a service or a folder.",
        discussion:
            "Prints a line for each step and exits with 1 when a response does not match its expectations. A failed run can continue at a step with "
            + "--from; captured values are stored until it finishes, in a private file under $XDG_STATE_HOME/sortie/runs.")

    @Argument(
        help: ArgumentHelp("The name of a run of the workspace, the run's file, or the target of a service, folder or endpoint.", valueName: "run"),
        completion: .run)
    var name = ""

    @Flag(help: "Continue the last unfinished run where it ended; without a name, the last one of the workspace.")
    var resume = false

    @Flag(help: "Send only the steps again that failed or were not reached in the last run; captured values are restored.")
    var failed = false

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            "Continue the last failed run at this step; more steps that were interrupted are named by further ones.", valueName: "step"),
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
        let store = RunStore(workspace: workspace.folder, stateFolder: program.folders.state)
        let services = Set(used.steps.compactMap { workspace.endpoint($0.target)?.serviceName })
        let executions = try zip(environments, promptValues).map { environment, promptValues in
            var setup = RunSetup(
                workspace: workspace, environment: environment, overrides: given, plan: plan, mayAsk: true, permission: permission,
                hide: redaction.hide)
            setup.recordsSnapshots = updateSnapshots
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
            if junit == "-" { program.output.write(report) } else { try OutputFile.write(report, to: junit, program.folders) }
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
