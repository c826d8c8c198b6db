internal import SortieHTTP
internal import Synchronization

/// The scores of the addresses of all hosts that have several.
///
/// Scores are not stored, and are cleared when the network changes, because routes of another network say nothing
/// about the new one.
final class AddressScores: Sendable {
    /// The host whose addresses are compared.
    ///
    /// Another port is another server.
    struct Host: Hashable {
        var name: String
        var port: UInt16

        init(name: String, port: UInt16) {
            self.name = name
            self.port = port
        }

        init(_ url: HTTPURL) {
            self.init(name: url.host, port: url.port)
        }
    }

    /// The largest number of hosts with scores.
    private static let mostHosts = 1000

    private let hosts = Mutex<[Host: HostScores]>([:])
    private let now: @Sendable () -> UInt64

    init(now: @escaping @Sendable () -> UInt64 = { MonotonicClock.now }) {
        self.now = now
    }

    /// The order in which the addresses of a URL's host are tried.
    ///
    /// - Parameter mayProbe: Whether the request may probe an address that is out of use.
    func order(_ addresses: [IPAddress], of url: HTTPURL, mayProbe: Bool) -> [HostScores.Candidate] {
        guard addresses.count > 1 else {
            return addresses.map { .init(address: $0, choice: AddressChoice(.only, count: 1, standing: AddressStatistics().standing)) }
        }
        return hosts.withLock { hosts in
            if hosts.count >= Self.mostHosts, hosts[Host(url)] == nil { hosts.removeAll() }
            return hosts[Host(url), default: HostScores()].order(addresses, mayProbe: mayProbe, at: now())
        }
    }

    /// Records the result of a request to an address.
    ///
    /// Returns the switch that it causes.
    func note(_ address: IPAddress, _ outcome: AddressStatistics.Outcome, of url: HTTPURL) -> HostScores.Switch? {
        hosts.withLock { $0[Host(url)]?.note(address, outcome, at: now()) }
    }

    /// The scores of a host; nil where it has one address.
    subscript(_ host: Host) -> HostScores? { hosts.withLock { $0[host] } }

    /// Removes all scores.
    func forgetAll() {
        hosts.withLock { $0.removeAll() }
    }
}
