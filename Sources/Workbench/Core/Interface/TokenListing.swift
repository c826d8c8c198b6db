package import SortieHTTP

/// A stored access token, without its value.
package struct StoredTokenInfo: Hashable, Sendable {
    /// What the token was issued for.
    package var key: OAuth2TokenKey
    /// The age, the remaining lifetime, and whether it can be renewed.
    package var times: String

    /// Creates the description of a token.
    package init(key: OAuth2TokenKey, times: String) {
        (self.key, self.times) = (key, times)
    }
}

/// A request to the stored access tokens of the workspace.
package enum TokenRequest: Hashable, Sendable {
    /// List the tokens.
    case list
    /// Let the next request renew a token, or ask the user to sign in where it cannot be renewed.
    case expire(OAuth2TokenKey)
    /// Remove a token.
    case forget(OAuth2TokenKey)
}

/// The result of a ``TokenRequest``.
package enum TokenListing: Hashable, Sendable {
    /// The tokens of the workspace, the newest first.
    case tokens([StoredTokenInfo])
    /// The change was made; a sentence for the user.
    case done(String)
    /// The file of the tokens cannot be read or written.
    case failed(String)
}
