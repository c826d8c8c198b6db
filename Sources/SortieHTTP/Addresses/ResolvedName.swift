public import struct FoundationEssentials.Date

/// The addresses of a name in the form that is stored across runs of the program.
public struct ResolvedName: Hashable, Sendable {
    /// The name.
    public var host: String
    /// The URL of the DNS over HTTPS server that was queried; nil for the system's resolver.
    public var server: String?
    /// The addresses in the order of the DNS response.
    public var addresses: [String]
    /// When they were found.
    public var found: Date
    /// The lifetime in seconds.
    public var lifetime: Double

    /// Creates a stored name.
    public init(host: String, server: String?, addresses: [String], found: Date, lifetime: Double) {
        self.host = host
        self.server = server
        self.addresses = addresses
        self.found = found
        self.lifetime = lifetime
    }
}
