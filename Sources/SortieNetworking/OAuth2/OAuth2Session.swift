internal import SortieHTTP
internal import Synchronization

/// The token of one set of settings: fetched by the first request that needs it, shared by all others, renewed when it expires or is rejected.
final class OAuth2Session: Sendable {
    /// Sends a request to the token endpoint.
    typealias Sending = @Sendable (Request) async throws(NetworkError) -> Response

    private struct State {
        var refreshToken: String?
        var scope: String?
    }

    private let settings: OAuth2
    private let send: Sending
    private let state = Mutex(State())
    /// The request of the first use, whose rules the token requests follow.
    private let request: Request
    private let stored = Mutex<CredentialStore?>(nil)
    private let failed: @Sendable (OAuth2Session) -> Void

    /// Creates a session; nothing is sent.
    ///
    /// - Parameter failed: Called when no token could be obtained, so that a later call starts with a new session.
    init(_ settings: OAuth2, for request: Request, failed: @escaping @Sendable (OAuth2Session) -> Void, send: @escaping Sending) {
        (self.settings, self.request, self.send, self.failed) = (settings, request, send, failed)
    }

    /// The store that performs one token request for all waiting requests.
    var store: CredentialStore {
        stored.withLock { stored in
            if let store = stored { return store }
            let store = CredentialStore { [weak self] _ in
                guard let self else { throw NetworkError.credentialInvalidated }
                return try await self.newToken()
            }
            stored = store
            return store
        }
    }

    private func newToken() async throws -> Credential.Token {
        do throws(NetworkError) {
            let response = try await response()
            state.withLock { state in
                // A server that rotates refresh tokens sends a new one; another keeps the old one valid (RFC 6749 §6).
                state.refreshToken = response.refreshToken ?? state.refreshToken
                state.scope = response.scope ?? state.scope
            }
            return Credential.Token(response.accessToken, expiresIn: response.lifetime)
        } catch {
            failed(self)
            throw RefreshError(error: error)
        }
    }

    private func response() async throws(NetworkError) -> OAuth2TokenResponse {
        if let token = state.withLock({ $0.refreshToken }) {
            do throws(NetworkError) {
                return try await fetch(OAuth2TokenRequest.refresh(settings, token: token, for: request), hiding: token)
            } catch {
                // A refresh token may have expired or been revoked; the grant does not need it.
                guard error.errorClass != .transport, !error.isCancellation else { throw error }
                state.withLock { $0.refreshToken = nil }
            }
        }
        return try await fetch(OAuth2TokenRequest.grant(settings, for: request))
    }

    private func fetch(_ tokenRequest: Request, hiding token: String? = nil) async throws(NetworkError) -> OAuth2TokenResponse {
        let place = "the token endpoint \(tokenRequest.url.origin)"
        let response: Response
        do throws(NetworkError) { response = try await send(tokenRequest) } catch {
            var failure = error
            failure.message = "no OAuth 2 token from \(place): \(error.message)"
            throw failure
        }
        return try OAuth2TokenResponse(response, from: place, hiding: [settings.clientSecret, settings.password, token].compactMap(\.self))
    }
}
