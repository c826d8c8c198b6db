internal import FoundationEssentials
internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench

/// The stored access tokens of the workbench's workspace.
struct TokenEffects: Sendable {
    /// The folder of the workspace.
    let folder: String
    let client: Client

    /// Performs a request; the client reads a changed token when it needs one.
    func listing(_ request: TokenRequest, in program: ProgramContext) -> TokenListing {
        do {
            let store = TokenStore(stateFolder: program.folders.state)
            switch request {
            case .list:
                return .tokens(
                    try store.entries().filter { $0.workspace == folder }.map {
                        StoredTokenInfo(key: $0.key, times: $0.token.times(now: program.now()))
                    })
            case .expire(let key):
                guard var token = try store.token(of: folder, for: key) else { return .failed("The token is no longer stored") }
                token.expiresAt = Date()
                try store.store(token, of: folder, for: key)
                client.forgetAccessTokens()
                return .done(token.refreshToken == nil ? "The next request asks you to sign in" : "The next request renews the token")
            case .forget(let key):
                try store.store(nil, of: folder, for: key)
                client.forgetAccessTokens()
                return .done("The token was forgotten")
            }
        } catch {
            return .failed("\(error)")
        }
    }
}
