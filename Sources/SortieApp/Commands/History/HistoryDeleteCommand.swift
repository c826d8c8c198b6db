internal import ArgumentParser
internal import HistoryModel
internal import SortieHTTP
internal import SortieStorage

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
            return try store.change { store throws(WorkspaceError) in try store.delete(numbers) }
        }
        let filter = try filter.parsed(in: program)
        let store = HistoryStore.open(stateFolder: program.folders.state)
        if let problem = store.problem { throw CommandFailure(problem) }
        let (numbers, pinned) = try Self.matches(filter, in: store)
        guard !numbers.isEmpty else { return program.errors.line("no exchange matches") }
        try confirm(numbers.count, pinned: pinned, in: program)
        try store.change { store throws(WorkspaceError) in try store.delete(numbers) }
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
        do {
            while true {
                let page = try store.page(HistoryQuery(filter, at: place, limit: 1000))
                numbers += page.items.map(\.number)
                pinned += page.items.count(where: \.isPinned)
                guard page.hasOlder, let last = page.items.last else { return (numbers, pinned) }
                place = .olderThan(last.number)
            }
        } catch { throw CommandFailure(error) }
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
