internal import SortieBase

public import struct FoundationEssentials.Date

/// How a request gets an access token (RFC 6749); texts may contain `{{templates}}`, and an empty text is not sent.
public struct OAuth2: Hashable, Sendable {
    /// The ways to get a token.
    public enum Grant: String, Hashable, Sendable, CaseIterable {
        /// The client's own credentials (RFC 6749 §4.4).
        case clientCredentials
        /// The user and the password of the resource owner (RFC 6749 §4.3).
        case password
        /// A sign-in of the user with a browser on this machine (RFC 6749 §4.1 with PKCE, RFC 7636, and a loopback redirect, RFC 8252).
        case authorizationCode
        /// A sign-in of the user with a browser on any machine, on which a code is entered (RFC 8628).
        case deviceCode
        /// A token of the user or of another service in exchange (RFC 8693).
        case tokenExchange

        /// Whether a user must sign in.
        package var isInteractive: Bool { self == .authorizationCode || self == .deviceCode }

        /// The value of `grant_type`.
        package var parameter: String {
            switch self {
            case .clientCredentials: "client_credentials"
            case .password: "password"
            case .authorizationCode: "authorization_code"
            case .deviceCode: "urn:ietf:params:oauth:grant-type:device_code"
            case .tokenExchange: "urn:ietf:params:oauth:grant-type:token-exchange"
            }
        }
    }

    /// How the client authenticates at the token endpoint (RFC 6749 §2.3.1).
    public enum ClientAuthentication: String, Hashable, Sendable, CaseIterable {
        /// `Authorization: Basic`.
        case basic
        /// `client_id` and `client_secret` in the body.
        case post
        /// A JSON Web Token that is signed with ``OAuth2/clientKey`` (RFC 7523 §2.2).
        case privateKeyJwt
        /// The client certificate of the request's trust policy (RFC 8705 §2).
        case certificate
    }

    /// The way to get a token.
    public var grant = Grant.clientCredentials
    /// The URL of the token endpoint.
    public var tokenURL = ""
    /// The page on which the user permits the access, for ``Grant/authorizationCode``.
    public var authorizationURL = ""
    /// The endpoint that receives the parameters of the page in advance (RFC 9126), for ``Grant/authorizationCode``; empty for none.
    public var parURL = ""
    /// The device authorization endpoint, for ``Grant/deviceCode``.
    public var deviceURL = ""
    /// The page to which the browser is redirected, for ``Grant/authorizationCode``: `http://` with `127.0.0.1`, `localhost` or `[::1]`.
    ///
    /// Without a port, a free one is used; empty for `http://127.0.0.1/`.
    public var redirectURL = ""
    /// The issuer identifier of the server, for ``Grant/authorizationCode``: the redirect to this machine must have it as `iss` (RFC 9207).
    ///
    /// Empty for an `iss` that is optional, and of the origin of ``authorizationURL``.
    public var issuer = ""
    /// The identifier of the client.
    public var clientID = ""
    /// The secret of the client; a client without one sends only its identifier, in the body.
    public var clientSecret = ""
    /// How the client authenticates.
    public var clientAuthentication = ClientAuthentication.basic
    /// The private key in PEM, or the secret of `HS…`, for ``ClientAuthentication/privateKeyJwt``; it is not sent.
    public var clientKey = ""
    /// `kid` of the JSON Web Token; empty for none.
    public var clientKeyID = ""
    /// The algorithm of the JSON Web Token.
    public var clientAlgorithm = JWTCredential.Algorithm.rs256
    /// The token that is exchanged, for ``Grant/tokenExchange``.
    public var subjectToken = ""
    /// The type of ``subjectToken``; empty for an access token.
    public var subjectTokenType = ""
    /// The user of the password grant.
    public var user = ""
    /// The password of the password grant.
    public var password = ""
    /// The requested scopes, separated by spaces.
    public var scope = ""
    /// The service for which the token is requested.
    public var audience = ""
    /// Further parameters of the token request as a JSON object of texts; empty for none.
    public var parameters = ""
    /// The member of the response with the token, where it is not `access_token`; members of objects in it are separated by periods.
    public var tokenField = ""

