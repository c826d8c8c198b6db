public import struct FoundationEssentials.Date

/// What a client did so far, at one moment: by service, server and address (S3.3).
public struct MonitorReport: Hashable, Sendable {
    /// The services, in the order of their names; requests of no service are together at the end.
    public var services: [ServiceReport]
    /// Switches of servers and addresses, and changes of the network, oldest first; the last few hundred.
    public var timeline: [MonitorEvent]
    /// Whether this machine has a network, as its kernel says.
    public var isOnline: Bool
    /// The rings of servers that were switched; the first server is in use in every other one.
    public var rings: [RingReport]

    /// A report.
    public init(services: [ServiceReport] = [], timeline: [MonitorEvent] = [], isOnline: Bool = true, rings: [RingReport] = []) {
        self.rings = rings
        self.services = services
        self.timeline = timeline
        self.isOnline = isOnline
    }

    /// The position of the server that is in use in a ring, from 0.
    public func serverIndex(of service: String, in environment: String?) -> Int {
        rings.first { $0.service == service && $0.environment == environment }?.index ?? 0
    }

    /// The report, for `--json`.
    public var record: JSONValue {
        [
            "online": .bool(isOnline), "services": .array(services.map(\.record)), "timeline": .array(timeline.map(\.record)),
            "rings": .array(rings.map(\.record)),
        ]
    }
}

/// One service in a ``MonitorReport``.
public struct ServiceReport: Hashable, Sendable {
    /// Its name; nil for requests of no service.
    public var name: String?
    /// What was counted.
    public var traffic: TrafficReport
    /// Attempts of the last sixty seconds, by second, the current one last; for a sparkline.
    public var recent: [Int]
    /// Its servers, in the order of their first requests.
    public var servers: [ServerReport]

    /// A report.
    public init(name: String?, traffic: TrafficReport = .init(), recent: [Int] = [], servers: [ServerReport] = []) {
        self.name = name
        self.traffic = traffic
        self.recent = recent
        self.servers = servers
    }

    fileprivate var record: JSONValue {
        [
            "name": .optional(name), "traffic": traffic.record, "recent": .array(recent.map { .integer($0) }),
            "servers": .array(servers.map(\.record)),
        ]
    }
}

/// One server of a service in a ``MonitorReport``.
public struct ServerReport: Hashable, Sendable {
    /// Scheme, host and port.
    public var origin: String
    /// What was counted.
    public var traffic: TrafficReport
    /// Its addresses, in the order of their first requests.
    public var addresses: [AddressReport]

    /// A report.
    public init(origin: String, traffic: TrafficReport = .init(), addresses: [AddressReport] = []) {
        self.origin = origin
        self.traffic = traffic
        self.addresses = addresses
    }

    fileprivate var record: JSONValue {
        ["origin": .string(origin), "traffic": traffic.record, "addresses": .array(addresses.map(\.record))]
    }
}

/// One address of a server in a ``MonitorReport``.
public struct AddressReport: Hashable, Sendable {
    /// The numeric address; nil for attempts that reached none.
    public var address: String?
    /// What was counted.
    public var traffic: TrafficReport
    /// What the choice among several addresses goes by; nil where there is only one.
    public var standing: AddressStanding?
    /// Whether the requests of this moment go to it; nil where there is only one.
    public var isInUse: Bool?
    /// Why it is in use or was left, with the numbers of that moment; nil where no rule has said anything yet.
    public var reason: String?

    /// A report.
    public init(
        address: String?, traffic: TrafficReport = .init(), standing: AddressStanding? = nil, isInUse: Bool? = nil, reason: String? = nil
    ) {
        self.address = address
        self.traffic = traffic
        self.standing = standing
        self.isInUse = isInUse
        self.reason = reason
    }

    fileprivate var record: JSONValue {
        [
            "address": .optional(address), "traffic": traffic.record, "standing": standing?.record ?? .null,
            "inUse": isInUse.map { .bool($0) } ?? .null, "reason": .optional(reason),
        ]
    }
}

/// Something that changed where requests go (S3.3).
public struct MonitorEvent: Hashable, Sendable {
    /// What changed.
    public enum Kind: String, Hashable, Sendable {
        case server, address, network
    }

    /// When.
    public var time: Date
    /// What changed.
    public var kind: Kind
    /// From where to where and why, in a sentence.
    public var text: String

    /// An event.
    public init(time: Date, kind: Kind, text: String) {
        self.time = time
        self.kind = kind
        self.text = text
    }

    fileprivate var record: JSONValue {
        ["time": .seconds(time.timeIntervalSince1970), "kind": .string(kind.rawValue), "text": .string(text)]
    }
}
