internal import FoundationEssentials
internal import SortieBase
internal import SortieHTTP
internal import Synchronization

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
            // The token of a sign-in is not needed when no request waits for it any more.
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
        state.withLock { $0.archiveProblem.take() }
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

/// A successful response of a device authorization endpoint (RFC 8628 §3.2).
struct OAuth2DeviceCode: Sendable {
    /// The longest code that is displayed, in characters.
    private static let longestUserCode = 100

    /// The code of the token requests, a secret.
    let deviceCode: String
    /// The code that the user enters.
    let userCode: String
    /// The page on which the user enters it.
    let page: HTTPURL
    /// A page that contains the code already; nil where the server has none.
    let pageWithCode: HTTPURL?
    /// The lifetime of the codes in seconds; nil where the server names none.
    let lifetime: Double?
    /// The minimum time between two token requests in seconds; nil where the server names none.
    let interval: Double?

    /// Reads a response.
    ///
    /// - Throws: An error for a refusal and for a response without the codes.
    init(_ response: Response, from place: String, hiding secrets: [String]) throws(NetworkError) {
        let body = try OAuth2Body(response, from: place, setting: "deviceURL", hiding: secrets, success: "device_code")
        guard let deviceCode = try body.text("device_code"), !deviceCode.isEmpty else { throw body.invalid("no device_code") }
        guard let userCode = try body.text("user_code"), !userCode.isEmpty else { throw body.invalid("no user_code") }
        guard userCode.count <= Self.longestUserCode else { throw body.invalid("a user_code of \(userCode.count) characters") }
        (self.deviceCode, self.userCode) = (deviceCode, OAuth2Refusal.printable(userCode))
        func url(_ name: String) throws(NetworkError) -> HTTPURL? {
            guard let text = try body.text(name), !text.isEmpty else { return nil }
            do { return try HTTPURL(parsing: text) } catch { throw body.invalid("\(name) that is not an http or https URL") }
        }
        // Some servers use the name of a draft.
        let names = ["verification_uri", "verification_url"]
        var page: HTTPURL?
        for name in names where page == nil { page = try url(name) }
        guard let page else { throw body.invalid("no verification_uri") }
        self.page = page
        pageWithCode = try url("verification_uri_complete")
        lifetime = try body.seconds("expires_in")
        interval = try body.seconds("interval")
    }
}

/// Obtains a token for which a user must sign in: with a browser on this machine (RFC 6749 §4.1, RFC 7636, RFC 8252) or with a code (RFC 8628).
struct OAuth2SignInFlow: Sendable {
    /// The time within which the user must sign in with a browser, in seconds.
    static let browserTime = 600.0
    /// The lifetime of a code where the server names none, and the longest one, in seconds.
    private static let codeLifetimes = (default: 900.0, longest: 86_400.0)
    /// The interval between two token requests of a device where the server names none, in seconds (RFC 8628 §3.2).
    private static let defaultInterval = 5.0
    /// The shortest interval, in seconds, so that a server that names almost none does not get requests without a pause.
    private static let shortestInterval = 0.1
    /// The longest interval after lost connections, in seconds, where the server names none that is longer.
    private static let longestInterval = 60.0
    private static let count = Atomic(0)

    let settings: OAuth2
    /// The request that needs the token; its rules apply.
    let request: Request
    let presenter: any OAuth2SignInPresenter
    let send: OAuth2Session.Sending
    /// Ends the flow.
    let cancel: @Sendable () -> Void

    /// Performs the sign-in.
    ///
    /// - Throws: `cancelled` when the task is cancelled, `status` for a refusal of the server or of the user and after the time for the sign-in; it is no
    ///   transport error, which a retry policy would repeat.
    func token() async throws(NetworkError) -> OAuth2TokenResponse {
        settings.grant == .deviceCode ? try await tokenByCode() : try await tokenByBrowser()
    }

    // MARK: Browser

    private func tokenByBrowser() async throws(NetworkError) -> OAuth2TokenResponse {
        let redirect = try LoopbackRedirect(settings.redirectURL)
        let (proof, state) = (ProofKey(), ProofKey.random())
        let page = try await page(OAuth2TokenRequest.authorization(settings, redirect: redirect.url, proof: proof, state: state))
        let signIn = signIn(.browser(page: page), seconds: Self.browserTime)
        presenter.begin(signIn)
        defer { presenter.end(signIn) }
        let query = try await redirect.query(within: Self.browserTime) { query in
            QueryParameters(query).values("state") == [state]
        }
        guard let query else { throw Self.expired }
        let parameters = QueryParameters(query)
        let place = "the authorization endpoint \(page.origin)"
        // First, because neither the code nor the error of another server belongs to this sign-in.
        try checkIssuer(parameters.values("iss"), page: page)
        if let code = parameters.values("error").first {
            throw OAuth2Refusal(code: code, explanation: parameters.values("error_description").first).error(from: place, setting: "authorizationURL")
        }
        guard let code = parameters.values("code").first, !code.isEmpty else {
            throw NetworkError(.badBody, "\(place) redirected the browser without a code", hint: "check authorizationURL")
        }
        let tokenRequest = try OAuth2TokenRequest.redeeming(settings, code: code, redirect: redirect.url, proof: proof, for: request)
        return try OAuth2TokenResponse(
            try await OAuth2TokenRequest.sent(tokenRequest, to: settings.tokenPlace, by: send), for: settings, hiding: [code, proof.verifier])
    }

