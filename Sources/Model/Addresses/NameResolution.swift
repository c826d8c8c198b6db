/// How the addresses of a request's host are found (S3.8, S3.12).
///
/// Where a request brings addresses of its own (``RequestOptions/addresses``), nothing is looked up.
public struct NameResolution: Hashable, Sendable {
    /// The DNS over HTTPS server to ask (RFC 8484); nil asks the system.
    public var server: HTTPURL?
    /// Addresses that are known beside those that are found; the first connection goes to one that was found (S3.8).
    public var further: [IPAddress]

    /// A way to find addresses; the system's where nothing is said.
    public init(server: HTTPURL? = nil, further: [IPAddress] = []) {
        self.server = server
        self.further = further
    }
}
