internal import ArgumentParser
internal import Glibc
internal import SortieBase
internal import SortieStorage
internal import SortieTerminal
internal import WorkspaceModel

/// `sortie secret`: the secrets that this user stored on this machine.
struct StoredSecretsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret", abstract: "Store, print, list and forget secrets of this machine.",
        discussion: """
            A workspace refers to a stored secret by its name, as in secrets: {token: {secret: shop-token}}, and never contains its value. The values \
            are in a file that only you can read, in plain text; use {pass: …}, {keyring: …} or {vault: …} for a store with a passphrase.
            """,
        subcommands: [SecretSetCommand.self, SecretGetCommand.self, SecretListCommand.self, SecretForgetCommand.self])

    /// Checks a name of the command line.
    static func check(_ name: String) throws {
        if let problem = SecretSource.problem(ofStored: name) { throw CommandFailure(.usage, problem) }
    }

    /// The failure for a name that is not stored.
    static func unknown(_ name: String, in store: SecretStore) -> CommandFailure {
        let names: [String]
        do { names = try store.names() } catch { return CommandFailure(error) }
        return CommandFailure(
            .file, name: "unknownSecret", "there is no stored secret \(name)",
            hint: Suggestion.hint(for: name, in: names, "sortie secret set \(name) stores one, sortie secret list shows the names"))
    }
}

/// `sortie secret forget`: removes a stored secret.
struct SecretForgetCommand: ProgramCommand {
    static let configuration = CommandConfiguration(commandName: "forget", abstract: "Remove a stored secret.")

    @Argument(help: "The name.", completion: .storedSecret)
    var name: String

    func run(in program: ProgramContext) throws {
        try StoredSecretsCommand.check(name)
        let store = SecretStore(stateFolder: program.folders.state)
        guard try store.forget(name) else { throw StoredSecretsCommand.unknown(name, in: store) }
        program.errors.line("removed \(name) from \(store.path)")
    }
}

/// `sortie secret get`: prints a stored secret.
struct SecretGetCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print a stored secret into a pipe or a file; on a terminal only with --show-secrets.")

    @Argument(help: "The name.", completion: .storedSecret)
    var name: String

    @Flag(name: .customLong("show-secrets"), help: "Print it on a terminal.")
    var showSecrets = false

    func run(in program: ProgramContext) throws {
        try StoredSecretsCommand.check(name)
        guard showSecrets || !program.output.isTerminal else {
            throw CommandFailure(.usage, "the secret is not displayed on a terminal", hint: "add --show-secrets, or use a pipe or a file")
        }
        let store = SecretStore(stateFolder: program.folders.state)
        guard let value = try store.value(of: name) else { throw StoredSecretsCommand.unknown(name, in: store) }
        // Control characters of a value must not reach a terminal.
        program.output.write((program.output.isTerminal ? VisibleText.of(value) : value) + "\n")
    }
}

/// `sortie secret list`: the names and places of secrets, without values.
struct SecretListCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the stored secrets, and with -w those of a workspace, each with its place and without its value.")

    @Option(name: [.short, .customLong("workspace")], help: "Also list the secrets of the workspace in this folder.", completion: .directory)
    var workspace: String?

    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    func run(in program: ProgramContext) throws {
        let store = SecretStore(stateFolder: program.folders.state)
        var rows = try store.names().map { Row(name: $0, source: "stored", place: store.path) }
        if let workspace = try workspace.map({ try WorkspaceSource.load(named: $0, in: program) }) {
            rows += workspace.secrets.sorted { $0.key < $1.key }.map { name, source in
                let place = workspace.variablePlaces[VariableKey(name, .secret)].map { "\($0.file):\($0.line)" } ?? "workspace.yaml"
                return Row(name: name, source: source.text, place: place)
            }
        }
        guard !json else { return program.output.write(JSONValue.array(rows.map(\.record)).text + "\n") }
        guard !rows.isEmpty else { return program.errors.line("no secret is stored; sortie secret set NAME stores one") }
        let width = rows.map(\.name.count).max() ?? 0
        for row in rows { program.output.write(VisibleLine.of("\(row.name.padded(to: width))  \(row.source)  \(row.place)") + "\n") }
    }

    private struct Row {
        let name: String
        /// `stored`, or the source in a workspace.
        let source: String
        let place: String

        var record: JSONValue { ["name": .string(name), "source": .string(source), "place": .string(place)] }
    }
}

/// `sortie secret set`: stores a secret from the terminal or from standard input.
struct SecretSetCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Store a secret; the value is typed without echo, or read from standard input.",
        discussion: """
            One line break at the end of the value is removed. The value is never an argument, because every user of this machine can read the arguments \
            of a program, and the shell keeps them in its history.
            """)

    @Argument(help: "The name, for {secret: NAME} in workspaces.", completion: .storedSecret)
    var name: String

    /// Further words, which must not be a value.
    @Argument(help: .hidden)
    var rest: [String] = []

    func run(in program: ProgramContext) throws {
        try StoredSecretsCommand.check(name)
        guard rest.isEmpty else {
            throw CommandFailure(
                .usage, "the value of a secret is not given on the command line, where other users and the history of the shell see it",
                hint: "sortie secret set \(name) asks for it; < FILE, or a pipe, supplies it. Change a secret that was typed here")
        }
        let value = try value(in: program)
        let store = SecretStore(stateFolder: program.folders.state)
        let isReplaced = try store.set(name, to: value)
        program.errors.line("\(isReplaced ? "replaced" : "stored") \(name) in \(store.path)")
    }

    private func value(in program: ProgramContext) throws -> String {
        guard program.input.isTerminal else {
            let text = FileText.value(try SecretArgument.readStandardInput(for: "secret set", in: program))
            guard !text.isEmpty else { throw CommandFailure(.usage, "standard input is empty, so nothing was stored") }
            return text
        }
        guard let typed = TerminalPassphrase.value(after: "Value of \(name): ", in: program), !typed.isEmpty else {
            throw CommandFailure(.usage, "no value was typed, so nothing was stored")
        }
        return typed
    }
}
