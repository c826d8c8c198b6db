/// The addresses that are configured for one host.
public struct HostAddresses: Hashable, Sendable {
    /// Addresses that replace a lookup; empty where the host is looked up.
    public var fixed: [IPAddress]
    /// Addresses that supplement the result of a lookup.
    public var further: [IPAddress]

    /// Creates the addresses of a host.
    public init(fixed: [IPAddress] = [], further: [IPAddress] = []) {
        self.fixed = fixed
        self.further = further
    }
}
