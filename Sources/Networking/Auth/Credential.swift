/// A token with the number of the refresh that made it.
///
/// The number is how a refused request says which token it had used, without comparing tokens.
public struct Credential: Hashable, Sendable {
    /// The token: a secret.
    public let token: String
    /// Which credential of the store this is; each one is higher than those before.
    public let version: Int
    /// When the token ends, by the store's clock; nil when nobody knows.
    public let expiresAt: ContinuousClock.Instant?

    init(token: String, version: Int, expiresAt: ContinuousClock.Instant? = nil) {
        self.token = token
        self.version = version
        self.expiresAt = expiresAt
    }

    /// A token as a refresh yields it.
    public struct Token: Hashable, Sendable {
        /// The token: a secret.
        public var token: String
        /// How long it is good from now on; nil when nobody knows.
        public var expiresIn: Duration?

        /// A token.
        public init(_ token: String, expiresIn: Duration? = nil) {
            self.token = token
            self.expiresIn = expiresIn
        }
    }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The version, with the token masked.
    public var description: String { "credential \(version) (••••)" }
    /// The same as ``description``: a debugger's log is a log.
    public var debugDescription: String { description }
    /// No children, so that `dump` does not tell the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Credential.Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A mask.
    public var description: String { "••••" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// No children, so that `dump` does not tell the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
