internal import FoundationEssentials
internal import SortieBase
package import SortieHTTP

/// The access tokens for which the user signed in, by workspace.
///
/// The file is `$XDG_STATE_HOME/sortie/tokens`, mode 0600, in plain text. A workspace uses only tokens for which the user signed in there, so that the
/// files of another one cannot send them elsewhere.
package struct TokenStore: Sendable {
    /// A stored token.
    package struct Entry: Hashable, Sendable {
        /// The folder of the workspace; empty for requests without one.
        package var workspace: String
        /// What the token was issued for.
        package var key: OAuth2TokenKey
        /// The token.
        package var token: OAuth2Token
    }

    /// The path of the file.
    package let path: String
    private var file: PrivateStore<StoredToken> { PrivateStore(path: path) }

    /// Creates the store of this user.
    package init(stateFolder: String) {
        self.init(path: "\(stateFolder)/sortie/tokens")
    }

    init(path: String) {
        self.path = path
    }

    /// All tokens, the newest first.
    package func entries() throws(WorkspaceError) -> [Entry] {
        try file.values().sorted { $0.token.issuedAt > $1.token.issuedAt }
    }

    /// The token of a workspace; nil where there is none.
    package func token(of workspace: String, for key: OAuth2TokenKey) throws(WorkspaceError) -> OAuth2Token? {
        try file.values().first { $0.workspace == workspace && $0.key == key }?.token
    }

    /// Stores a token in place of the one before; nil removes it.
    package func store(_ token: OAuth2Token?, of workspace: String, for key: OAuth2TokenKey) throws(WorkspaceError) {
        if token == nil, try self.token(of: workspace, for: key) == nil { return }
        try file.change { entries in
            entries.removeAll { $0.workspace == workspace && $0.key == key }
            if let token { entries.append(Entry(workspace: workspace, key: key, token: token)) }
        }
    }

    /// Prevents that another program renews this token, until the returned value is released; nil where that is not possible within half a minute.
    package func lock(for key: OAuth2TokenKey, of workspace: String) -> (any Sendable)? {
        do { try StateFolder.make(FilePath.folder(of: path)) } catch { return nil }
        let parts = [workspace, key.environment ?? "", key.grant.rawValue, key.tokenURL, key.clientID, key.user, key.scope, key.audience]
        return StateLock(path: "\(path)-\(StateFolder.name(of: parts.joined(separator: "\n"), limit: 100)).lock", within: 30).map(Renewal.init)
    }

    /// The lock of a renewal, whose file is removed with it.
    private final class Renewal: Sendable {
        private let lock: StateLock

        init(_ lock: StateLock) { self.lock = lock }

        deinit { lock.remove() }
    }

    /// Removes the tokens for which this is true; returns their number.
    package func forget(where isMeant: (Entry) -> Bool) throws(WorkspaceError) -> Int {
        guard try file.values().contains(where: isMeant) else { return 0 }
        var count = 0
        try file.change { entries in
            let before = entries.count
            entries.removeAll(where: isMeant)
            count = before - entries.count
        }
        return count
    }
}

/// A token as it is stored.
private struct StoredToken: StateRecord {
    static let format = StateFormat(key: "tokens", content: "the stored access tokens")

    var workspace: String
    var environment: String?
    var grant: String
    var tokenURL: String
    var clientID: String
    var user: String?
    var scope: String?
    var audience: String?
    var accessToken: String
    var refreshToken: String?
    var grantedScope: String?
    var issuedAt: Date
    var expiresAt: Date?

    init(_ entry: TokenStore.Entry) {
        let key = entry.key
        (workspace, environment, grant) = (entry.workspace, key.environment, key.grant.rawValue)
        (tokenURL, clientID) = (key.tokenURL, key.clientID)
        user = key.user.isEmpty ? nil : key.user
        scope = key.scope.isEmpty ? nil : key.scope
        audience = key.audience.isEmpty ? nil : key.audience
        (accessToken, refreshToken, grantedScope) = (entry.token.accessToken, entry.token.refreshToken, entry.token.scope)
        (issuedAt, expiresAt) = (entry.token.issuedAt, entry.token.expiresAt)
    }

    func value(_ problems: inout [String]) -> TokenStore.Entry? {
        guard let grant = OAuth2.Grant(rawValue: grant) else {
            problems.append("there is no grant “\(grant.shortened)”")
            return nil
        }
        var settings = OAuth2(grant: grant, tokenURL: tokenURL, clientID: clientID)
        (settings.user, settings.scope, settings.audience) = (user ?? "", scope ?? "", audience ?? "")
        return TokenStore.Entry(
            workspace: workspace, key: OAuth2TokenKey(settings, environment: environment),
            token: OAuth2Token(accessToken, refreshToken: refreshToken, scope: grantedScope, issuedAt: issuedAt, expiresAt: expiresAt))
    }
}
