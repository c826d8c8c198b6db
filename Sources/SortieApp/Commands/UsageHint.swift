internal import ArgumentParser
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

    /// The remedy for a mistake of the command line, by the message of the parser; nil where the general one is to be given.
    static func remedy(for message: String, _ arguments: [String]) -> String? {
        if arguments.prefix(2) == ["send", "curl"] { return "write the command as one argument: sortie send 'curl …'" }
        if let first = arguments.first, !first.hasPrefix("-"), let command = command(for: first) { return "did you mean \(command)?" }
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
