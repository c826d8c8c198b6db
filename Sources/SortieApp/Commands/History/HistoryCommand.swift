internal import ArgumentParser
internal import Foundation
internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// `sortie history`: the history of exchanges, for scripts.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List, show, replay, compare and export exchanges.",
        subcommands: [
            HistoryListCommand.self, HistoryShowCommand.self, HistoryReplayCommand.self, HistoryDiffCommand.self, HistoryExportCommand.self,
            HistoryPruneCommand.self, HistoryDeleteCommand.self, HistoryPinCommand.self, HistoryUnpinCommand.self, HistoryTagCommand.self,
            HistoryNoteCommand.self, HistorySaveExampleCommand.self,
        ], defaultSubcommand: HistoryListCommand.self)
}

/// `sortie history delete`: deletes exchanges by their numbers, or all that match a filter.
struct HistoryDeleteCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete exchanges, including pinned ones.",
        discussion: """
            Numbers, ids, last and last-1 are deleted at once. Other words are a filter as in history list, and what it matches is deleted after a \
            confirmation, or with --yes; -is:pinned keeps pinned exchanges. \(HistoryFilterOptions.discussion)
            """)

    @OptionGroup var filter: HistoryFilterOptions

    @Flag(help: "Delete what the filter matches without a confirmation.")
    var yes = false

    func run(in program: ProgramContext) throws {
        let words = filter.filter.filter { $0 != "--" }
        guard !words.isEmpty else {
            throw CommandFailure(.usage, "name exchanges or a filter", hint: "sortie history delete 12 last, or sortie history delete status:5xx")
        }
        if words.allSatisfy(Self.isReference) {
            let (store, numbers) = try HistoryReferences.found(words, in: program)
            return try store.delete(numbers)
        }
        let filter = try filter.parsed(in: program)
        let store = try HistoryStore.usable(in: program)
        let (numbers, pinned) = try Self.matches(filter, in: store)
        guard !numbers.isEmpty else { return program.errors.line("no exchange matches") }
        try confirm(numbers.count, pinned: pinned, in: program)
        try store.delete(numbers)
        program.output.write("\(Self.text(numbers.count)) deleted\n")
    }

    /// Whether a word names one exchange.
    private static func isReference(_ word: String) -> Bool {
        Int64(word) != nil || word == "last" || word.hasPrefix("last-") || RequestID(word) != nil
    }

    private static func text(_ count: Int) -> String { "\(count) \(count == 1 ? "exchange" : "exchanges")" }

    /// The numbers of all matching exchanges, so that those that are recorded meanwhile stay.
    private static func matches(_ filter: HistoryFilter, in store: HistoryStore) throws -> (numbers: [Int64], pinned: Int) {
        var numbers: [Int64] = []
        var pinned = 0
        var place = HistoryQuery.Place.newest
        while true {
            let page = try store.page(HistoryQuery(filter, at: place, limit: 1000))
            numbers += page.items.map(\.number)
            pinned += page.items.count(where: \.isPinned)
            guard page.hasOlder, let last = page.items.last else { return (numbers, pinned) }
            place = .olderThan(last.number)
        }
    }

    private func confirm(_ count: Int, pinned: Int, in program: ProgramContext) throws {
        guard !yes else { return }
        let note = pinned == 0 ? "" : ", \(pinned) of them pinned"
        guard program.terminal.isPossible else {
            throw CommandFailure(
                .usage, name: "confirmation", "\(Self.text(count)) match\(count == 1 ? "es" : "")\(note), and nothing was deleted",
                hint: "to delete without a question: --yes")
        }
        program.errors.prompt("Delete \(Self.text(count))\(note)? This cannot be undone. [y/N] ")
        guard ["y", "yes"].contains(program.input.line()?.lowercased() ?? "") else {
            throw CommandFailure(.interrupted, "nothing was deleted")
        }
    }
}

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

    @Flag(help: "Print one JSON record instead of text.")
    var json = false

    @Flag(name: .customLong("no-color"), help: "No colours.")
    var noColor = false

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
        if json {
            program.output.write(comparison.record.text + "\n")
        } else {
            ComparisonReport(comparison: comparison, in: program, hasColours: program.output.takesControlSequences && !noColor).print()
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

/// Selects the exchanges of the history for a command.
struct HistoryFilterOptions: ParsableArguments {
    /// The syntax of filters, for the help of commands.
    static let discussion = """
        A filter has words and terms, all of which must match: status:404, 5xx, 400-499, >=400 or none; service: target: env: method: tag: run: \
        workspace: url: header: body:; is:ok, error, answered, failed, cancelled, superseded, pinned, download or upload; since: and until: with \
        30m, 2d, a day, a time, today or yesterday. “-” before a term negates it; quotes, also those of the shell, keep words together.
        """

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("Words and terms: status:5xx service:shop since:1h -method:get …", valueName: "filter"))
    var filter: [String] = []

    // The parser would find the letter of -w in -workspace:none, so that `parsed(in:)` reads it.
    @Option(
        help: ArgumentHelp("Only exchanges of the workspace in this folder, as workspace:FOLDER; -w for short.", valueName: "folder"),
        completion: .directory)
    var workspace: String?

    /// Parses the filter.
    ///
    /// - Throws: When a term is empty, or looks like an unknown option.
    func parsed(in program: ProgramContext) throws -> HistoryFilter {
        var filter = filter.filter { $0 != "--" && !SharedOptions.flags.contains($0) }
        var workspace = workspace
        if let option = filter.firstIndex(of: "-w"), option + 1 < filter.endIndex {
            workspace = filter[option + 1]
            filter.removeSubrange(option...option + 1)
        }
        // Options of other commands are not excluded words.
        if let option = filter.first(where: { $0.hasPrefix("--") || $0.hasPrefix("-") && $0.count == 2 }) {
            throw CommandFailure(.usage, "there is no option \(option)", hint: "sortie help history lists all options")
        }
        let now = program.now()
        let folder = try workspace.flatMap { try WorkspaceSource.folder(named: $0, in: program)?.path }
        do throws(HistoryFilterProblem) {
            var parsed = try HistoryFilter(
                parsing: HistoryFilter.text(ofArguments: filter), now: now, utcOffset: TimeZone.current.secondsFromGMT(for: now))
            if let folder { parsed.terms.append(HistoryFilter.Term(.workspace(folder))) }
            return parsed
        } catch {
            throw CommandFailure(.usage, name: "filter", error.description, hint: "sortie help history list explains the filter")
        }
    }
}

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
        var page = try store.page(HistoryQuery(filter, limit: limit))
        let redaction = Redaction(adding: WorkspaceSource.redactedNames(in: program))
        page.items = page.items.map { $0.masked(by: redaction) }
        try store.tellProblem(hasFound: !page.items.isEmpty, in: program)
        if page.items.isEmpty, let command = UsageHint.historyCommand(for: program.arguments), let word = program.arguments.dropFirst().first {
            throw CommandFailure(
                .usage, "no exchange matches “\(word)”, and there is no command history \(word)",
                hint: "did you mean \(command)? sortie history list \(word) is a filter")
        }
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
    /// The history of the user.
    ///
    /// - Throws: Where it cannot be read or changed.
    static func usable(in program: ProgramContext) throws(CommandFailure) -> HistoryStore {
        let store = open(stateFolder: program.folders.state)
        if let problem = store.problem { throw CommandFailure(problem) }
        return store
    }

    /// Reports a problem of the history; fails where nothing was found because of it.
    func tellProblem(hasFound: Bool, in program: ProgramContext) throws {
        guard let problem else { return }
        guard hasFound else { throw CommandFailure(problem) }
        program.errors.line("sortie: warning: \(problem)")
    }
}