    /// Creates settings.
    public init(grant: Grant = .clientCredentials, tokenURL: String, clientID: String, clientSecret: String = "") {
        (self.grant, self.tokenURL, self.clientID, self.clientSecret) = (grant, tokenURL, clientID, clientSecret)
    }
}

extension OAuth2: FieldCredential {
    /// A setting as it is named in files.
    package enum Field: String, CredentialField {
        case grant, authorizationURL, parURL, deviceURL, tokenURL, redirectURL, issuer, clientID, clientSecret, clientAuthentication, clientKey,
            clientKeyID, clientAlgorithm, subjectToken, subjectTokenType, user, password, scope, audience, parameters, tokenField

        package var isSecret: Bool { [.clientSecret, .clientKey, .subjectToken, .password].contains(self) }

        package var isURL: Bool { [.tokenURL, .authorizationURL, .parURL, .deviceURL, .redirectURL].contains(self) }

        package var isJSON: Bool { self == .parameters }

        package var isOptional: Bool { self != .grant }

        package var words: [String]? {
            switch self {
            case .grant: Grant.allCases.map(\.rawValue)
            case .clientAuthentication: ClientAuthentication.allCases.map(\.rawValue)
            case .clientAlgorithm: JWTCredential.Algorithm.allCases.map(\.rawValue)
            default: nil
            }
        }
    }

    package static let empty = OAuth2(tokenURL: "", clientID: "")

    package func uses(_ field: Field) -> Bool {
        switch field {
        case .user, .password: grant == .password
        case .authorizationURL, .parURL, .redirectURL, .issuer: grant == .authorizationCode
        case .clientKey, .clientKeyID, .clientAlgorithm: clientAuthentication == .privateKeyJwt
        case .subjectToken, .subjectTokenType: grant == .tokenExchange
        case .deviceURL: grant == .deviceCode
        default: true
        }
    }

    package static func path(of field: Field) -> WritableKeyPath<OAuth2, String> {
        switch field {
        case .grant: \.grant.word
        case .authorizationURL: \.authorizationURL
        case .parURL: \.parURL
        case .deviceURL: \.deviceURL
        case .tokenURL: \.tokenURL
        case .redirectURL: \.redirectURL
        case .issuer: \.issuer
        case .clientID: \.clientID
        case .clientSecret: \.clientSecret
        case .clientKey: \.clientKey
        case .clientKeyID: \.clientKeyID
        case .clientAlgorithm: \.clientAlgorithm.word
        case .subjectToken: \.subjectToken
        case .subjectTokenType: \.subjectTokenType
        case .clientAuthentication: \.clientAuthentication.word
        case .user: \.user
        case .password: \.password
        case .scope: \.scope
        case .audience: \.audience
        case .parameters: \.parameters
        case .tokenField: \.tokenField
        }
    }

    /// The further parameters of the token request; nil where the text is not a JSON object of texts, numbers and truth values.
    package var furtherParameters: [(name: String, value: String)]? {
        guard !parameters.isEmpty else { return [] }
        do {
            guard case .object(let members) = try JSONValue(parsing: parameters) else { return nil }
            var result: [(name: String, value: String)] = []
            for member in members {
                switch member.value {
                case .string, .number, .bool: result.append((member.key, member.value.plainText))
                case .null, .array, .object: return nil
                }
            }
            return result
        } catch { return nil }
    }

    package var problem: String? {
        if let field = missingFields.first { return "\(field.rawValue) is missing" }
        for field in Field.allCases where field.isURL && uses(field) && !self[field: field].isEmpty {
            do { _ = try HTTPURL(parsing: self[field: field]) } catch { return "\(field.rawValue): \(error)" }
        }
        return problem(of: .parameters)
    }

    package func problem(of field: Field) -> String? {
        if field == .parameters { return furtherParameters == nil ? "parameters are not a JSON object of texts" : nil }
        guard field.isURL, uses(field) else { return nil }
        do {
            let url = try HTTPURL(parsing: self[field: field])
            guard field == .redirectURL, !Self.isLoopback(url) else { return nil }
            return "redirectURL is not an http URL of this machine; use 127.0.0.1, localhost or [::1], without a query"
        } catch {
            return "\(field.rawValue): \(error)"
        }
    }

