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
