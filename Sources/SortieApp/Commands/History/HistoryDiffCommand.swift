internal import ArgumentParser
internal import HistoryModel
internal import SortieBase
internal import SortieStorage
internal import WorkspaceModel

/// `sortie history diff`: prints the differences between two exchanges.
struct HistoryDiffCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two exchanges; exits with 1 when the responses differ, with 3 when a body is missing.",
        discussion: """
            Compares status, header fields and body: JSON by structure, other text by lines. Times, sizes, requests and the header fields Date and \
            Age are shown but do not count. If a body was not stored, such as that of a download, only its size is compared.
            """)

    @Argument(help: ArgumentHelp("One exchange: its number, its id, last, or last-1.", valueName: "id"), completion: .exchange)
    var left: String

    @Argument(help: ArgumentHelp("The other exchange.", valueName: "id"), completion: .exchange)
    var right: String

    @Option(help: ArgumentHelp("What to ignore: a JSON path ($.timestamp, $.items[*].id, $..etag), header:NAME, or status.", valueName: "what"))
    var ignore: [String] = []

    @OptionGroup(title: "Output") var output: OutputOptions

    func run(in program: ProgramContext) throws {
        let rules: CompareRules
        do throws(CompareRuleProblem) { rules = try CompareRules(parsing: ignore) } catch {
            throw CommandFailure(.usage, name: "ignore", error.description)
        }
        let store = HistoryStore.open(stateFolder: program.folders.state)
        let names = WorkspaceSource.redactedNames(in: program)
        let comparison = ExchangeComparison(
            left: try HistoryReference(left).exchange(in: store, masking: names, in: program),
            right: try HistoryReference(right).exchange(in: store, masking: names, in: program), ignoring: rules)
        if output.json {
            program.output.write(comparison.record.text + "\n")
        } else {
            ComparisonReport(comparison: comparison, in: program, hasColours: program.output.takesControlSequences && !output.noColor).print()
        }
        if comparison.isUnknown {
            throw CommandFailure(
                .file, name: "missingBody",
                "the responses of \(comparison.left.number) and \(comparison.right.number) cannot be compared completely",
                hint: "a body is missing; everything else is equal")
        }
        if !comparison.areEqual { throw ExitCode(CommandFailure.Kind.response.exitCode) }
    }
}
