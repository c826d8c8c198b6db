/// How an endpoint shows who asks; texts may hold `{{templates}}`.
public enum Auth: Hashable, Codable, Sendable {
    /// As the service says.
    case inherit
    /// Nothing, also where the service says something.
    case none
    /// `Authorization: Basic` (RFC 7617).
    case basic(user: String, password: String)
    /// `Authorization: Bearer` (RFC 6750).
    case bearer(token: String)
    /// Digest (RFC 7616), in rounds with the server.
    case digest(user: String, password: String)
}
