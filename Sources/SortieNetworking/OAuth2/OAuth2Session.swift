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
            let known = try await exclusively { () throws(NetworkError) in try await self.presentToken(after: current) }
            if let known {
                return Credential.Token(known.accessToken, expiresIn: known.expiresAt.map { .seconds($0.timeIntervalSince(Date())) })
            }
            let token = try await first()
            state.withLock { $0.token = token }
            await archive(token)
            return Credential.Token(token.accessToken, expiresIn: token.expiresAt.map { .seconds($0.timeIntervalSince(token.issuedAt)) })
        } catch {
            // Where no archive has it, a new session would lose the refresh token.
            if token?.refreshToken == nil || !settings.grant.isInteractive { failed(self) }
            throw RefreshError(error: error)
        }
    }

    /// The token that is stored, or the one that its refresh token gives; nil where the grant has to give a new one.
    private func presentToken(after current: Credential?) async throws(NetworkError) -> OAuth2Token? {
        let stored = try await archived()
        // Another process may have renewed the token meanwhile.
        if let stored, stored.accessToken != current?.token, stored.isUsable(at: Date()) {
            state.withLock { $0.token = stored }
            return stored
        }
        var known = stored ?? token
        while let old = known, let refreshToken = old.refreshToken {
            let outcome = try await refreshed(old, refreshToken)
            switch outcome {
            case .token(let token):
                state.withLock { $0.token = token }
                await archive(token)
                return token
            case .grantNeeded: return nil
            case .ended:
                // A program without the lock, such as an older version, may have renewed the token and ended this refresh token by it.
                known = try await archived().flatMap { $0.refreshToken == refreshToken ? nil : $0 }
                if let known, known.isUsable(at: Date()) {
                    state.withLock { $0.token = known }
                    return known
                }
                if known == nil {
                    state.withLock { $0.token = nil }
                    await archive(nil)
                }
            }
        }
        return nil
    }

    /// What a refresh gave.
    private enum Refreshed {
        case token(OAuth2Token)
        /// The server refused for another reason than the refresh token, and the grant needs no user.
        case grantNeeded
        /// The server says that the refresh token is not valid any more.
        case ended
    }

    /// - Throws: Where the response says nothing about the refresh token: no response, the error of a gateway, the page of a proxy, wrong settings.
    private func refreshed(_ known: OAuth2Token, _ refreshToken: String) async throws(NetworkError) -> Refreshed {
        let tokenRequest = try OAuth2TokenRequest.refresh(settings, token: refreshToken, for: request)
        let response = try await OAuth2TokenRequest.sent(tokenRequest, to: settings.tokenPlace, by: send)
        do throws(NetworkError) {
            return .token(try OAuth2TokenResponse(response, for: settings, hiding: [refreshToken]).token(at: Date(), previous: known))
        } catch {
            // Only the word of the server ends a refresh token (RFC 6749 §5.2).
            if OAuth2Refusal(response, hiding: []).code == "invalid_grant" { return .ended }
            guard !settings.grant.isInteractive, (400..<500).contains(response.status), ![408, 429].contains(response.status) else { throw error }
            return .grantNeeded
        }
    }

    /// Performs a renewal while no other program renews the token: otherwise the refresh token of the second one would be that which the first has used.
    private func exclusively(_ body: () async throws(NetworkError) -> OAuth2Token?) async throws(NetworkError) -> OAuth2Token? {
        guard let archive else { return try await body() }
        let key = key
        // Without the lock, for example on a file system that has none, an ended refresh token is compared with the stored one before it is removed.
        let lock = await BlockingExecutor.shared.run { archive.lock(for: key) }
        defer { withExtendedLifetime(lock) {} }
        return try await body()
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

    private func fetch(_ tokenRequest: Request) async throws(NetworkError) -> OAuth2TokenResponse {
        try OAuth2TokenResponse(try await OAuth2TokenRequest.sent(tokenRequest, to: settings.tokenPlace, by: send), for: settings, hiding: [])
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
