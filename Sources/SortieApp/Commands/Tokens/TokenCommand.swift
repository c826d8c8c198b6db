internal import ArgumentParser
internal import FoundationEssentials
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// `sortie token`: the access tokens of OAuth 2.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Sign in for access tokens of OAuth 2; print, list and forget them.",
        discussion: """
            The tokens of the grants authorizationCode and deviceCode, for which a user signs in with a browser, are stored in a file that only you can \
            read, in plain text. A workspace uses only tokens for which you signed in there. Tokens of other grants are not stored.
            """,
        subcommands: [TokenGetCommand.self, TokenListCommand.self, TokenForgetCommand.self])
}

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
        let count = try TokenStore(stateFolder: program.folders.state).forget { entry in
            (issuer.map { entry.key.tokenURL.hasPrefix($0) } ?? true) && (folder.map { entry.workspace == $0 } ?? true)
        }
        guard count > 0 else {
            throw CommandFailure(.file, name: "unknownToken", "no such token is stored", hint: "sortie token list shows the stored tokens")
        }
        program.errors.line("removed \(ItemCount.text(count, "access token"))")
    }
}

/// `sortie token get`: prints the access token of an endpoint, for which the user signs in where needed.
struct TokenGetCommand: RequestCommand {
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
        try sending.refuseDryRun(of: "token get", hint: "sortie send TARGET --dry-run shows the request of an endpoint")
        let command = CommandRequest(program: program, target: target, options: request, source: source)
        let call = try await CommandCall(command, output: output, showsSignIn: true)
        let token = try await call.client.accessToken(for: call.request, renews: renew)
        guard output.showSecrets || !program.output.isTerminal else {
            return program.errors.line("sortie: \(target) has a token, \(token.times(now: program.now())); --show-secrets displays it")
        }
        guard output.json else { return program.output.write(token.accessToken + "\n") }
        program.output.write(JSONValue.object([.init("accessToken", .string(token.accessToken))] + token.timeMembers).text + "\n")
    }
}

/// `sortie token list`: the stored access tokens, without their values.
struct TokenListCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the stored access tokens with their age and expiry, without their values.")

    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    func run(in program: ProgramContext) throws {
        let rows = try TokenStore(stateFolder: program.folders.state).entries().map(TokenRow.init)
        guard !json else { return program.output.write(JSONValue.array(rows.map(\.record)).text + "\n") }
        guard !rows.isEmpty else { return program.errors.line("no access token is stored; sortie token get TARGET signs in for one") }
        let cells = rows.map { $0.cells(now: program.now()) }
        let widths = (0..<4).map { column in cells.map { $0[column].count }.max() ?? 0 }
        for row in cells {
            let line = zip(row, widths + [0]).map { $0.padded(to: $1) }.joined(separator: "  ")
            program.output.write(VisibleLine.of(line) + "\n")
        }
    }
}

/// A stored access token in a list, without its value.
struct TokenRow {
    let entry: TokenStore.Entry

    /// The cells of the row: the issuer, the client, the environment, the times and the workspace.
    func cells(now: Date) -> [String] {
        let key = entry.key
        let scope = key.scope.isEmpty ? "" : " (\(key.scope))"
        return [key.tokenURL, key.clientID + scope, key.environment ?? "-", entry.token.times(now: now), entry.workspace]
    }

    var record: JSONValue {
        let (key, token) = (entry.key, entry.token)
        let members: [JSONValue.Member] = [
            .init("grant", .string(key.grant.rawValue)), .init("tokenURL", .string(key.tokenURL)), .init("clientID", .string(key.clientID)),
            .init("scope", .optional(token.scope ?? (key.scope.isEmpty ? nil : key.scope))), .init("environment", .optional(key.environment)),
            .init("workspace", .string(entry.workspace)),
        ]
        return .object(members + token.timeMembers)
    }
}
