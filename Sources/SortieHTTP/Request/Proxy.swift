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
        package var defaultPort: UInt16 {
            switch self {
            case .http: 80
            case .https: 443
            case .socks5, .socks5h: 1080
            }
        }
    }

    /// How the client authenticates at an HTTP proxy (RFC 9110 §11.7).
    public enum Authentication: String, Hashable, Sendable, CaseIterable {
        /// Basic, with the first request (RFC 7617).
        case basic
        /// Digest, after the challenge of the proxy (RFC 7616).
        case digest
        /// NTLM, which authenticates a connection.
        case ntlm
        /// A Kerberos ticket of the user, without credentials in the URL (RFC 4559).
        case negotiate
        /// The strongest of Digest, NTLM and Basic that the proxy offers.
        case any
    }

    /// The protocol.
    public var scheme: Scheme
    /// The host: a name, an IPv4 address, or an IPv6 address in brackets.
    public var host: String
    /// The port.
    public var port: UInt16
    /// The credentials.
    public var credentials: HTTPURL.Credentials?
    /// How the credentials are sent to an HTTP proxy.
    public var authentication = Authentication.basic
    /// The hosts that are reached without it.
    public var exceptions: [ProxyException]
    /// A file of PEM certificates that replaces the system's authorities for the TLS connection to the proxy.
    public var certificateAuthorityFile: String?
    /// The setting that names the proxy, such as a variable of the environment, for messages; nil where it is not known.
    package var source: String?

    /// Parses `SCHEME://[USER:PASSWORD@]HOST[:PORT]`; the default scheme is `http`, and `socks` is `socks5h`.
    ///
    /// - Throws: A ``ProxyProblem`` that describes the mistake without the password.
    public init(_ text: String, except exceptions: [ProxyException] = [], certificateAuthorityFile: String? = nil) throws(ProxyProblem) {
        let schemeEnd = text.firstRange(of: "://")
        let word = schemeEnd.map { text[..<$0.lowerBound].lowercased() } ?? "http"
        // Desktops and proxy programs write `socks`, whose version the name leaves open, into `ALL_PROXY`.
        guard let scheme = word == "socks" ? .socks5h : Scheme(rawValue: word) else {
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
        (self.exceptions, self.certificateAuthorityFile) = (exceptions, certificateAuthorityFile)
    }

    /// Whether the host is reached through the proxy.
    package func isFor(_ url: HTTPURL) -> Bool { !exceptions.contain(url) }

    /// Whether the proxy, and not this machine, resolves the host name.
    package var resolvesNames: Bool { scheme != .socks5 }

    /// Whether it is a proxy of HTTP, and not of SOCKS.
    package var isHTTP: Bool { scheme == .http || scheme == .https }

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

/// Hosts that are reached without a proxy, in the notation of `NO_PROXY` and `except:`.
public indirect enum ProxyException: Hashable, Sendable {
    /// `*`: all hosts.
    case all
    /// `example.com` or `.example.com`: the domain and its subdomains.
    case domain(String)
    /// `10.0.0.0/8`, or one address: the addresses with this prefix.
    case network([UInt8], bits: Int)
    /// `example.com:8080`: one port of the hosts of another exception.
    case port(UInt16, of: ProxyException)

    /// Parses one exception; nil when it is empty, an address with an invalid prefix length, or has an invalid port.
    public init?(_ text: String) {
        let text = text.lowercased()
        // An IPv6 address with a port is in brackets.
        if let colon = text.lastIndex(of: ":"), text[..<colon].hasSuffix("]") || !text[..<colon].contains(":") {
            guard let port = UInt16(text[text.index(after: colon)...]), let hosts = ProxyException(String(text[..<colon])) else { return nil }
            self = .port(port, of: hosts)
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if text == "*" {
            self = .all
        } else if let first = parts.first, let address = IPAddress(first.drop { $0 == "[" }.prefix { $0 != "]" }) {
            let most = address.bytes.count * 8
            let bits = parts.count == 1 ? most : Int(parts[1]) ?? -1
            guard parts.count <= 2, (0...most).contains(bits) else { return nil }
            self = .network(address.bytes, bits: bits)
        } else {
            var domain = text.drop { $0 == "." || $0 == "*" }
            if domain.hasSuffix(".") { domain.removeLast() }
            guard parts.count == 1, !domain.isEmpty else { return nil }
            self = .domain(String(domain))
        }
    }

    /// Parses a list separated by commas or blanks.
    ///
    /// - Throws: A ``ProxyProblem`` that names the invalid part.
    public static func list(_ text: String) throws(ProxyProblem) -> [ProxyException] {
        var result: [ProxyException] = []
        for part in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            guard let exception = ProxyException(String(part)) else {
                throw ProxyProblem("“\(part)” is neither a host, nor an address, nor a network such as 10.0.0.0/8, with or without :PORT")
            }
            result.append(exception)
        }
        return result
    }

    /// Whether `host`, a name or a numeric address, and the port match.
    public func matches(_ host: String, port: UInt16) -> Bool {
        switch self {
        case .all: return true
        case .domain(let domain):
            let host = host.lowercased()
            let bare = host.hasSuffix(".") ? String(host.dropLast()) : host
            return bare == domain || bare.hasSuffix("." + domain)
        case .network(let bytes, let bits):
            guard let other = IPAddress(host)?.bytes, other.count == bytes.count else { return false }
            return (0..<bits).allSatisfy { bit in
                let mask: UInt8 = 0x80 >> UInt8(bit % 8)
                return (bytes[bit / 8] ^ other[bit / 8]) & mask == 0
            }
        case .port(let own, let hosts): return own == port && hosts.matches(host, port: port)
        }
    }
}

extension [ProxyException] {
    /// Whether one of the exceptions is for the host and the port of a URL.
    package func contain(_ url: HTTPURL) -> Bool { contains { $0.matches(url.hostForLookup, port: url.port) } }
}
