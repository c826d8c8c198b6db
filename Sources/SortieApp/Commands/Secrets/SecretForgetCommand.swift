internal import ArgumentParser
internal import SortieStorage

/// `sortie secret forget`: removes a stored secret.
struct SecretForgetCommand: ProgramCommand {
    static let configuration = CommandConfiguration(commandName: "forget", abstract: "Remove a stored secret.")

    @Argument(help: "The name.", completion: .storedSecret)
    var name: String

    func run(in program: ProgramContext) throws {
        try StoredSecretsCommand.check(name)
        let store = SecretStore(stateFolder: program.folders.state)
        let wasThere: Bool
        do { wasThere = try store.forget(name) } catch { throw CommandFailure(error) }
        guard wasThere else { throw StoredSecretsCommand.unknown(name, in: store) }
        program.errors.line("removed \(name) from \(store.path)")
    }
}
