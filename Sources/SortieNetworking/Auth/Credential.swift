internal import CGSSAPI
internal import SortieHTTP

internal import struct FoundationEssentials.Data

/// A token with the number of the refresh that produced it.
///
/// A rejected request identifies the token that it used by this number, without comparing tokens.
public struct Credential: Hashable, Sendable {
    /// The token, which is a secret.
    public let token: String
    /// The number of this credential in its store; each one is higher than those before.
    public let version: Int
    /// The expiry of the token, by the store's clock; nil when unknown.
    public let expiresAt: ContinuousClock.Instant?

    init(token: String, version: Int, expiresAt: ContinuousClock.Instant? = nil) {
        (self.token, self.version, self.expiresAt) = (token, version, expiresAt)
    }

    /// The token that a refresh returns.
    public struct Token: Hashable, Sendable {
        /// The token, which is a secret.
        public var token: String
        /// The lifetime from now on; nil when unknown.
        public var expiresIn: Duration?

        /// Creates a token.
        public init(_ token: String, expiresIn: Duration? = nil) {
            (self.token, self.expiresIn) = (token, expiresIn)
        }
    }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The version, with the token masked.
    public var description: String { "credential \(version) (••••)" }
    /// The same as ``description``, because debug output is logged, too.
    public var debugDescription: String { description }
    /// No children, so that `dump` does not print the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Credential.Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A mask.
    public var description: String { "••••" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// No children, so that `dump` does not print the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A token of Negotiate with a Kerberos ticket of the user (RFC 4559).
enum NegotiateToken {
    /// The threads that wait for a key distribution center.
    ///
    /// They are separate from those for files, because one that does not respond blocks a thread for about half a minute.
    static let threads = BlockingExecutor(limit: 4)

    /// The Kerberos service of a host (RFC 4559 §4.1).
    static func service(of host: String) -> String { "HTTP@\(host)" }

    /// Makes the token for a host, in base64; blocks.
    ///
    /// - Throws: `invalidOption` where the library is missing or has no ticket.
    static func make(for host: String) throws(NetworkError) -> String {
        if let problem = cgssapi_load() {
            throw NetworkError(
                .invalidOption, "Negotiate is not available: \(String(cString: problem))", hint: "install the package libgssapi-krb5-2")
        }
        var token = cgssapi_token()
        cgssapi_negotiate(service(of: host), &token)
        defer { cgssapi_free(&token) }
        guard let bytes = token.bytes else {
            let reason = withUnsafeBytes(of: &token.problem) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            throw NetworkError(
                .invalidOption, "there is no Kerberos ticket for \(service(of: host)): \(reason); nothing was sent",
                hint: "get a ticket with kinit USER@REALM; klist shows the tickets")
        }
        return Data(bytes: bytes, count: token.length).base64EncodedString()
    }
}
