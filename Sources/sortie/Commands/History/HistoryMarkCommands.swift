internal import ArgumentParser
internal import Model
internal import Storage

/// Exchanges that a command changes.
struct HistoryReferences: ParsableArguments {
    @Argument(help: ArgumentHelp("Numbers, ids, last, or last-1.", valueName: "id"))
    var references: [String]

    /// The store and the numbers of the exchanges; nothing is changed where one is not found.
    ///
    /// A row that cannot be read has a number, too.
    func found() throws -> (store: HistoryStore, numbers: [Int64]) {
        let store = HistoryStore.open()
        if let problem = store.problem { throw CommandFailure(problem) }
        return (store, try references.map { try HistoryReference($0).number(in: store) })
    }
}

extension HistoryStore {
    /// Changes something, in the words of a command when that fails.
    fileprivate func change(_ work: (HistoryStore) throws(WorkspaceError) -> Void) throws {
        do throws(WorkspaceError) { try work(self) } catch { throw CommandFailure(error) }
    }
}

/// `sortie history delete`: forgets exchanges.
struct HistoryDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: "Forget exchanges, pinned ones too.")

    @OptionGroup var chosen: HistoryReferences

    func run() throws {
        let (store, numbers) = try chosen.found()
        try store.change { store throws(WorkspaceError) in try store.delete(numbers) }
    }
}

/// `sortie history pin`: keeps exchanges, however old they get.
struct HistoryPinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "pin", abstract: "Keep exchanges, however old they get.")

    @OptionGroup var chosen: HistoryReferences

    func run() throws {
        let (store, numbers) = try chosen.found()
        try store.change { store throws(WorkspaceError) in try store.setPinned(numbers, true) }
    }
}

/// `sortie history unpin`: the opposite.
struct HistoryUnpinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unpin", abstract: "Let pinned exchanges go with their time.")

    @OptionGroup var chosen: HistoryReferences

    func run() throws {
        let (store, numbers) = try chosen.found()
        try store.change { store throws(WorkspaceError) in try store.setPinned(numbers, false) }
    }
}

/// `sortie history tag`: gives an exchange words to be found by.
struct HistoryTagCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "tag", abstract: "Give an exchange words to be found by.")

    @Argument(help: ArgumentHelp("Its number, its id, last, or last-1.", valueName: "id"))
    var reference: String

    @Argument(help: "The words.")
    var words: [String]

    @Flag(help: "Take the words away instead.")
    var remove = false

    func run() throws {
        let words = words.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        let store = HistoryStore.open()
        if let problem = store.problem { throw CommandFailure(problem) }
        let item = try HistoryReference(reference).exchange(in: store).item
        var tags = item.tags.filter { !words.contains($0) }
        if !remove { tags = item.tags + words.filter { !item.tags.contains($0) } }
        try store.change { store throws(WorkspaceError) in try store.setTags(item.number, tags) }
    }
}

/// `sortie history note`: writes something about an exchange.
struct HistoryNoteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "note", abstract: "Write something about an exchange; an empty text takes it away.")

    @Argument(help: ArgumentHelp("Its number, its id, last, or last-1.", valueName: "id"))
    var reference: String

    @Argument(help: "The text.")
    var text: [String]

    func run() throws {
        let store = HistoryStore.open()
        if let problem = store.problem { throw CommandFailure(problem) }
        let item = try HistoryReference(reference).exchange(in: store).item
        try store.change { store throws(WorkspaceError) in try store.setNote(item.number, text.joined(separator: " ")) }
    }
}
