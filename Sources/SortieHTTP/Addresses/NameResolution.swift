/// How the host of a request is resolved (S3.8, S3.12).
///
/// A request with its own addresses (``RequestOptions/addresses``) is not looked up.
public struct NameResolution: Hashable, Sendable {
    /// The DNS over HTTPS server to query (RFC 8484); nil for the system's resolver.
    public var server: HTTPURL?
    /// Addresses that supplement the resolved ones.
    ///
    /// The first connection uses a resolved one (S3.8).
    public var further: [IPAddress]
    /// Configured addresses by host, in the form of ``HTTPURL/host``.
    ///
    /// After a redirect or a switch to another server of the ring, the addresses of the new host are taken from here.
    public var hosts: [String: HostAddresses]

    /// Creates a resolution; the default uses the system's resolver.
    public init(server: HTTPURL? = nil, further: [IPAddress] = [], hosts: [String: HostAddresses] = [:]) {
        self.server = server
        self.further = further
        self.hosts = hosts
    }
}
