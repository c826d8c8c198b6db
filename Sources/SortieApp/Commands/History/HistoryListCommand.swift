internal import ArgumentParser
internal import HistoryModel
internal import SortieHTTP
internal import SortieStorage

/// `sortie history list`: lists exchanges, the newest first.
struct HistoryListCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List exchanges, the newest first.", discussion: HistoryFilterOptions.discussion)

    @OptionGroup var filter: HistoryFilterOptions

    @Option(help: ArgumentHelp("The maximum number of exchanges.", valueName: "count"))
    var limit = 50

    // There is no one-letter option, because the parser would find it in -service:shop.
    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Print a line with these fields for each exchange: \(HistoryItem.fieldNames.map { "{\($0)}" }.joined(separator: " ")).", valueName: "text"
        ))
    var format: String?

    func run(in program: ProgramContext) throws {
        if json, format != nil { throw CommandFailure(.usage, "give only one of --format and --json") }
        let template = try format.map { try OutputTemplate($0, fields: HistoryItem.fieldNames) }
        guard limit > 0 else { throw CommandFailure(.usage, "--limit \(limit) is not a number of exchanges", hint: "write a number of 1 or more") }
        let filter = try filter.parsed(in: program)
        let store = HistoryStore.open(stateFolder: program.folders.state)
        var page: HistoryPage
        do { page = try store.page(HistoryQuery(filter, limit: limit)) } catch { throw CommandFailure(error) }
        let redaction = Redaction(adding: WorkspaceSource.redactedNames(in: program))
        page.items = page.items.map { $0.masked(by: redaction) }
        try store.tellProblem(hasFound: !page.items.isEmpty, in: program)
        for item in page.items where item.isDamaged { program.errors.line("sortie: warning: \(item.note)") }
        if json {
            program.output.write(JSONValue.array(page.items.map(\.record)).text + "\n")
            return
        }
        if let template {
            program.output.write(page.items.map { item in template.line { item.field($0) } }.joined())
            return
        }
        program.output.write(HistoryTable(items: page.items).text(for: program.output, now: program.now()))
        guard program.output.isTerminal else { return }
        if page.items.isEmpty { program.errors.line(filter.terms.isEmpty ? "nothing was sent yet" : "no exchange matches") }
        if page.hasOlder { program.errors.line("there are more exchanges; --limit shows them") }
    }
}

extension HistoryStore {
    /// Reports a problem of the history; fails where nothing was found because of it.
    func tellProblem(hasFound: Bool, in program: ProgramContext) throws {
        guard let problem else { return }
        guard hasFound else { throw CommandFailure(problem) }
        program.errors.line("sortie: warning: \(problem)")
    }
}