/// The exchanges that a command changes.
struct HistoryReferences: ParsableArguments {
    @Argument(help: ArgumentHelp("Numbers, ids, last, or last-1.", valueName: "id"), completion: .exchange)
    var references: [String]

    /// The store and the numbers of the exchanges; nothing is changed where one is not found.
    ///
    /// A row that cannot be read has a number as well.
    func found(in program: ProgramContext) throws -> (store: HistoryStore, numbers: [Int64]) { try Self.found(references, in: program) }

    /// The store and the numbers of these references.
    static func found(_ references: [String], in program: ProgramContext) throws -> (store: HistoryStore, numbers: [Int64]) {
        let store = try HistoryStore.usable(in: program)
        return (store, try references.map { try HistoryReference($0).number(in: store) })
    }
}

/// `sortie history pin`: keeps exchanges regardless of their age.
struct HistoryPinCommand: ProgramCommand {
    static let configuration = CommandConfiguration(commandName: "pin", abstract: "Pin exchanges, so that pruning keeps them.")

    @OptionGroup var chosen: HistoryReferences

    func run(in program: ProgramContext) throws {
        let (store, numbers) = try chosen.found(in: program)
        try store.setPinned(numbers, true)
    }
}

/// `sortie history unpin`: removes the pins of exchanges.
struct HistoryUnpinCommand: ProgramCommand {
    static let configuration = CommandConfiguration(commandName: "unpin", abstract: "Unpin exchanges, so that pruning can delete them.")

    @OptionGroup var chosen: HistoryReferences

