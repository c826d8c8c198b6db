internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage

/// The access tokens for which the user signed in for a workspace.
struct StoredTokens: OAuth2TokenArchive {
    /// The folder of the workspace.
    let workspace: String
    private let store: TokenStore

    init(workspace: String, _ folders: UserFolders) {
        self.workspace = workspace
        store = TokenStore(stateFolder: folders.state)
    }

    func token(for key: OAuth2TokenKey) throws -> OAuth2Token? { try store.token(of: workspace, for: key) }
    func lock(for key: OAuth2TokenKey) -> (any Sendable)? { store.lock(for: key, of: workspace) }
    func store(_ token: OAuth2Token?, for key: OAuth2TokenKey) throws { try store.store(token, of: workspace, for: key) }
}
