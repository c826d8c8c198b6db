internal import ArgumentParser
internal import SortieStorage
internal import SortieTerminal

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
        let value: String?
        do { value = try store.value(of: name) } catch { throw CommandFailure(error) }
        guard let value else { throw StoredSecretsCommand.unknown(name, in: store) }
        // Control characters of a value must not reach a terminal.
        program.output.write((program.output.isTerminal ? VisibleText.of(value) : value) + "\n")
    }
}