    func run(in program: ProgramContext) throws {
        let (store, numbers) = try chosen.found(in: program)
        try store.setPinned(numbers, false)
    }
}

/// `sortie history tag`: sets the tags of an exchange, by which it can be found.
struct HistoryTagCommand: ProgramCommand {
    static let configuration = CommandConfiguration(commandName: "tag", abstract: "Add tags to an exchange.")

    @Argument(help: ArgumentHelp("Its number, its id, last, or last-1.", valueName: "id"), completion: .exchange)
    var reference: String

    @Argument(help: "The tags.")
    var words: [String]

    @Flag(help: "Remove the tags instead of adding them.")
    var remove = false

    func run(in program: ProgramContext) throws {
        let words = words.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        let store = try HistoryStore.usable(in: program)
        let item = try HistoryReference(reference).exchange(in: store, program).item
        var tags = item.tags.filter { !words.contains($0) }
        if !remove { tags = item.tags + words.filter { !item.tags.contains($0) } }
        try store.setTags(item.number, tags)
    }
}

/// `sortie history note`: sets the note of an exchange.
struct HistoryNoteCommand: ProgramCommand {
    static let configuration = CommandConfiguration(commandName: "note", abstract: "Write a note about an exchange; an empty text removes it.")

    @Argument(help: ArgumentHelp("Its number, its id, last, or last-1.", valueName: "id"), completion: .exchange)
    var reference: String

    @Argument(help: "The text.")
    var text: [String]

    func run(in program: ProgramContext) throws {
        let store = try HistoryStore.usable(in: program)
        let item = try HistoryReference(reference).exchange(in: store, program).item
        try store.setNote(item.number, text.joined(separator: " "))
    }
}

/// `sortie history prune`: deletes old exchanges.
struct HistoryPruneCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Delete old exchanges and free their space.",
        discussion: """
            Without options, half a year, 200,000 exchanges and 2 GB of bodies are kept; with options, only those limits apply. Pinned exchanges are \
            kept. Bodies without an exchange are always removed.
            """)

    @Option(
        name: .customLong("older-than"),
        help: ArgumentHelp("Delete exchanges older than 12h, 30d, 2w, or than a day, which is kept: 2026-11-21, today.", valueName: "time"))
    var olderThan: String?

    @Option(help: ArgumentHelp("Keep this many of the newest exchanges.", valueName: "count"))
    var keep: Int?

    @Option(name: .customLong("max-bytes"), help: ArgumentHelp("Keep this many bytes of bodies: 500MB, 2GB.", valueName: "size"))
    var maxBytes: String?

    @Flag(help: "Print one JSON record instead of text.")
    var json = false

    func run(in program: ProgramContext) throws {
        let retention = try retention(in: program)
        let store = try HistoryStore.usable(in: program)
        let gone = try store.prune(retention)
        if json {
            let record: JSONValue = ["exchanges": .integer(gone.rows), "bodies": .integer(gone.bodies), "bytes": .integer(gone.bytes)]
            program.output.write(record.text + "\n")
        } else {
            let bodies = "\(gone.bodies) \(gone.bodies == 1 ? "file" : "files") of bodies (\(ByteCount(gone.bytes).text))"
            program.output.write("\(gone.rows) \(gone.rows == 1 ? "exchange" : "exchanges") and \(bodies) removed\n")
        }
    }

    private func retention(in program: ProgramContext) throws -> HistoryRetention {
        if olderThan == nil, keep == nil, maxBytes == nil { return .standard }
        if let keep, keep < 0 { throw CommandFailure(.usage, "--keep \(keep) is not a number of exchanges", hint: "write a number of 0 or more") }
        var bytes: Int64?
        if let maxBytes {
            guard let size = ByteCount(parsing: maxBytes) else {
                throw CommandFailure(
                    .usage, "--max-bytes \(maxBytes) is not a number of bytes", hint: "write a number with an ending like kB, MB or GiB")
            }
            bytes = size.bytes
        }
        return HistoryRetention(age: try olderThan.map { try age($0, in: program) }, count: keep, bytes: bytes)
    }

    /// The seconds since the moment that `since:` of a filter denotes; for a day, since its beginning: older than a day means before it.
    private func age(_ text: String, in program: ProgramContext) throws -> Double {
        let now = program.now()
        let filter = HistoryFilter.typed("since:\"\(text)\"", now: now, utcOffset: TimeZone.current.secondsFromGMT(for: now)).filter
        guard filter.terms.count == 1, case .since(let date) = filter.terms[0].test, date <= now else {
            throw CommandFailure(.usage, "--older-than \(text) is not a duration", hint: "write 12h, 30d, 2w or a day like 2026-11-21")
        }
        return now.timeIntervalSince(date)
    }
}
