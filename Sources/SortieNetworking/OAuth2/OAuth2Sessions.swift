internal import SortieHTTP
internal import Synchronization

/// The sessions of a client; requests with the same settings in the same environment share a token.
///
/// Tokens for which a user signed in are also in the archive, others are only in memory.
final class OAuth2Sessions: Sendable {
    private struct Key: Hashable {
        let settings: OAuth2
        let environment: String?
        /// The rules of the service apply to the token request, so services with different ones do not share its result; nil for the token of a
        /// sign-in, of which there is one in the archive.
        let service: String?
    }

    private let presenter: (any OAuth2SignInPresenter)?
    private let archive: (any OAuth2TokenArchive)?
    /// The number of sessions that are kept; the least recently used one is removed first, and a later request of its service gets another token.
    private static let limit = 1000
    private let sessions = Mutex(LeastRecentlyUsed<Key, OAuth2Session>(limit: OAuth2Sessions.limit))

    /// - Parameters:
    ///   - presenter: Shows users how to sign in; nil where no user can be asked.
    ///   - archive: Stores the tokens of sign-ins; nil for none.
    init(presenter: (any OAuth2SignInPresenter)?, archive: (any OAuth2TokenArchive)?) {
        (self.presenter, self.archive) = (presenter, archive)
    }

    /// The session of a request with these settings; a new one where there is none.
    func session(_ settings: OAuth2, for request: Request, send: @escaping OAuth2Session.Sending) -> OAuth2Session {
        let service = settings.grant.isInteractive ? nil : request.service ?? request.url.origin
        let key = Key(settings: settings, environment: request.environment, service: service)
        return sessions.withLock { sessions in
            if let session = sessions.use(key) { return session }
            let session = OAuth2Session(
                settings, for: request, presenter: presenter, archive: archive, failed: { [weak self] in self?.remove($0, key) }, send: send)
            _ = sessions.put(session, for: key, cost: 1)
            return session
        }
    }

    /// Requests that begin later use new sessions; those that wait for a token get it from the earlier ones.
    func forget() { sessions.withLock { $0.removeAll() } }

    /// Requests that wait for the failed session get its error; those that begin later use a new one.
    private func remove(_ session: OAuth2Session, _ key: Key) {
        sessions.withLock { sessions in
            if sessions.peek(key) === session { sessions.remove(key) }
        }
    }
}

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
