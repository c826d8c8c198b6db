internal import ArgumentParser
internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieStorage
internal import WorkspaceModel

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

    @Flag(name: .customLong("dry-run"), help: "Print the report and write nothing.")
    var dryRun = false

    @Flag(help: "Print one JSON record instead of lines.")
    var json = false

    func run(in program: ProgramContext) throws {
        if !force, let report, let protected = ProtectedLocation(report, .writing, program.folders) { throw CommandFailure(protected) }
        if let scripts, !["comments", "hooks"].contains(scripts) {
            throw CommandFailure(.usage, "--scripts \(scripts) is neither comments nor hooks")
        }
        let content = try WorkspaceImport(path: file, format: format, in: program)
        let path = try output ?? target(for: content.imported, in: program)
        do {
            let format = content.format.name
            let plan = try (consume content).plan(for: path, isForced: force, keepsSecrets: keepsSecrets, usesHooks: scripts == "hooks")
            if !dryRun { try plan.target.folder.perform(plan.changes, isForced: force) }
            try finish(report: plan.report, plan.changes, folder: plan.target.folder.path, format: format, in: program)
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

    // MARK: Report

    private func finish(report: ImportReport, _ plan: ImportPlan, folder: String, format: String, in program: ProgramContext) throws {
        // Only the texts that are printed are made: for a large source, each is as long as the source.
        func text(isRecord: Bool) -> String {
            guard isRecord else { return report.lines.map { VisibleLine.of($0) + "\n" }.joined() }
            let record: JSONValue = [
                "workspace": .string(folder), "format": .string(format),
                "files": .array(
                    plan.files.map { ["file": .string($0.file), "outcome": .string($0.outcome.rawValue), "reason": .optional($0.reason)] }),
                "report": report.record,
            ]
            return record.text + "\n"
        }
        if let path = self.report {
            let text = text(isRecord: path.lowercased().hasSuffix(".json"))
            try OutputFile.write(text, to: path, program.folders, program.outputWaits)
        }
        program.output.write(text(isRecord: json))
        let outcomes = [ImportReport.Outcome.imported] + (report.count(.unchanged) > 0 ? [.unchanged] : []) + [.changed, .omitted]
        let counts = outcomes.map { "\(report.count($0)) \($0.rawValue)" }.joined(separator: ", ")
        program.errors.line(dryRun ? "\(counts); nothing was written (--dry-run)" : "\(counts); workspace: \(folder)")
        if !dryRun, report.entries.contains(where: { $0.reason.contains("environment variable") }) {
            program.errors.line("the workspace starts untrusted; after setting the variables: sortie trust \(ShellQuote.quoted(folder))")
        }
    }
}
