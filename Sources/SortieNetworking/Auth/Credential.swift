/// A token with the number of the refresh that produced it.
///
/// A rejected request identifies the token that it used by this number, without comparing tokens.
public struct Credential: Hashable, Sendable {
    /// The token, which is a secret.
    public let token: String
    /// The number of this credential in its store; each one is higher than those before.
    package let version: Int
    /// The expiry of the token, by the store's clock; nil when unknown.
    public let expiresAt: ContinuousClock.Instant?

    init(token: String, version: Int, expiresAt: ContinuousClock.Instant? = nil) {
        self.token = token
        self.version = version
        self.expiresAt = expiresAt
    }

    /// The token that a refresh returns.
    public struct Token: Hashable, Sendable {
        /// The token, which is a secret.
        public var token: String
        /// The lifetime from now on; nil when unknown.
        public var expiresIn: Duration?

        /// Creates a token.
        public init(_ token: String, expiresIn: Duration? = nil) {
            self.token = token
            self.expiresIn = expiresIn
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
