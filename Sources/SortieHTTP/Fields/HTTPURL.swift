/// An absolute http or https URL, in the form in which it is resolved, signed, matched with cookies and sent.
///
/// All of these use this one parser (`EngineFacts.md` 4.1), so the displayed URL is the sent one. It follows the WHATWG URL standard in what it
/// accepts, rejects what that standard repairs in surprising ways, and leaves every legal byte of path and query unchanged: escapes are not
/// rewritten, because that breaks presigned URLs.
public struct HTTPURL: Hashable, Sendable {
    /// The supported schemes.
    public enum Scheme: String, Hashable, Sendable {
        case http, https

        /// The port of a URL that contains none (RFC 9110 §4.2).
        public var defaultPort: UInt16 { self == .http ? 80 : 443 }

        /// The reason to refuse a URL that does not have `//` after its scheme, with the right spelling.
        func reasonForSlashes(before rest: some Collection<UInt8>) -> String {
            let place = String(decoding: rest.drop { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }, as: UTF8.self)
            return "“//” must follow “\(rawValue):”; write \(rawValue)://\(place)"
        }
    }

    /// The scheme.
    public var scheme: Scheme
    /// The host in lowercase: a name, an IPv4 address, or an IPv6 address in brackets.
    public var host: String
    /// The port, explicit or implied.
    public var port: UInt16
    /// The path, percent-encoded, beginning with `/`.
    public var path: String
    /// The query without its `?`, percent-encoded; nil without a `?`.
    public var query: String?
    /// User name and password before the host, decoded; never part of ``description``.
    public var credentials: Credentials?

    /// A user name and a password.
    public struct Credentials: Hashable, Sendable {
        /// The user name.
        public var user: String
        /// The password.
        public var password: String

        /// Creates credentials.
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    /// Creates a URL from encoded parts.
    public init(scheme: Scheme, host: String, port: UInt16? = nil, path: String = "/", query: String? = nil) {
        self.scheme = scheme
        self.host = host
        self.port = port ?? scheme.defaultPort
        self.path = path.hasPrefix("/") ? path : "/" + path
        self.query = query
    }

    /// Scheme, host and port; URLs of the same origin share credentials and connections (RFC 6454 §4).
    public var origin: String { "\(scheme.rawValue)://\(authority)" }

    /// Whether both URLs have the same ``origin``.
    public func hasSameOrigin(as other: HTTPURL) -> Bool { host == other.host && port == other.port && scheme == other.scheme }

    /// The host, with the port where it is not the scheme's own: the value of `Host`.
    public var authority: String { port == scheme.defaultPort ? host : "\(host):\(port)" }

    /// The URL with https and the port of a table in place of http and its port; nil for an https URL, and for a port that the table does not have.
    package func movedToTLS(by ports: [UInt16: UInt16]) -> HTTPURL? {
        guard scheme == .http, let port = ports[port] else { return nil }
        var result = self
        (result.scheme, result.port) = (.https, port)
        return result
    }

    /// Path and query, as in the request line.
    package var requestTarget: String {
        guard let query else { return path }
        return "\(path)?\(query)"
    }

    /// The host without the brackets of an IPv6 address.
    package var hostForLookup: String {
        host.utf8.first == UInt8(ascii: "[") ? String(host.dropFirst().dropLast()) : host
    }

    /// The URL with `name=value` pairs, percent-encoded, after the existing query.
    public func appending(query items: [(name: String, value: String)]) -> HTTPURL {
        guard !items.isEmpty else { return self }
        let added = items.map {
            "\(PercentEncoding.encode($0.name, allowed: .unreserved))=\(PercentEncoding.encode($0.value, allowed: .unreserved))"
        }
        var result = self
        let before = query.map { $0.isEmpty || $0.hasSuffix("&") ? $0 : $0 + "&" } ?? ""
        result.query = before + added.joined(separator: "&")
        return result
    }

    /// Whether `text` begins with a scheme and `//`, unlike `httpfoo` and `/go?u=http://x`.
    package static func isAbsolute(_ text: String) -> Bool {
        let lower = text.prefix(8).lowercased()
        return lower.hasPrefix("http://") || lower.hasPrefix("https://")
    }

    /// The text with `//` after its scheme and slashes instead of backslashes before its query, as browsers and tools read such URLs.
    package static func withUsualSlashes(_ text: String) -> String {
        guard let scheme = schemeWithOtherSlashes(text) else { return text }
        let rest = text.dropFirst(scheme.rawValue.count + 1).drop { "/\\".contains($0) }
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        return "\(scheme.rawValue)://" + path.replacing("\\", with: "/") + rest[path.endIndex...]
    }

    /// The scheme of a text with other slashes after it than `//`, such as `http:/host` and `http:\\host`, which is no path either.
    package static func schemeWithOtherSlashes(_ text: String) -> Scheme? {
        let lower = text.prefix(8).lowercased()
        return [Scheme.http, .https].first { scheme in
            let start = scheme.rawValue + ":"
            return (lower.hasPrefix(start + "/") || lower.hasPrefix(start + "\\")) && !lower.hasPrefix(start + "//")
        }
    }
}

extension HTTPURL: CustomStringConvertible {
    /// The URL as text, without credentials.
    public var description: String {
        var text = scheme == .http ? "http://" : "https://"
        text.reserveCapacity(host.utf8.count + path.utf8.count + (query?.utf8.count ?? 0) + 16)
        text += host
        if port != scheme.defaultPort {
            text += ":"
            text += String(port)
        }
        text += path
        if let query {
            text += "?"
            text += query
        }
        return text
    }
}
