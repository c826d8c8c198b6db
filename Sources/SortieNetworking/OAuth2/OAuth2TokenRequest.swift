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
        if settings.grant == .tokenExchange {
            let type = settings.subjectTokenType
            let usual = "urn:ietf:params:oauth:token-type:access_token"
            parameters += [("subject_token", settings.subjectToken), ("subject_token_type", type.isEmpty ? usual : type)]
        }
        parameters += [("scope", settings.scope), ("audience", settings.audience)]
        return try tokenRequest(settings, parameters.filter { $0.0 == "password" || !$0.1.isEmpty }, for: request)
    }

    /// The parameters of the page on which the user permits the access (RFC 6749 §4.1.1, RFC 7636 §4.3).
    static func authorization(_ settings: OAuth2, redirect: String, proof: ProofKey, state: String) -> [(String, String)] {
        let parameters = [
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", redirect), ("scope", settings.scope),
            ("audience", settings.audience), ("state", state), ("code_challenge", proof.challenge), ("code_challenge_method", "S256"),
        ]
        return parameters.filter { !$0.1.isEmpty }
    }

    /// The page with these parameters.
    static func authorizationPage(_ settings: OAuth2, _ parameters: [(String, String)]) throws(NetworkError) -> HTTPURL {
        try url(settings.authorizationURL, .authorizationURL).appending(query: parameters.map { (name: $0.0, value: $0.1) })
    }

    /// The request that sends the parameters of the page in advance (RFC 9126 §2.1).
    static func pushing(_ settings: OAuth2, _ parameters: [(String, String)], for request: Request) throws(NetworkError) -> Request {
        // The identifier is a parameter of the page, also beside Basic; other ways to authenticate add it.
        let isBasic = settings.clientAuthentication == .basic && !settings.clientSecret.isEmpty
        return try tokenRequest(settings, isBasic ? parameters : parameters.filter { $0.0 != "client_id" }, at: .parURL, for: request)
    }

    /// The request that exchanges an authorization code for a token (RFC 6749 §4.1.3, RFC 7636 §4.5).
    static func redeeming(
        _ settings: OAuth2, code: String, redirect: String, proof: ProofKey, for request: Request
    ) throws(NetworkError) -> Request {
        let parameters = [
            ("grant_type", settings.grant.parameter), ("code", code), ("redirect_uri", redirect), ("code_verifier", proof.verifier),
        ]
        return try tokenRequest(settings, parameters, hiding: [code, proof.verifier], for: request)
    }

    /// The request for a code that the user enters on another device (RFC 8628 §3.1).
    static func deviceCode(_ settings: OAuth2, for request: Request) throws(NetworkError) -> Request {
        let parameters = [("scope", settings.scope), ("audience", settings.audience)].filter { !$0.1.isEmpty }
        return try tokenRequest(settings, parameters, at: .deviceURL, for: request)
    }

    /// The request whether the user has entered the code (RFC 8628 §3.4).
    static func polling(_ settings: OAuth2, code: String, for request: Request) throws(NetworkError) -> Request {
        try tokenRequest(settings, [("grant_type", settings.grant.parameter), ("device_code", code)], hiding: [code], for: request)
    }

    /// Sends a request; an error names the endpoint.
    static func sent(_ tokenRequest: Request, to place: String, by send: OAuth2Session.Sending) async throws(NetworkError) -> Response {
        do throws(NetworkError) { return try await send(tokenRequest) } catch {
            var failure = error
            failure.message = "no OAuth 2 token from \(place): \(error.message)"
            throw failure
        }
    }

    /// The request that renews a token (RFC 6749 §6).
    ///
    /// The scope is omitted, which requests the scope of the first token.
    static func refresh(_ settings: OAuth2, token: String, for request: Request) throws(NetworkError) -> Request {
        try tokenRequest(settings, [("grant_type", "refresh_token"), ("refresh_token", token)], hiding: [token], for: request)
    }

    private static func tokenRequest(
        _ settings: OAuth2, _ parameters: [(String, String)], at field: OAuth2.Field = .tokenURL, hiding secrets: [String] = [],
        for request: Request
    ) throws(NetworkError) -> Request {
        if let problem = settings.problem { throw NetworkError(.invalidOption, "OAuth 2: \(problem)") }
        var (parameters, secrets) = (parameters + (settings.furtherParameters ?? []).map { ($0.name, $0.value) }, secrets)
        var headers: Headers = [HeaderField("Accept", "application/json")]
        switch settings.clientAuthentication {
        case .basic where !settings.clientSecret.isEmpty:
            // Both are encoded before they are joined (RFC 6749 §2.3.1), so that an identifier may contain a colon.
            headers.append("Authorization", BasicCredentials.field(user: encoded(settings.clientID), password: encoded(settings.clientSecret)))
        case .privateKeyJwt:
            let assertion = try assertion(settings)
            secrets.append(assertion)
            parameters += [
                ("client_id", settings.clientID), ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                ("client_assertion", assertion),
            ]
        case .basic, .post, .certificate:
            parameters.append(("client_id", settings.clientID))
            if settings.clientAuthentication == .post, !settings.clientSecret.isEmpty {
                parameters.append(("client_secret", settings.clientSecret))
            }
        }
        let body = parameters.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
        var tokenRequest = configured(
            Request(
                method: .post, url: try url(settings[field: field], field), headers: headers,
                body: .bytes(Array(body.utf8), contentType: "application/x-www-form-urlencoded")),
            like: request, keepsCertificate: settings.clientAuthentication == .certificate)
        tokenRequest.secrets.values.formUnion(secrets)
        return tokenRequest
    }

    /// The token with which the client authenticates (RFC 7523 §3); each is used once.
    private static func assertion(_ settings: OAuth2) throws(NetworkError) -> String {
        let claims: JSONValue = [
            "iss": .string(settings.clientID), "sub": .string(settings.clientID), "aud": .string(settings.tokenURL),
            "jti": .string(ProofKey.random()),
        ]
        let credential = JWTCredential(
            algorithm: settings.clientAlgorithm, key: settings.clientKey, claims: claims.text, keyID: settings.clientKeyID, lifetime: "1m")
        return try JWTSignature(credential: credential).token(at: SystemClock.seconds)
    }

    private static func url(_ text: String, _ field: OAuth2.Field) throws(NetworkError) -> HTTPURL {
        do { return try HTTPURL(parsing: text) } catch { throw NetworkError(.invalidURL, "OAuth 2: \(field.rawValue): \(error)") }
    }

    /// Applies the rules of the request that needs the token: its time limits, proxy, interface, trust and secrets.
    ///
    /// Another origin gets no client certificate, unless the client authenticates with it, and its certificate is verified, as after a redirect. The
    /// queue is separate, because the request that waits for the token holds a place in its own queue.
    private static func configured(_ tokenRequest: Request, like request: Request, keepsCertificate: Bool) -> Request {
        var result = tokenRequest
        let given = request.options
        result.service = "OAuth 2 \(result.url.origin)"
        result.environment = request.environment
        result.secrets = request.secrets
        result.options.requiresTLS = given.requiresTLS
        result.options.timeouts = given.timeouts
        result.options.takeProxy(of: given)
        result.options.interface = given.interface
        result.options.trust = given.trust
        result.options.resolution = given.resolution
        result.options.tunnelOwner = request.service.map { TunnelOwner(service: $0, isAtOrigin: result.url.origin == request.url.origin) }
        if result.url.origin == request.url.origin {
            result.options.addresses = given.addresses
            result.options.unixSocket = given.unixSocket
        } else {
            result.options.trust.isInsecure = false
            if !keepsCertificate {
                result.options.trust.clientCertificateFile = nil
                result.options.trust.clientKeyFile = nil
                result.options.trust.clientKeyPassphrase = nil
            }
        }
        // Credentials are not sent to the target of a redirect.
        result.options.maximumRedirects = 0
        result.options.maximumBodyBytes = responseLimit
        result.options.usesCookies = false
        result.options.cacheLifetime = nil
        result.options.credential = .none
        result.options.bypassesPlugins = true
        result.options.inheritsPlugins = false
        result.options.suppressesUI = true
        return result
    }

    private static func encoded(_ text: String) -> String { PercentEncoding.encode(text, allowed: .form) }
}

