public import struct FoundationEssentials.Date

/// A cookie in the form in which a jar stores it (RFC 6265 §5.3).
public struct Cookie: Hashable, Sendable {
    /// The cookie's policy for cross-site requests (RFC 6265bis §5.6.7).
    ///
    /// It is stored and shown but has no effect: the user makes every request, so none is a cross-site request.
    public enum SameSite: String, Hashable, Sendable, CaseIterable {
        case strict = "Strict"
        case lax = "Lax"
        case none = "None"
    }

    /// The name; unlike header field names, it is case-sensitive.
    public var name: String
    /// The value, including any quotes.
    public var value: String
    /// The host, or the domain without a leading dot, in lowercase.
    public var domain: String
    /// Whether the cookie is sent to this host only, and not to its subdomains.
    public var isHostOnly: Bool
    /// The path, beginning with `/`.
    public var path: String
    /// The expiry; nil for a session cookie.
    public var expiresAt: Date?
    /// Whether the cookie is sent over secure connections only.
    public var isSecure: Bool
    /// Whether the cookie is hidden from scripts of a page; stored for display.
    public var isHTTPOnly: Bool
    /// The policy for cross-site requests.
    public var sameSite: SameSite?

    /// Creates a cookie.
    public init(
        name: String, value: String, domain: String, isHostOnly: Bool = true, path: String = "/", expiresAt: Date? = nil,
        isSecure: Bool = false, isHTTPOnly: Bool = false, sameSite: SameSite? = nil
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.expiresAt = expiresAt
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
    }

    /// Whether the cookie has expired.
    public func isExpired(at now: Date) -> Bool {
        expiresAt.map { $0 <= now } ?? false
    }

    /// The properties that identify a cookie, so that a new cookie replaces an earlier one (RFC 6265 §5.3, step 11).
    public struct Identity: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The host or the domain.
        public var domain: String
        /// Whether the cookie is sent to this host only.
        public var isHostOnly: Bool
        /// The path.
        public var path: String
    }

    /// The identity of the cookie, regardless of its value.
    public var identity: Identity { Identity(name: name, domain: domain, isHostOnly: isHostOnly, path: path) }

    /// Whether both cookies have the same identity.
    package func isSame(as other: Cookie) -> Bool {
        name == other.name && domain == other.domain && isHostOnly == other.isHostOnly && path == other.path
    }
}
