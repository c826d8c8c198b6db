internal import FoundationEssentials
internal import SortieBase
package import SortieHTTP

/// Creates the requests to a token endpoint (RFC 6749 §3.2).
package enum OAuth2TokenRequest {
    /// The maximum size of a response in bytes; a token response has a few kilobytes.
    static let responseLimit: Int64 = 1 << 20

    /// The request for a token by the grant of the settings.
    package static func grant(_ settings: OAuth2, for request: Request) throws(NetworkError) -> Request {
        var parameters = [("grant_type", settings.grant.parameter)]
        if settings.grant == .password { parameters += [("username", settings.user), ("password", settings.password)] }
        parameters += [("scope", settings.scope), ("audience", settings.audience)]
        return try tokenRequest(settings, parameters.filter { $0.0 == "password" || !$0.1.isEmpty }, for: request)
    }

    /// The request that renews a token (RFC 6749 §6).
    ///
    /// The scope is omitted, which requests the scope of the first token.
    static func refresh(_ settings: OAuth2, token: String, for request: Request) throws(NetworkError) -> Request {
        try tokenRequest(settings, [("grant_type", "refresh_token"), ("refresh_token", token)], for: request)
    }

    private static func tokenRequest(
        _ settings: OAuth2, _ parameters: [(String, String)], for request: Request
    ) throws(NetworkError) -> Request {
        if let problem = settings.problem { throw NetworkError(.invalidOption, "OAuth 2: \(problem)") }
        var parameters = parameters
        var headers: Headers = [HeaderField("Accept", "application/json")]
        let isPosted = settings.clientAuthentication == .post
        if isPosted || settings.clientSecret.isEmpty {
            parameters.append(("client_id", settings.clientID))
            if !settings.clientSecret.isEmpty { parameters.append(("client_secret", settings.clientSecret)) }
        } else {
            // Both are encoded before they are joined (RFC 6749 §2.3.1), so that an identifier may contain a colon.
            headers.append("Authorization", BasicCredentials.field(user: encoded(settings.clientID), password: encoded(settings.clientSecret)))
        }
        let body = parameters.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
        let url: HTTPURL
        do { url = try HTTPURL(parsing: settings.tokenURL) } catch { throw NetworkError(.invalidURL, "OAuth 2: tokenURL: \(error)") }
        return configured(
            Request(
                method: .post, url: url, headers: headers, body: .bytes(Array(body.utf8), contentType: "application/x-www-form-urlencoded")),
            like: request)
    }

    /// Applies the rules of the request that needs the token: its time limits, proxy, interface, trust and secrets.
    ///
    /// Another origin gets no client certificate, and its certificate is verified, as after a redirect. The queue is separate, because the request
    /// that waits for the token holds a place in its own queue.
    private static func configured(_ tokenRequest: Request, like request: Request) -> Request {
        var result = tokenRequest
        let given = request.options
        result.service = "OAuth 2 \(result.url.origin)"
        result.environment = request.environment
        result.secrets = request.secrets
        result.options.requiresTLS = given.requiresTLS
        result.options.timeouts = given.timeouts
        result.options.proxy = given.proxy
        result.options.interface = given.interface
        result.options.trust = given.trust
        result.options.resolution = given.resolution
        if result.url.origin == request.url.origin {
            result.options.addresses = given.addresses
            result.options.unixSocket = given.unixSocket
        } else {
            result.options.trust.isInsecure = false
            result.options.trust.clientCertificateFile = nil
            result.options.trust.clientKeyFile = nil
            result.options.trust.clientKeyPassphrase = nil
        }
        // Credentials are not sent to the target of a redirect.
        result.options.maximumRedirects = 0
        result.options.maximumBodyBytes = responseLimit
        result.options.usesCookies = false
        result.options.cacheLifetime = nil
        result.options.omitsCredentials = true
        result.options.bypassesPlugins = true
        result.options.inheritsPlugins = false
        result.options.suppressesUI = true
        return result
    }

    private static func encoded(_ text: String) -> String { PercentEncoding.encode(text, allowed: .form) }
}
