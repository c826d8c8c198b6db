/// Hosts that are reached without a proxy, in the notation of `NO_PROXY` and `except:`.
public enum ProxyException: Hashable, Sendable {
    /// `*`: all hosts.
    case all
    /// `example.com` or `.example.com`: the domain and its subdomains.
    case domain(String)
    /// `10.0.0.0/8`, or one address: the addresses with this prefix.
    case network([UInt8], bits: Int)

    /// Parses one exception; nil when it is empty, or an address with an invalid prefix length.
    public init?(_ text: String) {
        let text = text.lowercased()
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if text == "*" {
            self = .all
        } else if let first = parts.first, let address = IPAddress(first.drop { $0 == "[" }.prefix { $0 != "]" }) {
            let most = address.bytes.count * 8
            let bits = parts.count == 1 ? most : Int(parts[1]) ?? -1
            guard parts.count <= 2, (0...most).contains(bits) else { return nil }
            self = .network(address.bytes, bits: bits)
        } else {
            let domain = text.drop { $0 == "." || $0 == "*" }
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
                throw ProxyProblem("“\(part)” is neither a host, nor an address, nor a network such as 10.0.0.0/8")
            }
            result.append(exception)
        }
        return result
    }

    /// Whether `host`, a name or a numeric address, matches.
    public func matches(_ host: String) -> Bool {
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
        }
    }
}
