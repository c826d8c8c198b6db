internal import ArgumentParser
internal import SortieBase
internal import SortieStorage
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
        let nearest = Suggestion.nearest(to: name, in: names).map { "did you mean \($0)? " } ?? ""
        return CommandFailure(
            .file, name: "unknownSecret", "there is no stored secret \(name)",
            hint: nearest + "sortie secret set \(name) stores one, sortie secret list shows the names")
    }
}