    /// The page with these parameters, or with the reference to them that the server gives for them (RFC 9126).
    private func page(_ parameters: [(String, String)]) async throws(NetworkError) -> HTTPURL {
        guard !settings.parURL.isEmpty else { return try OAuth2TokenRequest.authorizationPage(settings, parameters) }
        let pushed = try OAuth2TokenRequest.pushing(settings, parameters, for: request)
        let place = "the pushed authorization request endpoint \(pushed.url.origin)"
        let body = try OAuth2Body(
            try await OAuth2TokenRequest.sent(pushed, to: place, by: send), from: place, setting: "parURL", hiding: [settings.clientSecret],
            success: "request_uri")
        guard let reference = try body.text("request_uri"), !reference.isEmpty else { throw body.invalid("no request_uri") }
        return try OAuth2TokenRequest.authorizationPage(settings, [("client_id", settings.clientID), ("request_uri", reference)])
    }

    /// Requires that the redirect is that of the server to which the browser was sent (RFC 9207 §2.4).
    ///
    /// Another server could otherwise receive a code of this one, where a user has tokens of both.
    private func checkIssuer(_ found: [String], page: HTTPURL) throws(NetworkError) {
        let name = found.first.map { "“\(OAuth2Refusal.printable($0))”" }
        func refusal(_ problem: String, _ hint: String) -> NetworkError {
            NetworkError(.badBody, "the authorization endpoint \(page.origin) redirected the browser \(problem)", hint: hint)
        }
        guard found.count <= 1 else { throw refusal("with several issuers", "check authorizationURL") }
        guard settings.issuer.isEmpty else {
            // The identifiers are compared byte by byte (RFC 9207 §2.4).
            if let issuer = found.first, issuer.utf8.elementsEqual(settings.issuer.utf8) { return }
            throw refusal(
                name.map { "as the issuer \($0) instead of “\(settings.issuer)”" } ?? "without its issuer “\(settings.issuer)”",
                name == nil ? "remove issuer if the server does not send it (RFC 9207)" : "check issuer; its text must be equal")
        }
        guard let issuer = found.first, let name else { return }
        guard HTTPURL(ifValid: issuer)?.origin != page.origin else { return }
        throw refusal("as the issuer \(name), which is another server", "set issuer to this text if it is that of the server")
    }

    // MARK: Code

    private func tokenByCode() async throws(NetworkError) -> OAuth2TokenResponse {
        let codeRequest = try OAuth2TokenRequest.deviceCode(settings, for: request)
        let place = "the device authorization endpoint \(codeRequest.url.origin)"
        let code = try OAuth2DeviceCode(
            try await OAuth2TokenRequest.sent(codeRequest, to: place, by: send), from: place, hiding: [settings.clientSecret])
        let lifetime = min(code.lifetime ?? Self.codeLifetimes.default, Self.codeLifetimes.longest)
        let signIn = signIn(.code(code.userCode, page: code.page, pageWithCode: code.pageWithCode), seconds: lifetime)
        presenter.begin(signIn)
        defer { presenter.end(signIn) }
        var interval = max(code.interval ?? Self.defaultInterval, Self.shortestInterval)
        while true {
            let rest = signIn.expiresAt.timeIntervalSinceNow
            guard rest > 0 else { throw Self.expired }
            do { try await Task.sleep(for: .seconds(min(interval, rest))) } catch { throw .cancelledByCaller }
            let response: Response
            do throws(NetworkError) { response = try await send(OAuth2TokenRequest.polling(settings, code: code.deviceCode, for: request)) } catch {
                guard !Task.isCancelled, error.errorClass == .transport else { throw error }
                // A lost connection does not end the sign-in; the requests become less frequent (RFC 8628 §3.5).
                interval = max(interval, min(interval * 2, Self.longestInterval))
                continue
            }
            switch OAuth2Refusal(response, hiding: []).code {
            case "authorization_pending", "temporarily_unavailable": continue
            // A gateway that fails says nothing about the sign-in.
            case nil where response.status >= 500 || response.status == 429: interval = max(interval, min(interval * 2, Self.longestInterval))
            case "slow_down": interval += 5
            case "expired_token": throw Self.expired
            default: return try OAuth2TokenResponse(response, for: settings, hiding: [code.deviceCode])
            }
        }
    }

    private static let expired = NetworkError(
        .status, "the time for the sign-in ended before the user signed in", hint: "send the request again to start another sign-in")

    private func signIn(_ step: OAuth2SignIn.Step, seconds: Double) -> OAuth2SignIn {
        OAuth2SignIn(
            id: Self.count.add(1, ordering: .relaxed).newValue, step: step, settings: settings, expiresAt: Date(timeIntervalSinceNow: seconds),
            onCancel: cancel)
    }
}

/// The parameters of the query with which a browser is redirected (`application/x-www-form-urlencoded`).
struct QueryParameters: Sendable {
    private let pairs: [(name: String, value: String)]

    init(_ query: String) {
        pairs = query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            func decoded(_ text: Substring) -> String { PercentEncoding.decode(text, plusIsSpace: true) }
            return (decoded(parts[0]), parts.count == 2 ? decoded(parts[1]) : "")
        }
    }

    /// The values of a name, in order.
    func values(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }
}
