extension Cookie {
    /// Whether it goes along with a request for `url`; whether it has ended is another question (RFC 6265 §5.4, step 1).
    public func matches(_ url: HTTPURL) -> Bool {
        guard isHostOnly ? url.host == domain : Cookie.domain(domain, covers: url.host) else { return false }
        return Cookie.path(path, covers: url.path) && (!isSecure || url.isSecureForCookies)
    }

    /// Whether `host` is `domain` or lies below it (RFC 6265 §5.1.3); an address lies below nothing.
    static func domain(_ domain: String, covers host: String) -> Bool {
        if host == domain { return true }
        guard host.hasSuffix("." + domain) else { return false }
        return !host.hasPrefix("[") && IPAddress(host) == nil
    }

    /// Whether `path` of a cookie is that of a request, or a folder above it (RFC 6265 §5.1.4).
    static func path(_ path: String, covers requested: String) -> Bool {
        guard requested.utf8.starts(with: path.utf8) else { return false }
        if requested.utf8.count == path.utf8.count || path.hasSuffix("/") { return true }
        return requested.utf8.dropFirst(path.utf8.count).first == UInt8(ascii: "/")
    }
}

extension HTTPURL {
    /// The path of a cookie that names none: the folder of the request (RFC 6265 §5.1.4).
    var defaultCookiePath: String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Whether a `Secure` cookie may be set and sent here: over TLS, and to this very machine.
    ///
    /// RFC 6265 §5.4 leaves the meaning of secure to the program. Nothing that goes to this machine can be read on the way, and a server under
    /// development speaks plain HTTP; curl and browsers decide the same.
    var isSecureForCookies: Bool {
        scheme == .https || host == "localhost" || host.hasSuffix(".localhost") || host == "127.0.0.1" || host == "[::1]"
    }
}
