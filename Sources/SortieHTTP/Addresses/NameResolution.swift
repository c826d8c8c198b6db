package import struct FoundationEssentials.Date

/// How the host of a request is resolved.
///
/// A request with its own addresses (``RequestOptions/addresses``) is not looked up.
///
/// The fields that are passed to the initializer, or assigned, take precedence over those of the layers below.
public struct NameResolution: Hashable, Sendable {
    /// The DNS over HTTPS server to query (RFC 8484); nil for the system's resolver.
    @Layered public var server: HTTPURL?
    /// Addresses that supplement the resolved ones.
    ///
    /// The first connection uses a resolved one.
    @Layered public var further: [IPAddress] = []
    /// Configured addresses by host, in the form of ``HTTPURL/host``, or by `HOST:PORT` for one port.
    ///
    /// After a redirect or a switch to another server of the ring, the addresses of the new host are taken from here.
    @Layered public var hosts: [String: HostAddresses] = [:]

    /// Creates a resolution that uses the system's resolver; an argument that is not nil assigns its field.
    public init(server: HTTPURL? = nil, further: [IPAddress]? = nil, hosts: [String: HostAddresses]? = nil) {
        if let server { self.server = server }
        if let further { self.further = further }
        if let hosts { self.hosts = hosts }
    }

    /// The key of a host's addresses in ``hosts``, for all ports or for one.
    package static func key(of host: String, port: UInt16? = nil) -> String { port.map { "\(host):\($0)" } ?? host }

    /// The configured addresses for the host of a URL; those for its port have precedence.
    package func configured(for url: HTTPURL) -> HostAddresses? { hosts[Self.key(of: url.host, port: url.port)] ?? hosts[url.host] }

    /// Whether a host has addresses for single ports.
    func hasPorts(of host: String) -> Bool { hosts.keys.contains { $0.hasPrefix("\(host):") } }

    /// Takes the settings of the layer below that this one does not have.
    package mutating func inherit(from lower: NameResolution, _ merge: inout LayerMerge) {
        _server.inherit(lower._server, &merge)
        _further.inherit(lower._further, &merge)
        _hosts.inherit(lower._hosts, &merge)
    }
}

/// The addresses of a name in the form that is stored across runs of the program.
package struct ResolvedName: Codable, Hashable, Sendable {
    /// The name.
    package var host: String
    /// The URL of the DNS over HTTPS server that was queried; nil for the system's resolver.
    package var server: String?
    /// The addresses in the order of the DNS response.
    package var addresses: [String]
    /// When they were found.
    package var found: Date
    /// The lifetime in seconds.
    package var lifetime: Double

    /// Creates a stored name.
    package init(host: String, server: String?, addresses: [String], found: Date, lifetime: Double) {
        (self.host, self.server) = (host, server)
        (self.addresses, self.found, self.lifetime) = (addresses, found, lifetime)
    }
}
