import Synchronization

@testable import SortieNetworking

/// The interfaces of a machine as a test has them.
final class FakeNetwork: Sendable {
    let reachability: Reachability
    private let reading: Reading

    private final class Reading: Sendable {
        let value = Mutex(Reachability.Reading(status: .online, addresses: ["eth0 0"]))
    }

    /// A machine that is online.
    init(quiet: Duration = .milliseconds(500), patience: Duration = .seconds(5)) {
        let reading = Reading()
        self.reading = reading
        reachability = Reachability(quiet: quiet, patience: patience) { reading.value.withLock { $0 } }
    }

    /// Gives it another address.
    func change() {
        reading.value.withLock { $0 = .init(status: .online, addresses: ["eth0 \($0.addresses.hashValue)"]) }
    }

    /// Takes its network away, or gives it back with the addresses it had.
    func set(_ status: Reachability.Status) {
        reading.value.withLock { $0.status = status }
    }
}
