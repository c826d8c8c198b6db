/// How a request gets an access token (RFC 6749); texts may contain `{{templates}}`, and an empty text is not sent.
public struct OAuth2: Hashable, Sendable {
    /// The ways to get a token.
    public enum Grant: String, Hashable, Sendable, CaseIterable {
        /// The client's own credentials (RFC 6749 §4.4).
        case clientCredentials
        /// The user and the password of the resource owner (RFC 6749 §4.3).
        case password

        /// The value of `grant_type`.
        package var parameter: String {
            switch self {
            case .clientCredentials: "client_credentials"
            case .password: "password"
            }
        }
    }

    /// How the client authenticates at the token endpoint (RFC 6749 §2.3.1).
    public enum ClientAuthentication: String, Hashable, Sendable, CaseIterable {
        /// `Authorization: Basic`.
        case basic
        /// `client_id` and `client_secret` in the body.
        case post
    }

    /// The way to get a token.
    public var grant = Grant.clientCredentials
    /// The URL of the token endpoint.
    public var tokenURL = ""
    /// The identifier of the client.
    public var clientID = ""
    /// The secret of the client; a client without one sends only its identifier, in the body.
    public var clientSecret = ""
    /// How the client authenticates.
    public var clientAuthentication = ClientAuthentication.basic
    /// The user of the password grant.
    public var user = ""
    /// The password of the password grant.
    public var password = ""
    /// The requested scopes, separated by spaces.
    public var scope = ""
    /// The service for which the token is requested.
    public var audience = ""

    /// Creates settings.
    public init(grant: Grant = .clientCredentials, tokenURL: String, clientID: String, clientSecret: String = "") {
        (self.grant, self.tokenURL, self.clientID, self.clientSecret) = (grant, tokenURL, clientID, clientSecret)
    }
}

extension OAuth2: FieldCredential {
    /// A setting as it is named in files.
    package enum Field: String, CredentialField {
        case grant, tokenURL, clientID, clientSecret, clientAuthentication, user, password, scope, audience

        package var isSecret: Bool { self == .clientSecret || self == .password }

        package var isURL: Bool { self == .tokenURL }

        package var isOptional: Bool { self != .grant }

        package var words: [String]? {
            switch self {
            case .grant: Grant.allCases.map(\.rawValue)
            case .clientAuthentication: ClientAuthentication.allCases.map(\.rawValue)
            default: nil
            }
        }
    }

    package static let empty = OAuth2(tokenURL: "", clientID: "")

    package func uses(_ field: Field) -> Bool {
        switch field {
        case .user, .password: grant == .password
        default: true
        }
    }

    package subscript(field field: Field) -> String {
        get {
            switch field {
            case .grant: grant.rawValue
            case .tokenURL: tokenURL
            case .clientID: clientID
            case .clientSecret: clientSecret
            case .clientAuthentication: clientAuthentication.rawValue
            case .user: user
            case .password: password
            case .scope: scope
            case .audience: audience
            }
        }
        set {
            switch field {
            case .grant: grant = Grant(rawValue: newValue) ?? grant
            case .tokenURL: tokenURL = newValue
            case .clientID: clientID = newValue
            case .clientSecret: clientSecret = newValue
            case .clientAuthentication: clientAuthentication = ClientAuthentication(rawValue: newValue) ?? clientAuthentication
            case .user: user = newValue
            case .password: password = newValue
            case .scope: scope = newValue
            case .audience: audience = newValue
            }
        }
    }

    package var problem: String? {
        if let field = missingFields.first { return "\(field.rawValue) is missing" }
        do { _ = try HTTPURL(parsing: tokenURL) } catch { return "tokenURL: \(error)" }
        return nil
    }

    package var missingFields: [Field] {
        let needed: [Field] = grant == .password ? [.tokenURL, .clientID, .user] : [.tokenURL, .clientID]
        return needed.filter { self[field: $0].isEmpty }
    }
}
