import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests that requests that wait for the network are sent in order, one at a time, and once (S3.16).
@Suite(.fewAtOnce)
struct ParkingLotTests {
    /// A queue whose network the test controls, and the requests that left it, in order.
    private final class Lot: Sendable {
        let reachability: Reachability
        let queue: OfflineQueue
        let gone = Watched<[Int]>([])

        init(_ rules: ParkingRules = Lot.quick, online: Bool = false) {
            let box = StatusBox(online ? .online : .offline)
            self.box = box
            reachability = Reachability { box.value.withLock { $0 } }
            queue = OfflineQueue(rules, reachability: reachability) { 0.5 }
        }

        private let box: StatusBox
        private final class StatusBox: Sendable {
            let value: Mutex<Reachability.Reading>
            init(_ reading: Reachability.Reading) { value = Mutex(reading) }
        }

        static let quick = ParkingRules(drainPause: .milliseconds(2), firstProbe: .milliseconds(5), longestProbe: .milliseconds(20))

        func become(_ reading: Reachability.Reading) {
            box.value.withLock { $0 = reading }
            reachability.refresh()
        }

        func park(_ number: Int, lane: String = "shop", bytes: Int64 = 0) throws {
            try queue.enter(id(number), lane: lane, bytes: bytes)
            wait(number, lane: lane)
        }

        func wait(_ number: Int, lane: String = "shop", after code: NetworkError.Code = .offline) {
            queue.wait(id(number), lane: lane, after: NetworkError(code, "no")) { [gone] in gone.change { $0.append(number) } }
        }

        func answered(_ number: Int, lane: String = "shop") { queue.leave(id(number), lane: lane) }

        func id(_ number: Int) -> RequestID { RequestID(high: 0, low: UInt64(number)) }

        func waitUntilGone(_ numbers: [Int]) async throws {
            try await gone.wait("\(numbers)", within: .seconds(300), describe: { "\($0)" }) { $0 == numbers ? () : nil }
        }
    }

    @Test func `nothing is sent while the kernel reports that there is no network`() async throws {
        let lot = Lot()
        try lot.park(1)
        #expect(lot.queue.situation(of: lot.id(1), lane: "shop") == "waits until this machine has a network")
        lot.become(.online)
        try await lot.waitUntilGone([1])
    }

    @Test func `a request with a refused connection is retried, even on a machine without a network`() async throws {
        let lot = Lot()
        try lot.queue.enter(lot.id(1), lane: "shop", bytes: 0)
        lot.wait(1, after: .connectionRefused)
        try await lot.waitUntilGone([1])
    }

    @Test func `other addresses alone cause no retry, and a restored network does`() async throws {
        let lot = Lot(ParkingRules(drainPause: .milliseconds(2), firstProbe: .seconds(3600), longestProbe: .seconds(3600)), online: true)
        try lot.queue.enter(lot.id(1), lane: "shop", bytes: 0)
        lot.wait(1, after: .connectionRefused)
        for number in 0..<12 { lot.become(.init(status: .online, addresses: ["eth0 \(number)"])) }
        // The observers are called before `become` returns.
        #expect(lot.gone.current.isEmpty)
        lot.become(.offline)
        lot.become(.online)
        try await lot.waitUntilGone([1])
    }

    @Test func `requests are sent in order, the next one after the response to the previous one`() async throws {
        let lot = Lot()
        for number in 1...3 { try lot.park(number) }
        lot.become(.online)
        try await lot.waitUntilGone([1])
        lot.answered(1)
        try await lot.waitUntilGone([1, 2])
        lot.answered(2)
        try await lot.waitUntilGone([1, 2, 3])
        lot.answered(3)
        #expect(!lot.queue.isOccupied("shop"))
    }

    @Test func `services do not wait for each other`() async throws {
        let lot = Lot()
        try lot.park(1)
        try lot.park(2, lane: "files")
        lot.become(.online)
        try await lot.gone.wait("both", within: .seconds(300), describe: { "\($0)" }) { Set($0) == [1, 2] ? () : nil }
    }

    @Test func `a request that has to wait again is retried before those behind it`() async throws {
        let lot = Lot(online: true)
        try lot.park(1)
        try lot.park(2)
        try await lot.waitUntilGone([1])
        lot.wait(1)
        try await lot.waitUntilGone([1, 1])
        lot.answered(1)
        try await lot.waitUntilGone([1, 1, 2])
    }

    @Test func `a cancelled request is removed, and the next one is sent`() async throws {
        let lot = Lot()
        for number in 1...3 { try lot.park(number) }
        // The oldest one last: its end sends the next one soon, which would be 2 on a busy machine.
        lot.answered(2)
        lot.answered(1)
        lot.become(.online)
        try await lot.waitUntilGone([3])
    }

    @Test func `a full queue rejects requests with a message`() throws {
        let lot = Lot(ParkingRules(mostRequests: 1))
        try lot.park(1)
        let error = #expect(throws: NetworkError.self) { try lot.park(2) }
        #expect(error?.code == .offline)
        #expect(error?.message == "the request cannot wait for the network: 1 requests already wait for the network")
    }

    @Test func `the bodies together do not exceed the limit`() throws {
        let lot = Lot(ParkingRules(mostBytes: 1000))
        try lot.park(1, bytes: 600)
        #expect(throws: NetworkError.self) { try lot.park(2, bytes: 600) }
        try lot.park(3, bytes: 400)
    }

    @Test(arguments: [(1, 1.0, 1), (1, 0.0, 2), (2, 0.0, 4), (3, 0.0, 8), (30, 0.0, 60)])
    func `delays double up to a limit, and are reduced at random by up to half`(_ failures: Int, _ chance: Double, _ seconds: Int) {
        #expect(ParkingRules().probePause(failures: failures, chance: chance) == .seconds(seconds))
    }

    @Test func `an ended observation receives nothing more`() {
        let network = FakeNetwork()
        let heard = Mutex(0)
        let observation = network.reachability.observe { _ in heard.withLock { $0 += 1 } }
        network.change()
        network.reachability.refresh()
        network.reachability.end(observation)
        network.change()
        network.reachability.refresh()
        #expect(heard.withLock { $0 } == 1)
    }

    @Test func `the kernel has a route to this machine`() throws {
        #expect(Reachability.hasRoute(to: try #require(IPAddress("127.0.0.1"))))
    }
}
