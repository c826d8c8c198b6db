internal import ArgumentParser
internal import Foundation
internal import HistoryModel
internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import SortieTerminal
internal import WorkspaceModel

/// `sortie contract`: compares exchanges and versions with descriptions of APIs.
struct ContractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contract", abstract: "Compare what was recorded, and versions, with descriptions of APIs (contract: of services).",
        subcommands: [
            ContractCoverageCommand.self, ContractCheckCommand.self, ContractDiffCommand.self, ContractTestCommand.self, ContractUpdateCommand.self,
        ])
}

/// `sortie contract coverage`: lists the parts of descriptions that recorded exchanges used.
struct ContractCoverageCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage", abstract: "Show which operations, parameters, media types and responses of the descriptions were used.",
        discussion: "✓ marks operations of which everything was used, · those with missing parts, – those that were not sent.")

    /// Which exchanges count.
    enum Origin: String, ExpressibleByArgument, CaseIterable {
        case history, run
    }

    @Option(help: ArgumentHelp("Which recorded exchanges count: all of the history, or those of runs.", valueName: "history|run"))
    var from = Origin.history

    @Option(help: ArgumentHelp("Only exchanges since this time: 2d, 2026-11-21.", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Exit with 1 below this percentage.", valueName: "percent"))
    var goal: Int?

    @Option(help: ArgumentHelp("Write the table as a page; - is stdout.", valueName: "file"), completion: .file())
    var html: String?

    @Flag(help: "Print one JSON record instead of lines.")
    var json = false

    @OptionGroup var locations: LocationOptions
    @OptionGroup(title: "Workspace") var source: WorkspaceOptions

    func validate() throws {
        if let goal, !(0...100).contains(goal) { throw ValidationError("--goal \(goal) is not a percentage from 0 to 100") }
    }

    func run(in program: ProgramContext) throws {
        try locations.check(html, .writing, in: program)
        let coverages = try RecordedContracts(source, in: program).coverages(since: since, isOfRuns: from == .run)
        if json {
            program.output.write(JSONValue.array(coverages.map(\.json)).text + "\n")
        } else if html != "-" {
            for coverage in coverages { program.output.write(VisibleText.of(coverage.text)) }
        }
        if let html {
            let page = coverages.html
            if html == "-" { program.output.document(page) } else { try OutputFile.write(page, to: html, program.folders, program.outputWaits) }
        }
        if let goal, let least = coverages.map(\.percent).min(), least < goal {
            throw CommandFailure(.response, name: "coverage", "\(least) % of the description was used, less than \(goal) %")
        }
    }
}

/// `sortie contract check`: compares recorded exchanges with descriptions.
struct ContractCheckCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Compare the recorded exchanges with the descriptions; exits with 1 when one differs.",
        discussion: """
            --against FILE compares with another version of the description: which of the recorded responses would it not permit? Masked values, and \
            bodies that were not recorded, are not compared.
            """)

    @Flag(help: "Compare the exchanges of the history.")
    var history = false

    @Option(help: ArgumentHelp("Only exchanges since this time: 30d, 2026-11-21.", valueName: "time"))
    var since: String?

    @Option(
        help: ArgumentHelp("The description to compare with, instead of those of the services; - is standard input.", valueName: "file"),
        completion: .file())
    var against: String?

    @Flag(help: "Print one JSON record instead of lines.")
    var json = false

    @OptionGroup(title: "Workspace") var source: WorkspaceOptions

    func run(in program: ProgramContext) throws {
        guard history else {
            throw CommandFailure(
                .usage, "name what is compared: --history", hint: "sortie send --contract and sortie run --contract compare new exchanges")
        }
        let redaction = Redaction(adding: WorkspaceSource.redactedNames(in: program))
        var records: [JSONValue] = []
        var failed = 0
        let count = try RecordedContracts(source, against: against, in: program).forEach(since: since) { item, _, check in
            let failures = check.recordedFailures.map { $0.masked(by: redaction) }
            guard !failures.isEmpty else { return }
            failed += 1
            if json {
                let list = failures.map(\.json)
                records.append([
                    "number": .integer(item.number), "endpoint": .optional(item.target), "method": .string(item.method.rawValue),
                    "url": .string(item.url),
                    "status": item.status.map { .integer($0) } ?? .null, "failures": .array(list),
                ])
            } else {
                let head = "\(item.number)  \(HistoryTime.full(item.startedAt))  \(item.method) \(item.url)  \(item.status.map { String($0) } ?? "–")"
                program.output.write(([head] + failures.map { "    \($0)" }).map { VisibleLine.of($0) + "\n" }.joined())
            }
        }
        if json {
            program.output.write(
                (["compared": .integer(count), "failed": .integer(failed), "exchanges": .array(records)] as JSONValue).text + "\n")
        }
        let summary = "\(ItemCount.text(count, "exchange")) compared, \(failed) not as described"
        if failed > 0 { throw CommandFailure(.response, name: "contract", summary) }
        if !json { program.errors.line(summary) }
    }
}

/// `sortie contract diff`: compares two versions of a description.
struct ContractDiffCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two versions of a description; exits with 1 when a client of the old one can fail.",
        discussion: """
            A change is breaking when a request that was permitted is not any more, such as with a new required parameter, or when a response can have \
            what it could not have before, such as another type or no value of a required member. ! marks breaking changes.
            """)

    @Argument(help: ArgumentHelp("The old version: a file; - is standard input.", valueName: "old"), completion: .file())
    var old: String

    @Argument(help: ArgumentHelp("The new version.", valueName: "new"), completion: .file())
    var new: String

    @Flag(help: "Print one JSON record instead of lines.")
    var json = false

    func run(in program: ProgramContext) throws {
        let comparison: ContractComparison
        do {
            comparison = try ContractComparison(from: source(old, "OLD", in: program), to: source(new, "NEW", in: program))
        } catch let problem as Diagnostic {
            throw CommandFailure(ofContract: problem)
        }
        for warning in comparison.problems { program.errors.line(VisibleLine.of("sortie: warning: \(warning)")) }
        let changes = comparison.changes
        let breaking = changes.count(where: \.isBreaking)
        if json {
            let list = changes.map { change -> JSONValue in
                [
                    "operation": .string(change.operation), "part": .string(change.part), "message": .string(change.message),
                    "breaking": .bool(change.isBreaking), "file": .string(file(of: change)), "line": .integer(change.place.line),
                ]
            }
            program.output.write((["breaking": .integer(breaking), "changes": .array(list)] as JSONValue).text + "\n")
        } else {
            for change in changes {
                let text = "\(change.isBreaking ? "!" : " ") \(change.text) (\(file(of: change)):\(change.place.line))"
                program.output.write(VisibleLine.of(text) + "\n")
            }
        }
        let summary = "\(ItemCount.text(changes.count, "change")), \(breaking) breaking"
        if breaking > 0 { throw CommandFailure(.response, name: "breaking", summary) }
        if !json { program.errors.line(summary) }
    }

    /// The file of a change, with the path of the argument, because both versions often have one name.
    private func file(of change: ContractChange) -> String {
        let argument = change.isInOld ? old : new
        return change.place.file == FilePath.name(of: argument) ? argument : change.place.file
    }

    private func source(_ name: String, _ argument: String, in program: ProgramContext) throws -> ImportSource {
        if let stream = try WorkspaceImport.stream(name, for: argument, in: program) { return stream }
        let path = program.folders.absolute(name)
        return try ContractFiles.source(path, ContractReach(ofFile: path, program.folders), program.folders)
    }
}
