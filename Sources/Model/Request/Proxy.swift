/// A server through which others are reached, and which hosts are reached without it.
public struct Proxy: Hashable, Sendable {
    /// How the proxy is spoken to.
    public enum Scheme: String, Hashable, Sendable, CaseIterable {
        /// Plain HTTP: the absolute URL for `http`, a tunnel (`CONNECT`) for `https` (RFC 9110 §9.3.6).
        case http
        /// The same over TLS.
        case https
        /// SOCKS 5 (RFC 1928); the host's address is found here.
        case socks5
        /// SOCKS 5; the proxy finds the host's address.
        case socks5h

        /// The port where none is given.
        public var defaultPort: UInt16 {
            switch self {
            case .http: 80
            case .https: 443
            case .socks5, .socks5h: 1080
            }
        }
    }

    /// How it is spoken to.
    public var scheme: Scheme
    /// Its host: a name, an IPv4 address, or an IPv6 address in brackets.
    public var host: String
    /// Its port.
    public var port: UInt16
    /// Who asks; over HTTP sent as Basic (RFC 7617).
    public var credentials: HTTPURL.Credentials?
    /// The hosts that are reached without it.
    public var exceptions: [ProxyException]
    /// A file with PEM certificates that stand instead of the system's, for the TLS with the proxy itself.
    public var certificateAuthorityFile: String?

    /// Reads `SCHEME://[USER:PASSWORD@]HOST[:PORT]`; without a scheme it is `http`.
    ///
    /// - Throws: a sentence that says what is wrong with it, without its password.
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
        // The parser puts 80 where no port is written; an IPv6 address has colons of its own.
        let authority = rest[(rest.lastIndex(of: "@").map { rest.index(after: $0) } ?? rest.startIndex)...]
        let hasPort = authority[(authority.lastIndex(of: "]") ?? authority.startIndex)...].contains(":")
        self.scheme = scheme
        host = url.host
        port = hasPort ? url.port : scheme.defaultPort
        credentials = url.credentials
        self.exceptions = exceptions
        self.certificateAuthorityFile = certificateAuthorityFile
    }

    /// Whether the host is reached through it.
    public func isFor(_ url: HTTPURL) -> Bool { !exceptions.contains { $0.matches(url.hostForLookup) } }

    /// Whether the proxy, and not this machine, finds the host's address.
    public var resolvesNames: Bool { scheme != .socks5 }

    /// The host without the brackets of an IPv6 address.
    public var hostForLookup: String { host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host }
}

extension Proxy: CustomStringConvertible {
    /// The URL without credentials.
    public var description: String { "\(scheme.rawValue)://\(host):\(port)" }
}

/// What is wrong with a proxy or an exception from it.
public struct ProxyProblem: Error, Hashable, Sendable {
    /// A sentence for the person.
    public let message: String

    init(_ message: String) {
        self.message = message
    }
}
