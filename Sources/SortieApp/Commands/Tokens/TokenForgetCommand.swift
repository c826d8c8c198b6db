internal import ArgumentParser
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// `sortie token forget`: removes stored access tokens.
struct TokenForgetCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Remove stored access tokens: those of a token endpoint, of a workspace, or all.",
        discussion: "The server still accepts a removed token until it expires.")

    @Argument(help: "The URL of a token endpoint, or its beginning; sortie token list shows them.")
    var issuer: String?

    @Option(name: [.short, .customLong("workspace")], help: "Only the tokens of the workspace in this folder.", completion: .directory)
    var workspace: String?

    @Flag(help: "Remove all tokens.")
    var all = false

    func validate() throws {
        guard (issuer != nil || workspace != nil) != all else {
            throw ValidationError("name a token endpoint, a workspace with -w, or all tokens with --all")
        }
    }

    func run(in program: ProgramContext) throws {
        let folder = try workspace.map { try WorkspaceSource.load(named: $0, in: program).folder }
        let count: Int
        do {
            count = try TokenStore(stateFolder: program.folders.state).forget { entry in
                (issuer.map { entry.key.tokenURL.hasPrefix($0) } ?? true) && (folder.map { entry.workspace == $0 } ?? true)
            }
        } catch { throw CommandFailure(error) }
        guard count > 0 else {
            throw CommandFailure(.file, name: "unknownToken", "no such token is stored", hint: "sortie token list shows the stored tokens")
        }
        program.errors.line("removed \(count) access token\(count == 1 ? "" : "s")")
    }
}
