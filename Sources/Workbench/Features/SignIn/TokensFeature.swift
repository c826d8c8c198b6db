internal import SortieHTTP
internal import SortieTerminal

extension Command {
    static let tokens = Command.named("tokens")
}

/// Reading or changing the stored access tokens.
struct TokensJob: Job {
    static let isReplaced = true
    static let opensPopup = true
}

/// The stored access tokens of the workspace: listing, renewing and forgetting them.
struct TokensFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .everywhere, [], .tokens, "Access tokens…", "Show the age of the tokens for which you signed in; renew or forget them"
            ).alsoKnownAs("OAuth", "sign out")
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .tokens else { return nil }
        state.stopEditing()
        state.stopTyping()
        return Self.ask(.list, &state)
    }

    private static func ask(_ request: TokenRequest, _ state: inout AppState) -> [Effect] {
        [.tokens(state.nextJob(TokensJob()), request)]
    }

    static func listed(_ id: JobID, _ listing: TokenListing, _ state: inout AppState) {
        guard state.finishJob(id, TokensJob.self) != nil else { return }
        switch listing {
        case .failed(let sentence): state.notify(sentence, .error)
        case .done(let sentence): state.notify(sentence)
        case .tokens(let tokens):
            guard !tokens.isEmpty else {
                state.notify("No token is stored for this workspace; a request with a sign-in stores one")
                return
            }
            guard state.mayOpen("The list of the access tokens") else { return }
            let items = tokens.map { token in
                ListPopup.Item(label: name(of: token.key), detail: token.times, place: token.key.environment ?? "") { state in
                    showActions(of: token, &state)
                    return []
                }
            }
            state.show(
                ListPopup(title: "Access tokens", message: "Enter renews or forgets a token.", items: items, showsDetail: true))
        }
    }

    private static func name(of key: OAuth2TokenKey) -> String {
        "\(key.grant.rawValue) \(key.clientID)" + (key.scope.isEmpty ? "" : " (\(key.scope))") + " at \(key.tokenURL)"
    }

    private static func showActions(of token: StoredTokenInfo, _ state: inout AppState) {
        let items = [
            ListPopup.Item(label: "Renew", detail: "the next request renews it, or asks you to sign in") { ask(.expire(token.key), &$0) },
            ListPopup.Item(label: "Forget", detail: "the next request asks you to sign in; the server accepts it until it expires") {
                ask(.forget(token.key), &$0)
            },
        ]
        state.show(ListPopup(title: name(of: token.key), message: token.times, items: items, showsDetail: true))
    }
}
