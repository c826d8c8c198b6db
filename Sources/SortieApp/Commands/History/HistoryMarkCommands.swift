internal import ArgumentParser
internal import HistoryModel
internal import SortieStorage

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
        let store = HistoryStore.open(stateFolder: program.folders.state)
        if let problem = store.problem { throw CommandFailure(problem) }
        return (store, try references.map { try HistoryReference($0).number(in: store) })
    }
}

extension HistoryStore {
    /// Performs a change and reports a failure as a command failure.
    func change(_ work: (HistoryStore) throws(WorkspaceError) -> Void) throws {
        do throws(WorkspaceError) { try work(self) } catch { throw CommandFailure(error) }
    }
}

/// `sortie history pin`: keeps exchanges regardless of their age.
struct HistoryPinCommand: ProgramCommand {
    static let configuration = CommandConfiguration(commandName: "pin", abstract: "Pin exchanges, so that pruning keeps them.")

    @OptionGroup var chosen: HistoryReferences

    func run(in program: ProgramContext) throws {
        let (store, numbers) = try chosen.found(in: program)
        try store.change { store throws(WorkspaceError) in try store.setPinned(numbers, true) }
    }
}

/// `sortie history unpin`: removes the pins of exchanges.
struct HistoryUnpinCommand: ProgramCommand {
    static let configuration = CommandConfiguration(commandName: "unpin", abstract: "Unpin exchanges, so that pruning can delete them.")

    @OptionGroup var chosen: HistoryReferences

    func run(in program: ProgramContext) throws {
        let (store, numbers) = try chosen.found(in: program)
        try store.change { store throws(WorkspaceError) in try store.setPinned(numbers, false) }
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
        let store = HistoryStore.open(stateFolder: program.folders.state)
        if let problem = store.problem { throw CommandFailure(problem) }
        let item = try HistoryReference(reference).exchange(in: store, program).item
        var tags = item.tags.filter { !words.contains($0) }
        if !remove { tags = item.tags + words.filter { !item.tags.contains($0) } }
        try store.change { store throws(WorkspaceError) in try store.setTags(item.number, tags) }
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
        let store = HistoryStore.open(stateFolder: program.folders.state)
        if let problem = store.problem { throw CommandFailure(problem) }
        let item = try HistoryReference(reference).exchange(in: store, program).item
        try store.change { store throws(WorkspaceError) in try store.setNote(item.number, text.joined(separator: " ")) }
    }
}
