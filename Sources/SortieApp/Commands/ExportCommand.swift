internal import ArgumentParser
internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// `sortie export`: prints endpoints, runs and exchanges of the history in the format of another tool.
struct ExportCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export requests to the format of another tool.",
        discussion: """
            Variables have their values in the environment. Secrets, environment variables and other credentials become variables of the result, never \
            values. Nothing is run or asked for. An endpoint of a service that cannot be exported is named, the others are written, and the exit status is 3.
            """)

    @Argument(help: "SERVICE/ENDPOINT, a service, a run, or history:ID for an exchange (history:last).", completion: .exported)
    var target: String

    @Option(
        name: .customLong("as"), help: ArgumentHelp("The format: \(ExportFormats.all.map { $0.name }.joined(separator: ", ")).", valueName: "format"),
        completion: .list(ExportFormats.all.map { $0.name }))
    var format: String

    @Option(name: .shortAndLong, help: ArgumentHelp("Write to a file; - is stdout.", valueName: "file"), completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp("Rows for a run that is exported as a program; by default the data of the run.", valueName: "file"),
        completion: .file())
    var data: String?

    @Option(
        name: .customLong("user-start"),
        help: ArgumentHelp("Locust: the steps of a chain up to this one run once for each user, not in each repetition.", valueName: "step"),
        completion: .step)
    var userStart: String?

    @OptionGroup var locations: LocationOptions
    @OptionGroup(title: "Workspace") var source: WorkspaceOptions

    func run(in program: ProgramContext) throws {
        guard let chosen = ExportFormats.named(format) else {
            let names = ExportFormats.all.map { $0.name }
            throw CommandFailure(
                .usage, "there is no format \(format)",
                hint: Suggestion.hint(for: format, in: names, "the formats are: \(names.joined(separator: ", "))"))
        }
        try locations.check(output, .writing, in: program)
        let (text, failures): (String, [Diagnostic])
        do {
            let source = try items(for: chosen, in: program)
            failures = source.failures
            text = try chosen.text(of: source, forFile: output ?? "-")
            for note in source.notes { program.errors.line("sortie: note: \(note)") }
            for note in try chosen.notes(of: source) { program.errors.line("sortie: note: not exported: \(note)") }
        } catch let problem as Diagnostic {
            throw CommandFailure(problem)
        }
        if let output, output != "-" {
            try OutputFile.write(text, to: output, program.folders, program.outputWaits)
        } else {
            program.output.document(text)
        }
        for failure in failures.dropFirst() { program.errors.line("sortie: not exported: \(failure.programLine)") }
        // The others are written, and the status says that one is missing.
        if let first = failures.first { throw CommandFailure(first) }
    }

    /// The requests of the target.
    func items(for format: any ExportFormat.Type, in program: ProgramContext) throws -> ExportSource {
        if target.hasPrefix("history:") { return try recorded(String(target.dropFirst("history:".count)), in: program) }
        let workspace = try WorkspaceSource.load(named: source.workspace, in: program)
        let environment = try WorkspaceSource.environment(source.environment, of: workspace)
        let export = WorkspaceExport(
            workspace, environment: environment, overrides: try source.layer(locations, in: program),
            hiding: Set(source.variables.filter { !$0.contains("=") }.map { String($0.prefix { $0 != "@" }) }), isProgram: format.isProgram)
        func permission() throws -> WorkspacePermission {
            try WorkspacePermission.ofCommand(workspace, in: program, isTrusted: source.isTrusted, isForced: locations.isForced)
        }
        func described(_ source: ExportSource) throws -> ExportSource {
            format.usesDescriptions ? source.withDescriptions(try permission()) : source
        }
        if let endpoint = workspace.endpoint(target) { return try described(try export.source(target, [endpoint])) }
        if let service = workspace.service(target) { return try described(try export.source(service.name, service.endpoints)) }
        let folder = workspace.endpoints.filter { $0.target.hasPrefix(target + "/") }
        if !folder.isEmpty { return try described(try export.source(target, folder)) }
        if let run = workspace.runs.first(where: { $0.name == target || "runs/\($0.name)" == target }) {
            return try described(try export.source(of: run, rows: format.isProgram ? try rows(of: run, permission()) : nil, start: userStart))
        }
        if let problem = workspace.fileProblem(of: target) ?? workspace.fileProblem(of: "runs/\(target)") { throw CommandFailure(problem) }
        let names = workspace.endpoints.map(\.target) + workspace.services.map(\.folder) + workspace.runs.map(\.name)
        throw CommandFailure(
            .usage, name: "unknownTarget", "the workspace \(workspace.name) has no endpoint, service or run \(target)",
            hint: Suggestion.hint(for: target, in: names, "sortie list shows all"))
    }

    /// The rows for a program.
    private func rows(of run: RunDefinition, _ permission: WorkspacePermission) throws -> [[String: String]]? {
        var used = run
        if data != nil { used.dataFile = nil }
        try permission.require(permission.missing(for: used, environment: nil).filter { _ in used.dataFile != nil && used.dataColumns == nil })
        let plan = try RunSetup.plan(run, dataFile: data, permission: permission)
        guard data != nil || run.dataFile != nil else { return nil }
        return Dictionary(grouping: plan.steps, by: \.row).sorted { $0.key < $1.key }.compactMap { $0.value.first?.values }
    }

    private func recorded(_ reference: String, in program: ProgramContext) throws -> ExportSource {
        let names = WorkspaceSource.redactedNames(in: program)
        let past = try HistoryReference(reference).exchange(in: HistoryStore.open(stateFolder: program.folders.state), masking: names, in: program)
        return try WorkspaceExport.source(of: [past], redaction: Redaction(adding: names))
    }
}
