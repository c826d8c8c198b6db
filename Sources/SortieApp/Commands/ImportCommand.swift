internal import ArgumentParser
internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieStorage

/// `sortie import`: adds the content of another tool's file to a workspace.
struct ImportCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import requests of another tool into a workspace.",
        discussion: """
            Prints what was imported, changed and omitted, one line each. Nothing existing is replaced; importing the same source again updates the \
            files that were not changed since. Credentials are not written: they become secrets whose values come from environment variables. \
            Nothing is fetched, except that a server of gRPC is asked for its services, and only files in the folder of the source are read.
            """)

    @Argument(help: "The file; - is standard input, grpc://HOST:PORT or grpcs://… a server of gRPC.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("The format: \(ImportFormats.all.map { $0.name }.joined(separator: ", ")); by default detected.", valueName: "format"),
        completion: .list(ImportFormats.all.map { $0.name }))
    var format: String?

    @Option(
        name: [.short, .customLong("output"), .customShort("w"), .customLong("workspace")],
        help: ArgumentHelp(
            "The folder of the workspace, which is created where it is missing; by default the workspace here or above.", valueName: "folder"),
        completion: .directory)
    var output: String?

    @Option(help: ArgumentHelp("Write the report to a file; JSON where its name ends in .json.", valueName: "file"), completion: .file())
    var report: String?

    @Flag(help: "Replace files that were changed or removed since an earlier import; permit protected locations.")
    var force = false

    @Flag(name: .customLong("keep-secrets"), help: "Write credentials into the files instead of naming environment variables.")
    var keepsSecrets = false

    @Option(
        help: ArgumentHelp(
            "Scripts that are not translated become comments; with hooks, node also runs them after the response.", valueName: "comments|hooks"),
        completion: .list(["comments", "hooks"]))
    var scripts: String?

    @Flag(
        help: """
            Decide about each change of the source since its last import: with --accept and --skip, else with questions on a terminal. Prints the \
            changes, and exits with 1 when one stays open.
            """)
    var update = false

    @Option(
        name: .customLong("accept"), help: ArgumentHelp("With --update: make the changes of a file, a folder or all (repeat).", valueName: "file|all")
    )
    var accepted: [String] = []

    @Option(
        name: .customLong("skip"),
        help: ArgumentHelp(
            "With --update: keep a file, the files of a folder or all, until the source changes them again (repeat).", valueName: "file|all"))
    var skipped: [String] = []

    @Flag(name: .customLong("dry-run"), help: "Print the report and write nothing.")
    var dryRun = false

    @Flag(help: "Print one JSON record instead of lines.")
    var json = false

    func run(in program: ProgramContext) throws {
        if !force, let report, let protected = ProtectedLocation(report, .writing, program.folders) { throw CommandFailure(protected) }
        if let scripts, !["comments", "hooks"].contains(scripts) {
            throw CommandFailure(.usage, "--scripts \(scripts) is neither comments nor hooks")
        }
        guard update || accepted.isEmpty && skipped.isEmpty else {
            throw CommandFailure(.usage, "--accept and --skip are for --update", hint: "sortie import \(file) --update")
        }
        if let name = accepted.first(where: skipped.contains) {
            throw CommandFailure(.usage, "--accept and --skip both name \(name)", hint: "name a file of a folder to decide otherwise about it")
        }
        let content = try WorkspaceImport(path: file, format: format, in: program)
        let path = try output ?? target(for: content.imported, in: program)
        do {
            let format = content.format.name
            let plan = try (consume content).plan(
                for: path, isForced: force, keepsSecrets: keepsSecrets, usesHooks: scripts == "hooks",
                deciding: update ? { decisions(about: $0, in: program) } : nil)
            if update, plan.changes.isFirst {
                throw CommandFailure(
                    .usage, name: "import", "\(file) was not imported into \(plan.target.folder.path) yet", hint: "sortie import \(file) imports it")
            }
            if !dryRun { try plan.target.folder.perform(plan.changes, isForced: force) }
            try finish(report: plan.report, plan.changes, folder: plan.target.folder.path, format: format, in: program)
            let open = plan.changes.sourceChanges.filter { $0.decision == nil || $0.decision == .accept && !$0.change.isComplete }
            if !open.isEmpty {
                let usual = "--accept FILE makes a change, --skip FILE keeps yours; both take a folder and all"
                let hasConflicts = open.contains { !$0.change.isComplete }
                throw CommandFailure(
                    .response, name: "open", "\(open.count) change\(open.count == 1 ? " is" : "s are") open",
                    hint: hasConflicts ? "\(usual); --accept FILE --force takes the source's where both changed it" : usual)
            }
        } catch let error as WorkspaceError {
            if error.code == .protected { throw CommandFailure(.file, name: "protected", error.description, hint: "to write there anyway: --force") }
            throw CommandFailure(error)
        }
    }

    /// The folder where none is named: the workspace here or above, else a new folder with the name of the source.
    private func target(for imported: ImportedWorkspace, in program: ProgramContext) throws -> String {
        if let folder = try WorkspaceSource.find(from: program.folders.current) { return folder }
        let name = PlacedImport.folderName(for: imported)
        let place = program.path(name)
        guard !FileManager.default.fileExists(atPath: place) || FileManager.default.fileExists(atPath: FilePath.joining(place, "workspace.yaml"))
        else {
            throw CommandFailure(.file, name: "import", "the folder \(name) exists and is no workspace", hint: "name the folder: -o FOLDER")
        }
        return name
    }

    // MARK: Update

    /// The decisions of the options, else of the user, by file.
    private func decisions(about changes: [ImportChange], in program: ProgramContext) -> [String: ImportDecision] {
        let rules = accepted.map { ($0, ImportDecision.accept) } + skipped.map { ($0, .skip) }
        var decisions: [String: ImportDecision] = [:]
        for change in changes {
            // The longest name is the most specific one.
            let matching = rules.filter { Self.isNamed(change.file, by: $0.0) }
            decisions[change.file] = matching.max { Self.length($0.0) < Self.length($1.0) }?.1
        }
        for (name, _) in rules where name != "all" && !changes.contains(where: { Self.isNamed($0.file, by: name) }) {
            program.errors.line("sortie: warning: the source changed nothing in \(name)")
        }
        guard !json, !dryRun, program.terminal.isPossible else { return decisions }
        for change in changes where decisions[change.file] == nil {
            program.errors.prompt(VisibleLine.of("\(change.file): \(change.text). Accept? [y]es, [n]o, [q]uit, Enter for later: "))
            switch program.input.line()?.lowercased() ?? "q" {
            case "y", "yes": decisions[change.file] = .accept
            case "n", "no": decisions[change.file] = .skip
            case "q", "quit": return decisions
            default: break
            }
        }
        return decisions
    }

    private static func isNamed(_ file: String, by name: String) -> Bool {
        name == "all" || file == name || file.hasPrefix(name.hasSuffix("/") ? name : name + "/")
    }

    private static func length(_ name: String) -> Int { name == "all" ? 0 : name.utf8.count }

    // MARK: Report

    private func finish(report: ImportReport, _ plan: ImportPlan, folder: String, format: String, in program: ProgramContext) throws {
        // Only the texts that are printed are made: for a large source, each is as long as the source.
        func text(isRecord: Bool) -> String {
            guard isRecord else {
                let lines = update ? plan.sourceChanges.map(Self.line) : report.lines
                return lines.map { VisibleLine.of($0) + "\n" }.joined()
            }
            let record: JSONValue = [
                "workspace": .string(folder), "format": .string(format),
                "files": .array(
                    plan.files.map { ["file": .string($0.file), "outcome": .string($0.outcome.rawValue), "reason": .optional($0.reason)] }),
                "report": report.record,
            ]
            guard update, case .object(let members) = record else { return record.text + "\n" }
            return JSONValue.object(members + [.init("changes", .array(plan.sourceChanges.map(Self.record)))]).text + "\n"
        }
        if let path = self.report {
            let text = text(isRecord: path.lowercased().hasSuffix(".json"))
            try OutputFile.write(text, to: path, program.folders, program.outputWaits)
        }
        program.output.write(text(isRecord: json))
        guard !update else {
            if plan.sourceChanges.isEmpty { program.errors.line("the source has not changed since its last import") }
            return
        }
        let outcomes = [ImportReport.Outcome.imported] + (report.count(.unchanged) > 0 ? [.unchanged] : []) + [.changed, .omitted]
        let counts = outcomes.map { "\(report.count($0)) \($0.rawValue)" }.joined(separator: ", ")
        program.errors.line(dryRun ? "\(counts); nothing was written (--dry-run)" : "\(counts); workspace: \(folder)")
        if !dryRun, report.entries.contains(where: { $0.reason.programText.contains("environment variable") }) {
            program.errors.line("the workspace starts untrusted; after setting the variables: sortie trust \(ShellQuote.quoted(folder))")
        }
    }

    /// A line of `--update`, such as `accepted  shop/list.yaml: the source changed query`.
    private static func line(_ change: ImportChange, _ decision: ImportDecision?) -> String {
        "\(word(for: change, decision))  \(change.file): \(change.text)"
    }

    private static func record(_ change: ImportChange, _ decision: ImportDecision?) -> JSONValue {
        func list(_ names: [String]) -> JSONValue { .array(names.map(JSONValue.string)) }
        return [
            "file": .string(change.file), "kind": .string(change.kind.rawValue), "decision": .string(word(for: change, decision)),
            "source": list(change.source), "own": list(change.own), "conflicts": list(change.conflicts),
        ]
    }

    private static func word(for change: ImportChange, _ decision: ImportDecision?) -> String {
        switch decision {
        case .skip: "skipped"
        case .accept where change.isComplete: "accepted"
        case .accept, nil: "open"
        }
    }
}
