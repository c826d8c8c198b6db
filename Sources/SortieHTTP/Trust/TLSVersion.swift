/// A version of TLS.
public enum TLSVersion: String, Hashable, Sendable, CaseIterable {
    case tls10 = "1.0"
    case tls11 = "1.1"
    case tls12 = "1.2"
    case tls13 = "1.3"

    /// The default minimum version (RFC 8996 deprecates older ones).
    public static let usual = TLSVersion.tls12

    /// Whether the version is deprecated as insecure.
    package var isOutdated: Bool { self == .tls10 || self == .tls11 }
}
