/// An absolute http or https URL, exactly as it is resolved, signed, matched with cookies and sent.
///
/// There is one parser for all of that (`engine.md` §4.1), so what is shown is what goes on the wire. It follows the WHATWG URL standard for what it
/// accepts, refuses what that standard repairs in surprising ways, and leaves every legal byte of path and query alone: an escape is never
/// rewritten, because that breaks presigned URLs.
public struct HTTPURL: Hashable, Sendable {
    /// The schemes Sortie speaks.
    public enum Scheme: String, Hashable, Sendable {
        case http, https

        /// The port when none is written (RFC 9110 §4.2).
        public var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    /// http or https.
    public var scheme: Scheme
    /// The host in lower case: a name, an IPv4 address, or an IPv6 address in brackets.
    public var host: String
    /// The port, written or implied.
    public var port: UInt16
    /// The path, percent-encoded, beginning with `/`.
    public var path: String
    /// The query without its `?`, percent-encoded; nil when there is no `?`.
    public var query: String?
    /// User name and password written before the host, decoded; never part of ``description``.
    public var credentials: Credentials?

    /// A user name and a password.
    public struct Credentials: Hashable, Sendable {
        /// The user name.
        public var user: String
        /// The password.
        public var password: String

        /// A pair of both.
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    /// A URL of parts that are already in their encoded form.
    public init(scheme: Scheme, host: String, port: UInt16? = nil, path: String = "/", query: String? = nil) {
        self.scheme = scheme
        self.host = host
        self.port = port ?? scheme.defaultPort
        self.path = path.hasPrefix("/") ? path : "/" + path
        self.query = query
    }

    /// Scheme, host and port: two URLs of one origin share credentials and connections (RFC 6454 §4).
    public var origin: String { "\(scheme.rawValue)://\(authority)" }

    /// Whether both URLs have the same ``origin``.
    public func hasSameOrigin(as other: HTTPURL) -> Bool { host == other.host && port == other.port && scheme == other.scheme }

    /// The host, with the port where it is not the scheme's own: the value of `Host`.
    public var authority: String { port == scheme.defaultPort ? host : "\(host):\(port)" }

    /// Path and query: what stands in the request line.
    public var requestTarget: String {
        guard let query else { return path }
        return "\(path)?\(query)"
    }

    /// The host without the brackets of an IPv6 address.
    public var hostForLookup: String {
        host.utf8.first == UInt8(ascii: "[") ? String(host.dropFirst().dropLast()) : host
    }

    /// This URL with `name=value` pairs, percent-encoded, after those it has.
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

    /// Whether `text` names a scheme and a host, so that it stands for itself (S0.5, S2.5): `httpfoo` and `/go?u=http://x` do not.
    public static func isAbsolute(_ text: String) -> Bool {
        let lower = text.prefix(8).lowercased()
        return lower.hasPrefix("http://") || lower.hasPrefix("https://")
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
