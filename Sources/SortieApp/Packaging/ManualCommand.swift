internal import ArgumentParser
internal import SortieBase

/// A command as the argument parser describes it, for its manual page.
struct ManualCommand {
    /// An argument, an option or a flag.
    struct Argument {
        /// The names with their dashes; empty for an argument without a name.
        var names: [String]
        /// The name of the value; nil for a flag.
        var value: String?
        var summary: String
        var section: String?
        var isOptional: Bool
        var isRepeating: Bool
        var defaultValue: String?
    }

    /// The words that start it: `sortie history show`.
    var words: [String]
    var abstract: String
    var discussion: String
    var arguments: [Argument]
    /// The commands below it that help shows, without `help`.
    var subcommands: [ManualCommand]
    /// The name of the command that is meant where none is given.
    var defaultSubcommand: String?

    /// The last one of the words.
    var name: String { words.last ?? "" }

    /// Reads the description that `program` gives of itself.
    ///
    /// - Throws: A ``BodyProblem`` when it is not JSON.
    init(of program: any ParsableCommand.Type) throws {
        let dump = try JSONValue(parsing: program._dumpHelp())
        self.init(dump["command"] ?? .null, below: [])
    }

    private init(_ value: JSONValue, below words: [String]) {
        self.words = words + [Self.text(value["commandName"])]
        abstract = Self.text(value["abstract"])
        discussion = Self.text(value["discussion"])
        defaultSubcommand = value["defaultSubcommand"].map { Self.text($0) }
        arguments = Self.items(value["arguments"]).filter(Self.isDisplayed).map { Argument($0) }
        let own = self.words
        subcommands = Self.items(value["subcommands"]).filter(Self.isDisplayed).map { ManualCommand($0, below: own) }.filter { $0.name != "help" }
    }

    fileprivate static func text(_ value: JSONValue?) -> String {
        if case .string(let text)? = value { text } else { "" }
    }

    fileprivate static func items(_ value: JSONValue?) -> [JSONValue] {
        if case .array(let items)? = value { items } else { [] }
    }

    private static func isDisplayed(_ value: JSONValue) -> Bool { value["shouldDisplay"] != .bool(false) }
}

extension ManualCommand.Argument {
    fileprivate init(_ value: JSONValue) {
        names = ManualCommand.items(value["names"]).map { name in
            (name["kind"] == "long" ? "--" : "-") + ManualCommand.text(name["name"])
        }
        self.value = value["kind"] == "flag" ? nil : ManualCommand.text(value["valueName"])
        summary = ManualCommand.text(value["abstract"])
        section = value["sectionTitle"].map { ManualCommand.text($0) }
        isOptional = value["isOptional"] == .bool(true)
        isRepeating = value["isRepeating"] == .bool(true)
        defaultValue = value["defaultValue"].map { ManualCommand.text($0) }
    }
}
