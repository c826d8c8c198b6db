public import SortieHTTP

extension Client {
    /// Forgets the access tokens in memory, so that the next requests read those of the archive or get new ones.
    package func forgetAccessTokens() { core.oauth2.forget() }

    /// The access token of a request with OAuth 2 settings, which is fetched or renewed where needed; the user signs in where its grant requires it.
    ///
    /// - Parameters:
    ///   - request: The request; it is not sent.
    ///   - renews: Whether a valid token is replaced, too.
    /// - Throws: `invalidOption` for a request without settings, and the errors of requests with them.
    public func accessToken(for request: Request, renews: Bool = false) async throws(NetworkError) -> OAuth2Token {
        let request = core.layered(request)
        guard let settings = request.oauth2InUse else {
            throw NetworkError(.invalidOption, "the request has no OAuth 2 settings that apply, so it has no access token")
        }
        let session = core.oauth2Session(settings, for: request)
        let credential = try await session.store.credential()
        if renews { _ = try await session.store.refresh(after: credential.version) }
        guard let token = session.token else { throw .credentialInvalidated }
        return token
    }
}
