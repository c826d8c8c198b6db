internal import FoundationEssentials
internal import SortieBase
internal import SortieHTTP
internal import Synchronization

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
        let page = try OAuth2TokenRequest.authorizationPage(settings, redirect: redirect.url, proof: proof, state: state)
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
        let origin: String?
        do { origin = try HTTPURL(parsing: issuer).origin } catch { origin = nil }
        guard origin != page.origin else { return }
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
        .status, "nobody signed in before the time for the sign-in ended", hint: "send the request again to start another sign-in")

    private func signIn(_ step: OAuth2SignIn.Step, seconds: Double) -> OAuth2SignIn {
        OAuth2SignIn(
            id: Self.count.add(1, ordering: .relaxed).newValue, step: step, settings: settings, expiresAt: Date(timeIntervalSinceNow: seconds),
            onCancel: cancel)
    }
}
