import Support
import Synchronization

@testable import SortieNetworking

/// A simulated system resolver that answers on command, with a controllable clock and network.
final class FakeSystem: Sendable {
    typealias Answer = @Sendable (NameLookup.Answer) -> Void
    let questions = Watched<[(host: String, answer: Answer)]>([])
    let network = FakeNetwork()
    var reachability: Reachability { network.reachability }
    private let moment = Mutex<UInt64>(1_000_000_000_000)

    /// A resolver that uses only this system.
    var resolver: Resolver { resolver() }

    func resolver(askingServers: Resolver.ServerLookup? = nil, keeper: (any AddressArchive)? = nil) -> Resolver {
        Resolver(
            asking: { [questions] host, answer in questions.change { $0.append((host, answer)) } }, askingServers: askingServers, keeper: keeper,
            reachability: { [reachability] in reachability }, now: { self.moment.withLock { $0 } })
    }

    /// Changes the machine's addresses and reports the change.
    func changeNetwork() {
        network.change()
        reachability.refresh()
    }

    func advance(seconds: UInt64) {
        moment.withLock { $0 += seconds * 1_000_000_000 }
    }

    func waitForQuestions(_ count: Int) async throws {
        try await questions.wait("\(count) questions", within: .seconds(300), describe: { "\($0.count)" }) {
            $0.count >= count ? () : nil
        }
    }

    func answer(_ index: Int, _ texts: String...) {
        questions.current[index].answer(.addresses(texts.compactMap { IPAddress($0) }))
    }
}
