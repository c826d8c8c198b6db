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
