/// How the addresses of a request's host are found (S3.8, S3.12).
///
/// Where a request brings addresses of its own (``RequestOptions/addresses``), nothing is looked up.
public struct NameResolution: Hashable, Sendable {
    /// The DNS over HTTPS server to ask (RFC 8484); nil asks the system.
    public var server: HTTPURL?
    /// Addresses that are known beside those that are found; the first connection goes to one that was found (S3.8).
    public var further: [IPAddress]
    /// The addresses that are configured for hosts, by host as in ``HTTPURL/host``.
    ///
    /// A redirect and a switch to another server of the ring take the addresses of the new host from here.
    public var hosts: [String: HostAddresses]

    /// A way to find addresses; the system's where nothing is said.
    public init(server: HTTPURL? = nil, further: [IPAddress] = [], hosts: [String: HostAddresses] = [:]) {
        self.server = server
        self.further = further
        self.hosts = hosts
    }
}
