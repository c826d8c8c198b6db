internal import ArgumentParser
internal import Glibc
internal import SortieBase
internal import SortieGuide

/// What is meant by arguments that are no command of this program.
enum UsageHint {
    /// The methods of HTTP and the programs that people type in place of `send`.
    private static let senders = ["get", "head", "post", "put", "patch", "delete", "options", "curl", "http", "https", "request", "fetch"]

    /// The words that people type in place of commands, which are not misspelt.
    private static let others: [(command: String, words: [String])] = [
        ("sortie", ["ui", "tui", "gui", "workbench"]), ("sortie init", ["new", "create", "scaffold"]),
        ("sortie list", ["ls", "endpoints", "requests", "services", "environments", "envs", "collections"]),
        ("sortie check", ["lint", "validate", "verify", "doctor"]), ("sortie run", ["test", "tests", "start", "exec", "chain", "batch"]),
        ("sortie run --record NAME EXCHANGE…", ["record"]), ("sortie download URL", ["wget", "aria2c"]),
        ("sortie bench", ["benchmark", "load", "stress", "perf", "wrk", "ab", "hey", "k6"]),
        ("sortie listen URL", ["ws", "websocket", "websocat", "sse", "events", "subscribe"]),
        ("sortie history list", ["log", "logs"]), ("sortie history replay", ["replay", "repeat"]), ("sortie history diff", ["diff", "compare"]),
        ("sortie token get", ["login", "signin", "oauth", "auth"]), ("sortie token forget", ["logout", "signout"]),
        ("sortie secret set", ["password", "keyring", "vault"]), ("sortie mock", ["stub", "server", "prism"]),
        ("sortie import", ["postman", "insomnia", "openapi", "swagger", "har"]), ("sortie config", ["settings", "preferences", "theme", "keys"]),
        ("sortie guide", ["docs", "man", "manual", "tutorial"]), ("sortie guide cookies", ["cookie", "cookies"]),
        ("sortie guide proxies", ["proxy"]), ("sortie demo", ["example", "examples", "sample", "tour"]), ("sortie --version", ["version"]),
        ("sortie self install", ["install", "update", "upgrade", "completion", "completions"]),
    ]

    /// The command that is meant by a word, as it is typed; nil for none.
    static func command(for word: String) -> String? {
        let name = word.lowercased()
        if senders.contains(name) {
            let isMethod = senders.prefix(7).contains(name)
            return isMethod && name != "get" ? "sortie send -X \(name.uppercased()) URL" : "sortie send URL"
        }
        let commands = SortieCommand.configuration.subcommands.filter { $0.configuration.shouldDisplay }.compactMap { $0.configuration.commandName }
        guard !commands.contains(name), !word.contains("/") else { return nil }
        if let other = others.first(where: { $0.words.contains(name) }) { return other.command }
        return Suggestion.nearest(to: word, in: commands).map { "sortie \($0)" }
    }

    /// The remedy for arguments in the notation of httpie: a method before the URL, and items such as `name=tea` after it.
    private static func remedyForHTTPie(_ message: String, _ arguments: [String]) -> String? {
        guard arguments.first == "send", message.contains(/^(\d+ u|U)nexpected argument/) else { return nil }
        if arguments.count > 1, senders.prefix(7).contains(arguments[1].lowercased()) {
            return "the method is an option: sortie send -X \(arguments[1].uppercased()) URL"
        }
        guard let item = message.firstMatch(of: /'([A-Za-z_][\w.-]*)(:=|==|=|:(?!\/\/))[^']*'/) else { return nil }
        let option =
            switch item.2 {
            case "==": "-q \(item.1)=VALUE"
            case ":": "-H '\(item.1): VALUE'"
            default: "--json-body '{\"\(item.1)\": …}', or --form \(item.1)=VALUE for a form"
            }
        return "an item of httpie is an option: \(option)"
    }

