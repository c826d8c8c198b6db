internal import ArgumentParser

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
