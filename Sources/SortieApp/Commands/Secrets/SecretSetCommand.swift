internal import ArgumentParser
internal import Glibc
internal import SortieBase
internal import SortieStorage

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
        do throws(WorkspaceError) {
            let isReplaced = try store.set(name, to: value)
            program.errors.line("\(isReplaced ? "replaced" : "stored") \(name) in \(store.path)")
        } catch { throw CommandFailure(error) }
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
