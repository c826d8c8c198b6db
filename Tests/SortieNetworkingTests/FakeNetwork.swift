import Synchronization

@testable import SortieNetworking

/// The network interfaces of a simulated machine.
final class FakeNetwork: Sendable {
    let reachability: Reachability
    private let reading: Reading

    private final class Reading: Sendable {
        let value = Mutex(Reachability.Reading(status: .online, addresses: ["eth0 0"]))
    }

    /// Creates a machine that is online.
    init(quiet: Duration = .milliseconds(500), patience: Duration = .seconds(5)) {
        let reading = Reading()
        self.reading = reading
        reachability = Reachability(quiet: quiet, patience: patience) { reading.value.withLock { $0 } }
    }

    /// Changes the address.
    func change() {
        reading.value.withLock { $0 = .init(status: .online, addresses: ["eth0 \($0.addresses.hashValue)"]) }
    }

    /// Takes the network down, or brings it up with the previous addresses.
    func set(_ status: Reachability.Status) {
        reading.value.withLock { $0.status = status }
    }
}
