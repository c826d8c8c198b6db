internal import HistoryModel
internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import SortieWorkbench
internal import WorkspaceModel

/// Imports and exports of the workbench.
enum InterchangeWork {
    // MARK: Import

    /// What importing a file or a folder would change.
    static func preview(_ path: String, for folder: String, in program: ProgramContext) -> ImportPreview.Outcome {
        do {
            if let protected = ProtectedLocation(FilePath.joining(folder, "workspace.yaml"), .writing, program.folders) {
                return .failed(protected.message)
            }
            let content = try WorkspaceImport(path: path, in: program)
            let format = content.format.title
            let plan = try (consume content).plan(for: folder)
            return .done(
                ImportPreview(
                    source: path, format: format, files: plan.changes.files.map { ImportPreview.Line($0) },
                    report: plan.report.entries.map { ImportPreview.Line($0) }, changes: plan.changes.changes))
        } catch {
            return .failed(CommandFailure.sentence(error))
        }
    }

    // MARK: Export

    /// The text of an export.
    static func text(
        of subject: ExportSubject, as format: String, environment: String?, in requests: EndpointRequests, history: HistoryStore?
    ) -> ExportOutcome {
        do {
            guard let chosen = ExportFormats.named(format) else { throw CommandFailure(.usage, "there is no format \(format)") }
            let workspace = requests.workspace
            let export = WorkspaceExport(workspace, environment: environment, overrides: requests.overrides, isProgram: chosen.isProgram)
            func text(of source: ExportSource) throws -> String {
                if let failure = source.failures.first { throw failure }
                return try chosen.text(of: chosen.usesDescriptions ? source.withDescriptions(requests.permission) : source)
            }
            switch subject {
            case .endpoints(let name, let endpoints): return .text(try text(of: try export.source(name, endpoints)))
            case .run(let name):
                guard let run = workspace.runs.first(where: { $0.name == name }) else {
                    throw CommandFailure(.file, "the run \(name) cannot be read")
                }
                guard !chosen.isProgram || run.dataFile == nil else {
                    throw CommandFailure(.file, "the run \(name) has a file of data, which is not exported here; export the endpoints of its steps")
                }
                return .text(try text(of: try export.source(of: run)))
            case .exchanges(let numbers):
                guard let history else { throw CommandFailure(.file, "the history is switched off") }
                let redaction = Redaction(adding: workspace.redact)
                let past = try numbers.compactMap { try history.past($0)?.masked(by: redaction) }
                guard past.count == numbers.count else { throw CommandFailure(.file, "an exchange is no longer in the history") }
                return .text(try chosen.text(of: try WorkspaceExport.source(of: past, redaction: redaction)))
            }
        } catch {
            return .failed(CommandFailure.sentence(error))
        }
    }
}

extension ReadCommandsJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> PastedCommands? {
        PastedCommands(text, for: runner.workspaceFolder, in: runner.program)
    }
}

extension PlanImportJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> ImportPreview.Outcome? {
        InterchangeWork.preview(source, for: runner.workspaceFolder, in: runner.program)
    }
}

extension ExportJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> ExportOutcome? {
        InterchangeWork.text(of: subject, as: choice.name, environment: environment, in: runner.requests, history: runner.history.store)
    }
}

extension ExportChoice {
    /// All formats.
    static var all: [ExportChoice] {
        ExportFormats.all.map { ExportChoice(name: $0.name, title: $0.title, fileExtension: $0.fileExtension) }
    }
}

extension ImportPreview.Line {
    init(_ file: ImportedFile) {
        let kind: ImportPreview.Kind =
            switch file.outcome {
            case .created: .created
            case .updated: .updated
            case .unchanged: .unchanged
            case .kept: .kept
            }
        self.init(kind, file.file + (file.reason.map { ": \($0)" } ?? ""))
    }

    init(_ entry: ImportReport.Entry) {
        let kind: ImportPreview.Kind =
            switch entry.outcome {
            case .imported: .imported
            case .unchanged: .unchanged
            case .changed: .changed
            case .omitted: .omitted
            }
        self.init(kind, entry.workbenchText)
    }
}
