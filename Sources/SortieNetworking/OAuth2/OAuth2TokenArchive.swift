/// Stores the tokens for which users signed in, so that they do not have to sign in again after the end of the process.
///
/// The functions may block; they are not called on Swift's shared threads. Tokens of other grants are only in memory.
public protocol OAuth2TokenArchive: Sendable {
    /// The stored token; nil where there is none.
    func token(for key: OAuth2TokenKey) throws -> OAuth2Token?

    /// Stores a token in place of the one before; nil removes it.
    func store(_ token: OAuth2Token?, for key: OAuth2TokenKey) throws
}
