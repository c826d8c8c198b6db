/// Stores the tokens for which users signed in, so that they do not have to sign in again after the end of the process.
///
/// The functions may block; they are not called on Swift's shared threads. Tokens of other grants are only in memory.
public protocol OAuth2TokenArchive: Sendable {
    /// The stored token; nil where there is none.
    func token(for key: OAuth2TokenKey) throws -> OAuth2Token?

    /// Stores a token in place of the one before; nil removes it.
    func store(_ token: OAuth2Token?, for key: OAuth2TokenKey) throws

    /// Prevents that another program renews the token, until the returned value is released; waits while one does.
    ///
    /// The default is nil, for an archive that only one program uses.
    func lock(for key: OAuth2TokenKey) -> (any Sendable)?
}

extension OAuth2TokenArchive {
    /// Returns nil: no other program uses the archive.
    public func lock(for key: OAuth2TokenKey) -> (any Sendable)? { nil }
}
