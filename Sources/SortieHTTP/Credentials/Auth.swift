/// The credentials of an endpoint; texts may contain `{{templates}}`.
public enum Auth: Hashable, Sendable {
    /// The credentials of the service.
    case inherit
    /// No credentials, even where the service has some.
    case none
    /// `Authorization: Basic` (RFC 7617).
    case basic(user: String, password: String)
    /// `Authorization: Bearer` (RFC 6750).
    case bearer(token: String)
    /// Digest (RFC 7616), which needs a challenge of the server.
    case digest(user: String, password: String)
    /// A bearer token that is fetched and renewed (RFC 6749).
    indirect case oauth2(OAuth2)
    /// A signature of each attempt (AWS Signature Version 4).
    indirect case awsSigV4(AWSCredential)
    /// A JSON Web Token as a bearer token, created and signed for each attempt (RFC 7519).
    indirect case jwt(JWTCredential)
    /// NTLM, which authenticates a connection.
    indirect case ntlm(NTLMCredential)
    /// A Kerberos ticket of the user (Negotiate, RFC 4559).
    case negotiate
    /// A key as a header field or as a parameter of the query.
    indirect case apiKey(APIKey)
}
