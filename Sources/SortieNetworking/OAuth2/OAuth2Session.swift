internal import SortieHTTP
internal import Synchronization

internal import struct FoundationEssentials.Date

/// The token of one set of settings: fetched by the first request that needs it, shared by all others, renewed when it expires or is rejected.
final class OAuth2Session: Sendable {
    /// Sends a request to the token endpoint.
    typealias Sending = @Sendable (Request) async throws(NetworkError) -> Response

    private struct State {
        var token: OAuth2Token?
        /// The reason for which the last token was not stored.
        var archiveProblem: String?
    }

    private let settings: OAuth2
    private let send: Sending
    private let state = Mutex(State())
    /// The request of the first use, whose rules the token requests follow.
    private let request: Request
    private let presenter: (any OAuth2SignInPresenter)?
    private let archive: (any OAuth2TokenArchive)?
    private let stored = Mutex<CredentialStore?>(nil)
    private let failed: @Sendable (OAuth2Session) -> Void

    /// Creates a session; nothing is sent.
    ///
    /// - Parameter failed: Called when no token could be obtained, so that a later call starts with a new session.
    init(
        _ settings: OAuth2, for request: Request, presenter: (any OAuth2SignInPresenter)?, archive: (any OAuth2TokenArchive)?,
        failed: @escaping @Sendable (OAuth2Session) -> Void, send: @escaping Sending
    ) {
        (self.settings, self.request, self.send, self.failed) = (settings, request, send, failed)
        self.presenter = presenter
        self.archive = settings.grant.isInteractive ? archive : nil
    }

    /// What the token was issued for.
    var key: OAuth2TokenKey { OAuth2TokenKey(settings, environment: request.environment) }

    /// The token; nil before the first one.
    var token: OAuth2Token? { state.withLock { $0.token } }

    /// The store that performs one token request for all waiting requests.
    var store: CredentialStore {
        stored.withLock { stored in
            if let store = stored { return store }
            // Nobody needs the token of a sign-in for which no request waits any more.
            let store = CredentialStore(endsWithoutWaiters: settings.grant.isInteractive) { [weak self] current in
                guard let self else { throw NetworkError.credentialInvalidated }
                return try await self.newToken(after: current)
            }
            stored = store
            return store
        }
    }

    /// Returns and clears the reason for which the last token was not stored.
    func takeArchiveProblem() -> String? {
        state.withLock { state in
            defer { state.archiveProblem = nil }
            return state.archiveProblem
        }
    }

    private func newToken(after current: Credential?) async throws -> Credential.Token {
        do throws(NetworkError) {
            let now = Date()
            let stored = try await archived()
            let known = stored ?? token
            // Another process may have renewed the token meanwhile.
            if let stored, stored.accessToken != current?.token, stored.isUsable(at: now) {
                state.withLock { $0.token = stored }
                return Credential.Token(stored.accessToken, expiresIn: stored.expiresAt.map { .seconds($0.timeIntervalSince(now)) })
            }
            let renewal = try await renewed(known)
            let token = if let renewal { renewal } else { try await first() }
            state.withLock { $0.token = token }
            await archive(token)
            return Credential.Token(token.accessToken, expiresIn: token.expiresAt.map { .seconds($0.timeIntervalSince(token.issuedAt)) })
        } catch {
            failed(self)
            throw RefreshError(error: error)
        }
    }

    /// The token that the refresh token gives; nil where there is none that the server accepts.
    private func renewed(_ known: OAuth2Token?) async throws(NetworkError) -> OAuth2Token? {
        guard let known, let refreshToken = known.refreshToken else { return nil }
        do throws(NetworkError) {
            let response = try await fetch(OAuth2TokenRequest.refresh(settings, token: refreshToken, for: request), hiding: [refreshToken])
            return response.token(at: Date(), previous: known)
        } catch {
            // A refresh token may have expired or been revoked; the grant does not need it.
            guard error.errorClass != .transport, !error.isCancellation else { throw error }
            state.withLock { $0.token = nil }
            await archive(nil)
            return nil
        }
    }

    /// The first token of the grant, for which the user signs in where the grant requires it.
    private func first() async throws(NetworkError) -> OAuth2Token {
        guard settings.grant.isInteractive else {
            return try await fetch(OAuth2TokenRequest.grant(settings, for: request)).token(at: Date(), previous: nil)
        }
        if let problem = settings.problem { throw NetworkError(.invalidOption, "OAuth 2: \(problem)") }
        guard let presenter else {
            throw NetworkError(.status, "an access token is needed, for which a user must sign in", remedy: .signIn)
        }
        let flow = OAuth2SignInFlow(settings: settings, request: request, presenter: presenter, send: send) { [weak store] in
            store?.end(with: .signInCancelled)
        }
        return try await flow.token().token(at: Date(), previous: nil)
    }

    private func fetch(_ tokenRequest: Request, hiding secrets: [String] = []) async throws(NetworkError) -> OAuth2TokenResponse {
        try OAuth2TokenResponse(try await OAuth2TokenRequest.sent(tokenRequest, to: settings.tokenPlace, by: send), for: settings, hiding: secrets)
    }

    // MARK: Archive

    /// The stored token; nil where none is.
    ///
    /// - Throws: `storage` where the tokens cannot be read, because a sign-in would then replace them.
    private func archived() async throws(NetworkError) -> OAuth2Token? {
        guard let archive else { return nil }
        let key = key
        return try await BlockingExecutor.shared.run { () throws(NetworkError) in
            do { return try archive.token(for: key) } catch { throw NetworkError(.storage, "the stored access tokens cannot be read: \(error)") }
        }
    }

    /// Stores a token, or removes it; a failure does not prevent its use.
    private func archive(_ token: OAuth2Token?) async {
        guard let archive else { return }
        let key = key
        let problem = await BlockingExecutor.shared.run { () -> String? in
            do {
                try archive.store(token, for: key)
                return nil
            } catch { return "\(error)" }
        }
        if let problem { state.withLock { $0.archiveProblem = problem } }
    }
}
