internal import SortieBase

package import struct FoundationEssentials.Date

/// The counts of a client by service, server and address at one moment.
public struct MonitorReport: Hashable, Sendable {
    /// The services in the order of their names.
    ///
    /// Requests without a service are counted together at the end.
    public var services: [ServiceReport]
    /// Switches of servers and addresses and changes of the network, oldest first; at most the last 500.
    package var timeline: [MonitorEvent]
    /// Whether this machine has a network, according to its kernel.
    public var isOnline: Bool
    /// The kinds of the interfaces that are up.
    public var networks: Set<NetworkKind>
    /// The rings whose server was switched.
    ///
    /// All other rings use their first server.
    package var rings: [RingReport]

    /// Creates a report.
    package init(
        services: [ServiceReport] = [], timeline: [MonitorEvent] = [], isOnline: Bool = true, networks: Set<NetworkKind> = [],
        rings: [RingReport] = []
    ) {
        (self.networks, self.rings, self.services, self.timeline, self.isOnline) = (networks, rings, services, timeline, isOnline)
    }

    /// The index of the server in use in a ring, from 0.
    package func serverIndex(of service: String, in environment: String?) -> Int {
        rings.first { $0.service == service && $0.environment == environment }?.index ?? 0
    }

    /// The report in JSON, for `--json`.
    package var record: JSONValue {
        [
            "online": .bool(isOnline), "networks": .array(networks.map(\.rawValue).sorted().map { .string($0) }),
            "services": .array(services.map(\.record)), "timeline": .array(timeline.map(\.record)),
            "rings": .array(rings.map(\.record)),
        ]
    }
}

/// One service in a ``MonitorReport``.
public struct ServiceReport: Hashable, Sendable {
    /// The service's name; nil for requests without a service.
    public var name: String?
    /// The counts.
    public var traffic: TrafficReport
    /// The attempts in each of the last sixty seconds, the current second last; for a sparkline.
    public var recent: [Int]
    /// The servers in the order of their first requests.
    public var servers: [ServerReport]

    /// Creates a report.
    package init(name: String?, traffic: TrafficReport = .init(), recent: [Int] = [], servers: [ServerReport] = []) {
        (self.name, self.traffic, self.recent, self.servers) = (name, traffic, recent, servers)
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
    /// The counts.
    public var traffic: TrafficReport
    /// The addresses in the order of their first requests.
    package var addresses: [AddressReport]

    /// Creates a report.
    package init(origin: String, traffic: TrafficReport = .init(), addresses: [AddressReport] = []) {
        (self.origin, self.traffic, self.addresses) = (origin, traffic, addresses)
    }

    fileprivate var record: JSONValue {
        ["origin": .string(origin), "traffic": traffic.record, "addresses": .array(addresses.map(\.record))]
    }
}

/// One address of a server in a ``MonitorReport``.
package struct AddressReport: Hashable, Sendable {
    /// The numeric address; nil for attempts that reached none.
    package var address: String?
    /// The counts.
    package var traffic: TrafficReport
    /// The score by which one of several addresses is chosen; nil where there is only one.
    package var standing: AddressScore?
    /// Whether requests currently use the address; nil where there is only one.
    package var isInUse: Bool?
    /// Why the address came into use or went out of use, with the scores at that time; nil where no switch concerned
    /// it.
    package var reason: String?

    /// Creates a report.
    package init(
        address: String?, traffic: TrafficReport = .init(), standing: AddressScore? = nil, isInUse: Bool? = nil, reason: String? = nil
    ) {
        (self.address, self.traffic, self.standing, self.isInUse, self.reason) = (address, traffic, standing, isInUse, reason)
    }

    fileprivate var record: JSONValue {
        [
            "address": .optional(address), "traffic": traffic.record, "standing": standing?.record ?? .null,
            "inUse": isInUse.map { .bool($0) } ?? .null, "reason": .optional(reason),
        ]
    }
}

/// A change of the route of requests.
package struct MonitorEvent: Hashable, Sendable {
    /// The kind of change.
    package enum Kind: String, Hashable, Sendable {
        case server, address, network
    }

    /// The time of the event.
    package var time: Date
    /// The kind of change.
    package var kind: Kind
    /// The old and new route and the reason, as a sentence.
    package var text: String

    /// Creates an event.
    package init(time: Date, kind: Kind, text: String) {
        (self.time, self.kind, self.text) = (time, kind, text)
    }

    fileprivate var record: JSONValue {
        ["time": .seconds(time.timeIntervalSince1970), "kind": .string(kind.rawValue), "text": .string(text)]
    }
}

/// The kind of a network interface.
public enum NetworkKind: String, Hashable, Sendable, CaseIterable {
    /// Ethernet and other cables.
    case wired
    /// Wi-Fi.
    case wireless
    /// A mobile network.
    case cellular
    /// A tunnel, a bridge, or another interface without its own device.
    case other
}

/// The server in use in a service's ring.
package struct RingReport: Hashable, Sendable {
    /// The service's name.
    package var service: String
    /// The environment that defines the servers.
    package var environment: String?
    /// The index of the server in the ring, from 0.
    package var index: Int

    /// Creates a report.
    package init(service: String, environment: String?, index: Int) {
        (self.service, self.environment, self.index) = (service, environment, index)
    }

    package var record: JSONValue {
        ["service": .string(service), "environment": .optional(environment), "server": .integer(index + 1)]
    }
}

/// The counts of attempts.
///
/// Every attempt counts, including retries and redirects. A complete response is not an error, whatever its status.
public struct TrafficReport: Hashable, Sendable {
    /// The number of ended attempts.
    public var requests = 0
    /// The number of attempts that failed in transport.
    ///
    /// Cancelled ones are not included.
    public var errors = 0
    /// The median time to the first byte of a response, in seconds.
    public var p50 = 0.0
    /// The 95th percentile, in seconds.
    public var p95 = 0.0
    /// The 99th percentile, in seconds.
    public var p99 = 0.0
    /// The number of body bytes sent.
    public var bytesSent: Int64 = 0
    /// The number of body bytes received on the wire.
    public var bytesReceived: Int64 = 0
    /// The number of connections opened.
    public var connectionsOpened = 0
    /// The number of attempts that reused a connection.
    public var connectionsReused = 0

    /// Creates a report with all counts at zero.
    package init() {}

    /// The share of attempts without an error, from 0 to 1; nil without attempts.
    public var successRate: Double? { requests > 0 ? Double(requests - errors) / Double(requests) : nil }

    /// The counts in JSON, for `--json`.
    package var record: JSONValue {
        [
            "requests": .integer(requests), "errors": .integer(errors),
            "successRate": successRate.map { .number(FixedPoint.text($0, digits: 4)) } ?? .null,
            "latency": ["p50": .seconds(p50), "p95": .seconds(p95), "p99": .seconds(p99)],
            "bytesSent": .integer(bytesSent), "bytesReceived": .integer(bytesReceived),
            "connectionsOpened": .integer(connectionsOpened), "connectionsReused": .integer(connectionsReused),
        ]
    }
}
