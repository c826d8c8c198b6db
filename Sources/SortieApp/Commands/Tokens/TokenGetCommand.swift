internal import ArgumentParser
internal import SortieHTTP
internal import SortieNetworking

/// `sortie token get`: prints the access token of an endpoint, for which the user signs in where needed.
struct TokenGetCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Get the access token of an endpoint, and print it into a pipe or a file.",
        discussion: "Nothing is sent to the endpoint. On a terminal the token is displayed only with --show-secrets.")

    @Argument(help: "SERVICE/ENDPOINT of the workspace.", completion: .target)
    var target: String

    @Flag(help: "Replace a valid token, too.")
    var renew = false

    @OptionGroup(visibility: .hidden) var parts: RequestPartOptions
    @OptionGroup(visibility: .hidden) var sending: SendingOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run(in program: ProgramContext) async throws {
        let command = CommandRequest(program: program, target: target, parts: parts, sending: sending, trust: trust, source: source)
        let call = try await CommandCall(command, output: output, showsSignIn: true)
        let token: OAuth2Token
        do { token = try await call.client.accessToken(for: call.request, renews: renew) } catch { throw CommandFailure(error) }
        guard output.showSecrets || !program.output.isTerminal else {
            return program.errors.line("sortie: \(target) has a token, \(token.times(now: program.now())); --show-secrets displays it")
        }
        program.output.write(token.accessToken + "\n")
    }
}
