internal import SortieBase

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
        (self.name, self.value, self.domain, self.isHostOnly, self.path) = (name, value, domain, isHostOnly, path)
        (self.expiresAt, self.isSecure, self.isHTTPOnly, self.sameSite) = (expiresAt, isSecure, isHTTPOnly, sameSite)
    }

    /// The latest expiry of a cookie that is received, read from a file or typed: the end of the year 9999, the last that `Expires` can name.
    package static let lastExpiry = Date(timeIntervalSince1970: 253_402_300_799)

    /// Whether the cookie has expired.
    public func isExpired(at now: Date) -> Bool {
        expiresAt.map { $0 <= now } ?? false
    }

    /// The properties that identify a cookie, so that a new cookie replaces an earlier one (RFC 6265 §5.3, step 11).
    package struct Identity: Hashable, Sendable {
        /// The name.
        package var name: String
        /// The host or the domain.
        package var domain: String
        /// Whether the cookie is sent to this host only.
        package var isHostOnly: Bool
        /// The path.
        package var path: String
    }

    /// The identity of the cookie, regardless of its value.
    package var identity: Identity { Identity(name: name, domain: domain, isHostOnly: isHostOnly, path: path) }
}

extension Cookie {
    /// Whether the cookie is sent with a request for `url`, regardless of its expiry (RFC 6265 §5.4, step 1).
    public func matches(_ url: HTTPURL) -> Bool {
        guard isHostOnly ? url.host == domain : Cookie.domain(domain, covers: url.host) else { return false }
        return Cookie.path(path, covers: url.path) && (!isSecure || url.isSecureForCookies)
    }

    /// Whether `host` equals `domain` or is a subdomain of it (RFC 6265 §5.1.3); an IP address has no parent domain.
    package static func domain(_ domain: String, covers host: String) -> Bool {
        if host == domain { return true }
        guard host.hasSuffix("." + domain) else { return false }
        return !host.hasPrefix("[") && IPAddress(host) == nil
    }

    /// Whether the path `path` of a cookie matches that of a request (RFC 6265 §5.1.4).
    package static func path(_ path: String, covers requested: String) -> Bool {
        guard requested.utf8.starts(with: path.utf8) else { return false }
        if requested.utf8.count == path.utf8.count || path.hasSuffix("/") { return true }
        return requested.utf8.dropFirst(path.utf8.count).first == UInt8(ascii: "/")
    }
}

extension HTTPURL {
    /// The default path of a cookie: the request's path up to its last `/` (RFC 6265 §5.1.4).
    var defaultCookiePath: String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Whether a `Secure` cookie may be set and sent: over TLS, and to the local machine.
    ///
    /// RFC 6265 §5.4 leaves the meaning of secure to the program. Requests to the local machine cannot be read in transit, and a server under
    /// development uses plain HTTP; curl and browsers apply the same rule.
    var isSecureForCookies: Bool {
        scheme == .https || host == "localhost" || host.hasSuffix(".localhost") || host == "127.0.0.1" || host == "[::1]"
    }
}

/// Cookies that the user types, checked by the same rules as those of servers.
extension Cookie {
    /// Why the cookie cannot be stored; nil when it can.
    package var problem: String? {
        if name.isEmpty { return "a cookie needs a name" }
        if name.contains(where: { $0 == "=" || $0 == ";" }) || !Self.isPlain(name) { return "a name must not contain “=”, “;” or control characters" }
        if value.contains(";") || !Self.isPlain(value) { return "a value must not contain “;” or control characters" }
        if name.first?.isWhitespace == true || name.last?.isWhitespace == true { return "a name must not begin or end with a blank" }
        if domain.isEmpty || domain.contains(where: { $0 == "/" || $0.isWhitespace }) || !Self.isPlain(domain) {
            return "“\(domain)” is not a host: write one like shop.example, without scheme and port"
        }
        if !isHostOnly, !domain.contains(".") || IPAddress(domain) != nil { return "\(domain) has no subdomains" }
        if !path.hasPrefix("/") || path.contains(";") || !Self.isPlain(path) { return "a path must begin with “/”" }
        return prefixProblem(hasDomain: !isHostOnly)
    }

