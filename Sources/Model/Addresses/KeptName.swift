public import struct FoundationEssentials.Date

/// The addresses of a name as they are kept over the end of the program (S3.12).
public struct KeptName: Hashable, Codable, Sendable {
    /// The name.
    public var host: String
    /// The URL of the DNS over HTTPS server that was asked; nil for the system.
    public var server: String?
    /// The addresses, in the order of the answer.
    public var addresses: [String]
    /// When they were found.
    public var found: Date
    /// For how many seconds they hold.
    public var lifetime: Double

    /// A name with its addresses.
    public init(host: String, server: String?, addresses: [String], found: Date, lifetime: Double) {
        self.host = host
        self.server = server
        self.addresses = addresses
        self.found = found
        self.lifetime = lifetime
    }
}
