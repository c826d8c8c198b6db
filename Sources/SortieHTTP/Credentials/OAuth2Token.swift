public import struct FoundationEssentials.Date

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
