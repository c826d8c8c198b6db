/// A proxy server and the hosts that are reached without it.
public struct Proxy: Hashable, Sendable {
    /// The protocol between client and proxy.
    public enum Scheme: String, Hashable, Sendable, CaseIterable {
        /// Plain HTTP: the absolute URL for `http`, a tunnel (`CONNECT`) for `https` (RFC 9110 §9.3.6).
        case http
        /// The same over TLS.
        case https
        /// SOCKS 5 (RFC 1928); this machine resolves the host name.
        case socks5
        /// SOCKS 5; the proxy resolves the host name.
        case socks5h

        /// The port where the URL has none.
        public var defaultPort: UInt16 {
            switch self {
            case .http: 80
            case .https: 443
            case .socks5, .socks5h: 1080
            }
        }
    }

    /// The protocol.
    public var scheme: Scheme
    /// The host: a name, an IPv4 address, or an IPv6 address in brackets.
    public var host: String
    /// The port.
    public var port: UInt16
    /// The credentials; sent as Basic authentication over HTTP (RFC 7617).
    public var credentials: HTTPURL.Credentials?
    /// The hosts that are reached without it.
    public var exceptions: [ProxyException]
    /// A file of PEM certificates that replaces the system's authorities for the TLS connection to the proxy.
    public var certificateAuthorityFile: String?

    /// Parses `SCHEME://[USER:PASSWORD@]HOST[:PORT]`; the default scheme is `http`.
    ///
    /// - Throws: A ``ProxyProblem`` that describes the mistake without the password.
    public init(_ text: String, except exceptions: [ProxyException] = [], certificateAuthorityFile: String? = nil) throws(ProxyProblem) {
        let schemeEnd = text.firstRange(of: "://")
        let word = schemeEnd.map { text[..<$0.lowerBound].lowercased() } ?? "http"
        guard let scheme = Scheme(rawValue: word) else {
            throw ProxyProblem("“\(word)” is not a kind of proxy; write one of \(Scheme.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let rest = schemeEnd.map { String(text[$0.upperBound...]) } ?? text
        let url: HTTPURL
        do { url = try HTTPURL(parsing: "http://" + rest) } catch { throw ProxyProblem("the proxy is not a URL: \(error.reason)") }
        guard url.path == "/", url.query == nil else { throw ProxyProblem("a proxy must have a host and a port, and no path: \(url.host)") }
        // The parser sets port 80 where none is written, and an IPv6 address contains colons.
        let authority = rest[(rest.lastIndex(of: "@").map { rest.index(after: $0) } ?? rest.startIndex)...]
        let hasPort = authority[(authority.lastIndex(of: "]") ?? authority.startIndex)...].contains(":")
        self.scheme = scheme
        host = url.host
        port = hasPort ? url.port : scheme.defaultPort
        credentials = url.credentials
        self.exceptions = exceptions
        self.certificateAuthorityFile = certificateAuthorityFile
    }

    /// Whether the host is reached through the proxy.
    public func isFor(_ url: HTTPURL) -> Bool { !exceptions.contains { $0.matches(url.hostForLookup, port: url.port) } }

    /// Whether the proxy, and not this machine, resolves the host name.
    public var resolvesNames: Bool { scheme != .socks5 }

    /// The host without the brackets of an IPv6 address.
    package var hostForLookup: String { host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host }
}

extension Proxy: CustomStringConvertible {
    /// The URL without credentials.
    public var description: String { "\(scheme.rawValue)://\(host):\(port)" }
}

/// The problem of a proxy or an exception.
public struct ProxyProblem: Error, Hashable, Sendable {
    /// A message for the user.
    public let message: String

    package init(_ message: String) {
        self.message = message
    }
}
