public import struct FoundationEssentials.Date

/// One cookie as a jar keeps it (RFC 6265 §5.3).
public struct Cookie: Hashable, Codable, Sendable {
    /// What a site said about requests that other sites start (RFC 6265bis §5.6.7).
    ///
    /// It is kept and shown and decides nothing here: every request is one that the person made, so none comes from another site.
    public enum SameSite: String, Hashable, Codable, Sendable, CaseIterable {
        case strict = "Strict"
        case lax = "Lax"
        case none = "None"
    }

    /// The name; unlike header names it is compared with case.
    public var name: String
    /// The value, quotes included where it has some.
    public var value: String
    /// The host, or the domain without a leading dot, in lower case.
    public var domain: String
    /// Whether only that very host gets it, and no host below it.
    public var isHostOnly: Bool
    /// The path, beginning with `/`.
    public var path: String
    /// When it ends; nil with the session.
    public var expiresAt: Date?
    /// Whether it travels only where nobody can read it.
    public var isSecure: Bool
    /// Whether scripts of a page may not see it; kept for who looks.
    public var isHTTPOnly: Bool
    /// What its site said about other sites.
    public var sameSite: SameSite?

    /// A cookie.
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

    /// Whether it has ended.
    public func isExpired(at now: Date) -> Bool {
        expiresAt.map { $0 <= now } ?? false
    }

    /// What makes a cookie the same as another, so that one takes the place of the other (RFC 6265 §5.3, step 11).
    public struct Identity: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The host or the domain.
        public var domain: String
        /// Whether only that host gets it.
        public var isHostOnly: Bool
        /// The path.
        public var path: String
    }

    /// Which cookie it is, whatever it says.
    public var identity: Identity { Identity(name: name, domain: domain, isHostOnly: isHostOnly, path: path) }

    /// Whether both are the same cookie.
    func isSame(as other: Cookie) -> Bool {
        name == other.name && domain == other.domain && isHostOnly == other.isHostOnly && path == other.path
    }
}
