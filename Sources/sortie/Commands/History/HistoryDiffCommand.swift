internal import ArgumentParser
internal import Model
internal import Storage

/// `sortie history diff`: what differs between two exchanges.
struct HistoryDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two exchanges; exits with 1 when their answers differ, with 3 when that cannot be told.",
        discussion: """
            Compared are status, header fields and body: JSON by its structure, other text by lines. Times, sizes and what was asked are shown and do \
            not count, nor do the header fields Date and Age. Of a body that was not kept, as that of a download, only the size is known.
            """)

    @Argument(help: ArgumentHelp("One exchange: its number, its id, last, or last-1.", valueName: "id"))
    var left: String

    @Argument(help: ArgumentHelp("The other one.", valueName: "id"))
    var right: String

    @Option(help: ArgumentHelp("What may differ: a JSON path ($.timestamp, $.items[*].id, $..etag), header:NAME, or status.", valueName: "what"))
    var ignore: [String] = []

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let rules: CompareRules
        do throws(CompareRuleProblem) { rules = try CompareRules(parsing: ignore) } catch {
            throw CommandFailure(.usage, name: "ignore", error.description)
        }
        let store = HistoryStore.open()
        let names = WorkspaceSource.redactedNames()
        let comparison = ExchangeComparison(
            left: try HistoryReference(left).exchange(in: store, masking: names),
            right: try HistoryReference(right).exchange(in: store, masking: names), ignoring: rules)
        if output.json {
            StandardOutput.write(comparison.record.text + "\n")
        } else {
            ComparisonReport(comparison: comparison, hasColours: StandardOutput.isTerminal && !output.noColor).print()
        }
        if comparison.isUnknown {
            throw CommandFailure(
                .file, name: "missingBody",
                "whether the answers of \(comparison.left.number) and \(comparison.right.number) are equal cannot be told",
                hint: "a body is not there; all that is there is equal")
        }
        if !comparison.areEqual { throw ExitCode(CommandFailure.Kind.response.exitCode) }
    }
}
