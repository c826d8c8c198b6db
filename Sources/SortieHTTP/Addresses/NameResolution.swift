public import struct FoundationEssentials.Date

/// How the host of a request is resolved.
///
/// A request with its own addresses (``RequestOptions/addresses``) is not looked up.
///
/// The fields that are passed to the initializer, or assigned, take precedence over those of the layers below.
public struct NameResolution: Hashable, Sendable {
    /// The fields, each named like its property.
    package enum Field: UInt8, CaseIterable, Sendable {
        case server, further, hosts
    }

    /// The DNS over HTTPS server to query (RFC 8484); nil for the system's resolver.
    public var server: HTTPURL? { didSet { assigned.insert(.server) } }
    /// Addresses that supplement the resolved ones.
    ///
    /// The first connection uses a resolved one.
    public var further: [IPAddress] { didSet { assigned.insert(.further) } }
    /// Configured addresses by host, in the form of ``HTTPURL/host``.
    ///
    /// After a redirect or a switch to another server of the ring, the addresses of the new host are taken from here.
    public var hosts: [String: HostAddresses] { didSet { assigned.insert(.hosts) } }

    /// Creates a resolution that uses the system's resolver; an argument that is not nil assigns its field.
    public init(server: HTTPURL? = nil, further: [IPAddress]? = nil, hosts: [String: HostAddresses]? = nil) {
        self.server = server
        self.further = further ?? []
        self.hosts = hosts ?? [:]
        if server != nil { assigned.insert(.server) }
        if further != nil { assigned.insert(.further) }
        if hosts != nil { assigned.insert(.hosts) }
    }

    /// The assigned fields.
    private var assigned = AssignedFields<Field>()

    /// Whether a field was assigned.
    package func assigns(_ field: Field) -> Bool { assigned.contains(field) }

    /// These settings with the assigned fields of the layer above.
    package func overlaid(with upper: Self) -> Self {
        var result = upper
        if !upper.assigned.contains(.server), assigned.contains(.server) { result.server = server }
        if !upper.assigned.contains(.further), assigned.contains(.further) { result.further = further }
        if !upper.assigned.contains(.hosts), assigned.contains(.hosts) { result.hosts = hosts }
        return result
    }
}

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
