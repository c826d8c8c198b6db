/// A version of TLS.
public enum TLSVersion: String, Hashable, Sendable, CaseIterable {
    case tls10 = "1.0"
    case tls11 = "1.1"
    case tls12 = "1.2"
    case tls13 = "1.3"

    /// What is asked for where nobody says otherwise (RFC 8996 forbids the older ones).
    public static let usual = TLSVersion.tls12

    /// Whether it is one that today's cryptography considers broken.
    public var isOutdated: Bool { self == .tls10 || self == .tls11 }
}
