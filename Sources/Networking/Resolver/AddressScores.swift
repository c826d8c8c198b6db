internal import Model
internal import Synchronization

/// What is known of the addresses of all hosts that have several.
///
/// It is not kept, and forgotten when the network changes: ways of another network say nothing.
final class AddressScores: Sendable {
    /// Whose addresses are compared: another port is another server.
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

    /// Of more hosts nothing is kept.
    private static let mostHosts = 1000

    private let hosts = Mutex<[Host: HostScores]>([:])
    private let now: @Sendable () -> UInt64

    init(now: @escaping @Sendable () -> UInt64 = { MonotonicClock.now }) {
        self.now = now
    }

    /// The order in which the addresses of a URL's host are tried.
    ///
    /// - Parameter mayProbe: whether the request may find out how an address is that was left.
    func order(_ addresses: [IPAddress], of url: HTTPURL, mayProbe: Bool) -> [HostScores.Candidate] {
        guard addresses.count > 1 else {
            return addresses.map { .init(address: $0, choice: AddressChoice(.only, count: 1, standing: AddressScore().standing)) }
        }
        return hosts.withLock { hosts in
            if hosts.count >= Self.mostHosts, hosts[Host(url)] == nil { hosts.removeAll() }
            return hosts[Host(url), default: HostScores()].order(addresses, mayProbe: mayProbe, at: now())
        }
    }

    /// Notes how a request to an address came out; returns the switch that it led to.
    func note(_ address: IPAddress, _ outcome: AddressScore.Outcome, of url: HTTPURL) -> HostScores.Switch? {
        hosts.withLock { $0[Host(url)]?.note(address, outcome, at: now()) }
    }

    /// What is known of a host; nil where it has one address.
    subscript(_ host: Host) -> HostScores? { hosts.withLock { $0[host] } }

    /// Forgets everything.
    func forgetAll() {
        hosts.withLock { $0.removeAll() }
    }
}