    /// Whether the client can receive a redirect to a URL: an http URL of this machine, without credentials and a query (RFC 8252 §7.3).
    package static func isLoopback(_ redirect: HTTPURL) -> Bool {
        let isHere = redirect.scheme == .http && ["127.0.0.1", "localhost", "[::1]"].contains(redirect.host)
        return isHere && redirect.credentials == nil && redirect.query == nil
    }

    /// The endpoints that these settings use, each with the texts that it receives.
    package var receivers: [(url: String, texts: [String])] {
        let named = [clientID, scope, audience]
        // The key signs, and is not sent.
        var sent = self
        sent.clientKey = ""
        var receivers = [(url: tokenURL, texts: sent.texts)]
        // Further parameters are part of each request of the client.
        let further = [clientSecret, parameters] + (clientAuthentication == .privateKeyJwt ? [clientKeyID] : [])
        if grant == .authorizationCode, !parURL.isEmpty { receivers.append((parURL, named + [redirectURL] + further)) }
        if grant == .authorizationCode { receivers.append((authorizationURL, named + [redirectURL])) }
        if grant == .deviceCode { receivers.append((deviceURL, named + further)) }
        return receivers
    }

    package var missingFields: [Field] {
        let ofGrant: [Field] =
            switch grant {
            case .clientCredentials: [.tokenURL, .clientID]
            case .password: [.tokenURL, .clientID, .user]
            case .authorizationCode: [.authorizationURL, .tokenURL, .clientID]
            case .deviceCode: [.deviceURL, .tokenURL, .clientID]
            case .tokenExchange: [.tokenURL, .clientID, .subjectToken]
            }
        let needed = ofGrant + (clientAuthentication == .privateKeyJwt ? [.clientKey] : [])
        return needed.filter { self[field: $0].isEmpty }
    }
}

/// An access token with what is needed to renew it.
public struct OAuth2Token: Hashable, Sendable {
    /// The access token, which is a secret.
    public var accessToken: String
    /// The token that renews it, which is a secret; nil where the server issued none.
    public var refreshToken: String?
    /// The granted scopes, separated by spaces; nil where they are the requested ones.
    public var scope: String?
    /// The time of the response with the token.
    public var issuedAt: Date
    /// The time at which it expires; nil where the server named none.
    public var expiresAt: Date?

    /// Creates a token.
    public init(_ accessToken: String, refreshToken: String? = nil, scope: String? = nil, issuedAt: Date, expiresAt: Date? = nil) {
        (self.accessToken, self.refreshToken, self.scope) = (accessToken, refreshToken, scope)
        (self.issuedAt, self.expiresAt) = (issuedAt, expiresAt)
    }

    /// Whether the token can be used for at least some more seconds.
    package func isUsable(at now: Date) -> Bool { expiresAt.map { $0.timeIntervalSince(now) > 10 } ?? true }
}

extension OAuth2Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The times, with the tokens masked.
    public var description: String { "token •••• issued at \(issuedAt)" }
    /// The same as ``description``, because debug output is logged, too.
    public var debugDescription: String { description }
    /// No children, so that `dump` does not print the tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a token was issued for: requests with the same settings in the same environment share it.
///
/// It contains no secret.
public struct OAuth2TokenKey: Hashable, Sendable {
    /// The grant.
    public var grant: OAuth2.Grant
    /// The URL of the token endpoint.
    public var tokenURL: String
    /// The identifier of the client.
    public var clientID: String
    /// The user of the password grant; empty for others.
    public var user: String
    /// The requested scopes, separated by spaces.
    public var scope: String
    /// The service for which the token is requested.
    public var audience: String
    /// The environment; nil for none.
    public var environment: String?

    /// Creates a key.
    public init(_ settings: OAuth2, environment: String?) {
        (grant, tokenURL, clientID) = (settings.grant, settings.tokenURL, settings.clientID)
        user = settings.grant == .password ? settings.user : ""
        (scope, audience, self.environment) = (settings.scope, settings.audience, environment)
    }
}