/// The JSON object of a successful response of an OAuth 2 endpoint.
struct OAuth2Body: Sendable {
    private let body: JSONValue
    private let status: Int
    private let place: String
    private let setting: String

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - place: The endpoint as it is named in errors.
    ///   - setting: The setting with the URL of the endpoint.
    ///   - success: The member that a success has.
    /// - Throws: An error for a refusal (RFC 6749 §5.2) and for a body that is not an object.
    init(_ response: Response, from place: String, setting: String, hiding secrets: [String], success: String) throws(NetworkError) {
        (status, self.place, self.setting) = (response.status, place, setting)
        guard (200..<300).contains(response.status) else { throw OAuth2Refusal(response, hiding: secrets).error(from: place, setting: setting) }
        let parsed = JSONValue(ifValid: response.utf8Body)
        body = parsed ?? .null
        guard parsed != nil else { throw invalid("a body that is not JSON") }
        guard case .object = body else { throw invalid("JSON that is not an object") }
        // Some servers refuse with a status of success.
        if body.member(at: success) == nil, body["error"] != nil {
            throw OAuth2Refusal(response, hiding: secrets).error(from: place, setting: setting)
        }
    }

    /// A text; nil where there is none.
    ///
    /// - Parameter name: The name of a member; members of objects in it are separated by periods.
    func text(_ name: String) throws(NetworkError) -> String? {
        switch body.member(at: name) {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw invalid("\(name) that is not a text")
        }
    }