    private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 > 0x1f && $0 != 0x7f } }

    /// The requirement of the name's prefix that the cookie violates; nil without one (RFC 6265bis §4.1.3).
    func prefixProblem(hasDomain: Bool) -> String? {
        let name = name.lowercased()
        if name.hasPrefix("__secure-") || name.hasPrefix("__host-"), !isSecure { return "a name with this prefix requires Secure" }
        if name.hasPrefix("__host-"), hasDomain || path != "/" { return "a name that begins with __Host- requires Path=/ and no Domain" }
        return nil
    }

    /// An expiry that the user types.
    package enum TypedEnd: Hashable, Sendable {
        case session
        case moment(Date)

        /// Parses `session`, an empty text, `30m`, `12h`, `7d`, `2027-01-31`, `2027-01-31T12:00:00Z`, or a date as in `Expires`; nil for other text.
        package init?(_ text: String, at now: Date) {
            let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if text.isEmpty || text == "session" {
                self = .session
                return
            }
            let units = ["s": 1.0, "m": 60, "h": 3600, "d": 86_400]
            if let unit = text.last.flatMap({ units[String($0)] }), let count = Double(text.dropLast()), count >= 0, count < 1e7 {
                self = .moment(min(now.addingTimeInterval(count * unit), Cookie.lastExpiry))
                return
            }
            guard let date = CookieDate.parse(Self.spelledOut(text) ?? text) else { return nil }
            self = .moment(date)
        }

        /// Rewrites `2027-01-31T12:00:00Z` as `31 Jan 2027 12:00:00`.
        private static func spelledOut(_ text: String) -> String? {
            let parts = text.split(separator: "T", maxSplits: 1)
            let date = parts[0].split(separator: "-")
            guard date.count == 3, date[0].count == 4, let month = Int(date[1]), (1...12).contains(month) else { return nil }
            var time = parts.count == 2 ? String(parts[1]) : "00:00:00"
            if time.hasSuffix("Z") { time.removeLast() }
            if time.split(separator: ":").count == 2 { time += ":00" }
            return "\(date[2]) \(CalendarTime.months[month - 1]) \(date[0]) \(time)"
        }
    }
}

/// The decision about one `Set-Cookie` field.
package struct CookieDecision: Hashable, Sendable {
    /// The kind of the decision.
    package enum Outcome: Hashable, Sendable {
        /// The cookie was added to the jar.
        case stored
        /// The cookie replaced an existing one.
        case replaced
        /// The cookie has expired, and an existing one was removed.
        case deleted
        /// The cookie has expired, and none existed.
        case expired
        /// The cookie was rejected for the given reason.
        case refused(String)
    }

    /// The name of the cookie; where the field has none, its text up to the first `;`.
    package var name: String
    /// The cookie; nil where the field contains none.
    package var cookie: Cookie?
    /// The kind of the decision.
    package var outcome: Outcome

    /// Creates a decision.
    package init(name: String, cookie: Cookie?, outcome: Outcome) {
        (self.name, self.cookie, self.outcome) = (name, cookie, outcome)
    }

    /// Whether the decision changed the jar.
    package var changesJar: Bool {
        switch outcome {
        case .stored, .replaced, .deleted: true
        case .expired, .refused: false
        }
    }

    /// The decision as a phrase that contains the name of the cookie but not its value.
    package var text: String {
        switch outcome {
        case .stored: "stored \(name)"
        case .replaced: "replaced \(name)"
        case .deleted: "deleted \(name), which has expired"
        case .expired: "did not store \(name), which has already expired"
        case .refused(let reason): "refused \(name): \(reason)"
        }
    }
}