    /// Refuses a word in the place of a subcommand that is none of the command, which the parser would name in another way or take for a folder.
    ///
    /// The first word of `sortie history` is usually one of a filter.
    static func requireSubcommand(_ arguments: [String], in program: ProgramContext) throws(CommandFailure) {
        guard let name = arguments.first, let word = arguments.dropFirst().first, !word.hasPrefix("-"), name != "history",
            let command = SortieCommand.configuration.subcommands.first(where: { $0.configuration.commandName == name })
        else { return }
        let isTrust = name == TrustCommand.configuration.commandName
        let names = isTrust ? ["list", "allow", "revoke"] : command.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard !names.isEmpty, isTrust || !names.contains(word) else { return }
        let nearest = Suggestion.nearest(to: word, in: names)
        // What is no subcommand is a folder of these.
        if isTrust || name == BundleCommand.configuration.commandName {
            guard nearest != nil, !word.contains("/"), access(program.path(word), F_OK) != 0 else { return }
        }
        let hint = nearest.map { "did you mean sortie \(name) \(isTrust ? "--" : "")\($0)?" } ?? "it has: \(names.joined(separator: ", "))"
        throw CommandFailure(.usage, "there is no command \(name) \(word)", hint: hint)
    }

    /// The subcommand of `sortie history` that is meant by the first word of a filter without results; nil where it was no misspelt one.
    static func historyCommand(for arguments: [String]) -> String? {
        let names = HistoryCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard arguments.first == HistoryCommand.configuration.commandName, let word = arguments.dropFirst().first, !names.contains(word),
            !word.hasPrefix("-"), !word.contains(":")
        else { return nil }
        // A mistake of typing is within the word; shop and api are no show and pin.
        return Suggestion.nearest(to: word, in: names.filter { $0.first == word.first && $0.last == word.last }).map { "sortie history \($0)" }
    }

    /// The remedy for a mistake of the command line, by the message of the parser; nil where the general one is to be given.
    static func remedy(for message: String, _ arguments: [String]) -> String? {
        if arguments.prefix(2) == ["send", "curl"] { return "write the command as one argument: sortie send 'curl …'" }
        if let first = arguments.first, !first.hasPrefix("-"), let command = command(for: first) { return "did you mean \(command)?" }
        if message.hasPrefix("Missing expected argument"), let example = CommandExamples.examples(forHelpOf: arguments).first {
            return "for example: \(example.line)"
        }
        if let remedy = remedyForHTTPie(message, arguments) { return remedy }
        let commands = SortieCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        if message.contains(/^(\d+ u|U)nexpected argument/), arguments.first?.hasPrefix("-") == true,
            let command = arguments.first(where: commands.contains)
        {
            return "the command comes before its options: sortie \(command) …"
        }
        if let option = message.firstMatch(of: /Missing value for '(-[^ ']*)/).map({ String($0.1) }), let index = arguments.firstIndex(of: option),
            index + 1 < arguments.count
        {
            return "a value that begins with - is written \(option)=VALUE"
        }
        if message.hasPrefix("Unexpected argument"), let flag = arguments.firstIndex(of: "--json"), flag + 1 < arguments.count,
            let value = arguments[flag + 1].first, "{[\"@".contains(value)
        {
            return "--json of curl: --json-body TEXT; --json prints one JSON record"
        }
        guard let option = message.firstMatch(of: /Unknown option '(-[^']*)'/)?.1 else { return nil }
        if let first = arguments.first, first == option, SendCommand.helpMessage().split(whereSeparator: { $0 == " " || $0 == "," }).contains(option)
        {
            return "options follow their command: sortie send \(option) …"
        }
        // The guide has what corresponds to the options of curl.
        let rows = Guide.article("coming-from")?.table(below: "curl") ?? []
        let row = rows.first { row in
            row.count == 2 && row[0].split { $0 == "," || $0 == " " }.contains { $0 == option } && !row[1].hasPrefix("the same")
        }
        return row.map { "\(option) of curl: \($0[1])" }
    }
}