    /// A number of seconds above 0; nil where there is none.
    func seconds(_ name: String) throws(NetworkError) -> Double? {
        switch body[name] {
        case nil, .null: return nil
        // Some servers send the number as a text.
        case .number(let text), .string(let text):
            guard let seconds = Double(text), seconds > 0 else { throw invalid("\(name) that is not a positive number of seconds") }
            return seconds
        default: throw invalid("\(name) that is not a number")
        }
    }

    /// The error for a response with this problem.
    func invalid(_ problem: String) -> NetworkError {
        NetworkError(.badBody, "\(place) responded with \(status) and \(problem)", hint: "check that \(setting) is that of this endpoint")
    }
}

extension JSONValue {
    /// The member with a path of names separated by periods.
    fileprivate func member(at path: String) -> JSONValue? {
        if let own = self[path] { return own }
        return path.split(separator: ".").reduce(Optional(self)) { $0?[String($1)] }
    }
}

/// A response of a token endpoint without a token (RFC 6749 §5.2).
struct OAuth2Refusal: Sendable {
    let status: Int
    /// The `error` code; nil for a response without one.
    let code: String?
    /// The description for people; nil where there is none.
    let explanation: String?

    /// A refusal in the query of a redirect (RFC 6749 §4.1.2.1).
    init(code: String, explanation: String?) {
        status = 302
        self.code = Self.printable(code)
        self.explanation = explanation.map(Self.printable)
    }

    init(_ response: Response, hiding secrets: [String]) {
        status = response.status
        // A proxy or a wrong URL responds with HTML, which has no code.
        let body = JSONValue(ifValid: response.utf8Body) ?? .null
        func text(_ name: String) -> String? {
            guard case .string(let text)? = body[name], !text.isEmpty else { return nil }
            return Self.printable(secrets.filter { !$0.isEmpty }.reduce(text) { $0.replacing($1, with: HeaderField.mask) })
        }
        code = text("error")
        explanation = text("error_description")
    }

    /// The error for the user.
    ///
    /// - Parameter setting: The setting with the URL of the endpoint.
    func error(from place: String, setting: String) -> NetworkError {
        guard let code else {
            return NetworkError(
                .status, "\(place) responded with \(status) and no token", hint: "check that \(setting) is the URL of this endpoint")
        }
        return NetworkError(.status, "\(place) refused to issue a token: \(code)\(explanation.map { " (\($0))" } ?? "")", hint: hint(for: code))
    }

    private func hint(for code: String) -> String? {
        switch code {
        case "invalid_client": "check clientID, clientSecret and clientAuthentication"
        case "invalid_grant": "check the user and the password, or sign in again"
        case "access_denied": "permit the access on the page of the server"
        case "unauthorized_client": "permit this grant for the client at the server"
        case "unsupported_grant_type": "choose a grant that the server supports"
        case "invalid_scope": "check scope"
        case "invalid_target": "check audience"
        default: nil
        }
    }

    /// A text of a server for a message, without control characters and not longer than a line or two.
    static func printable(_ text: String) -> String {
        let visible = String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
        return visible.count > 300 ? visible.prefix(300) + "…" : visible
    }
}
