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
