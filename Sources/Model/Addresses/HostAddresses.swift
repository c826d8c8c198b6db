/// The addresses that are configured for one host.
public struct HostAddresses: Hashable, Sendable {
    /// Used instead of a lookup; empty where the host is looked up.
    public var fixed: [IPAddress]
    /// Used beside those that a lookup finds.
    public var further: [IPAddress]

    /// The addresses of a host.
    public init(fixed: [IPAddress] = [], further: [IPAddress] = []) {
        self.fixed = fixed
        self.further = further
    }
}
