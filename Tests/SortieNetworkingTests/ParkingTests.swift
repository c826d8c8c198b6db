import Foundation
import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests that requests to an unreachable server wait and are sent later, in order and once (S3.16, X7).
@Suite(.fewAtOnce)
struct ParkingTests {
    /// A client whose requests may wait, with a network that is up.
    private struct Waiting {
        let caller: Caller
        let keeper = Keeper()

        init(
            _ rules: ParkingRules = ParkingRules(drainPause: .milliseconds(2), firstProbe: .milliseconds(10), longestProbe: .milliseconds(20)),
            _ reading: Reachability.Reading = .online
        ) throws {
            let queue = OfflineQueue(rules, keeper: keeper, reachability: Reachability { reading }) { 0.5 }
            caller = try Caller(parking: queue)
        }

        func begin(_ url: String, parked: ParkingNotice? = nil) throws -> RunningCall {
            var request = try Request.to(url, .post)
            request.options.retry = RetryPolicy(parksWhenOffline: true)
            return RunningCall(client: caller.client, request: request, parked: parked)
        }
    }

    /// The stored steps of each call.
    private final class Keeper: ParkedRequestArchive {
        let steps = Watched<[RequestID: [String]]>([:])
        func keep(_ id: RequestID, _ notice: ParkingNotice) throws { note(id, "keep") }
        func willSend(_ id: RequestID) throws { note(id, "send") }
        func forget(_ id: RequestID) throws { note(id, "forget") }
        private func note(_ id: RequestID, _ step: String) {
            // Each attempt has two steps; the number of attempts depends on the machine.
            steps.change { if $0[id]?.suffix(2) != [step] { $0[id, default: []].append(step) } }
        }
    }

    private static func isParked(_ event: CallEvent) -> Bool {
        if case .parked(let notice) = event { !notice.isOut } else { false }
    }

    @Test func `a request to an unreachable server waits, and is sent when the server is reachable`() async throws {
        let dead = try DeadPort(.refusing)
        let waiting = try Waiting()
        let call = try waiting.begin("http://127.0.0.1:\(dead.port)/event")
        try await call.wait(for: "the request to wait", Self.isParked)
        #expect(waiting.keeper.steps.current[call.id]?.first == "keep")
        let server = try dead.open(.answering(.ok("taken")))
        #expect(try await call.end().end?.text == "taken")
        #expect(server.requests.count == 1)
        #expect(waiting.keeper.steps.current[call.id]?.last == "forget")
    }

    @Test func `S4.8 a machine without a network still sends to a server that it reaches`() async throws {
        let server = try ScriptedServer(answering: .ok("taken"))
        let waiting = try Waiting(ParkingRules(firstProbe: .seconds(600), longestProbe: .seconds(600)), .offline)
        #expect(try await waiting.begin("\(server.url)/").end().end?.text == "taken")
        #expect(waiting.keeper.steps.current.isEmpty, "it did not wait")
    }

    @Test func `S4.8 a request without a route ends at once as offline, and the next one is tried`() async throws {
        let server = try ScriptedServer(answering: .ok("taken"))
        let caller = try Caller()
        // No machine has a route to a multicast address for TCP.
        let error = try #require(try await caller.get("http://224.0.0.1:9/").error)
        #expect(error.code == .offline)
        #expect(error.message.hasPrefix("this machine has no route to 224.0.0.1:9"))
        #expect(try await caller.get(server.url).text == "taken")
    }

    @Test func `requests that wait for one server arrive in order, each once`() async throws {
        let dead = try DeadPort(.refusing)
        let waiting = try Waiting()
        var calls: [RunningCall] = []
        for number in 1...20 {
            let call = try waiting.begin("http://127.0.0.1:\(dead.port)/\(number)")
            try await call.wait(for: "request \(number) to wait", Self.isParked)
            calls.append(call)
        }
        let server = try dead.open(.answering(.ok("taken")))
        for call in calls { #expect(try await call.end().end?.text == "taken") }
        #expect(server.requests.map(\.target) == (1...20).map { "/\($0)" })
    }

    @Test func `a waiting request is cancelled immediately and never sent`() async throws {
        let dead = try DeadPort(.refusing)
        let waiting = try Waiting()
        let first = try waiting.begin("http://127.0.0.1:\(dead.port)/first")
        try await first.wait(for: "the request to wait", Self.isParked)
        let second = try waiting.begin("http://127.0.0.1:\(dead.port)/second")
        try await second.wait(for: "the request to wait", Self.isParked)
        await first.cancel()
        #expect(try await first.end().end?.error?.code == .cancelled)
        #expect(waiting.keeper.steps.current[first.id]?.last == "forget")
        let server = try dead.open(.answering(.ok("taken")))
        #expect(try await second.end().end?.text == "taken")
        #expect(server.requests.map(\.target) == ["/second"])
    }

    @Test func `a request that waits too long ends with the reason`() async throws {
        let dead = try DeadPort(.refusing)
        let waiting = try Waiting(ParkingRules(lifetime: .milliseconds(50), firstProbe: .seconds(60)))
        let error = try await waiting.begin("\(dead.url)/").end().end?.error
        #expect(error?.code == .offline)
        #expect(error?.message.hasPrefix("the server could not be reached for 50 ms") == true)
    }

    @Test func `an error response is a response, and the request is not sent again`() async throws {
        let server = try ScriptedServer(answering: HTTPAnswer(status: 503))
        let waiting = try Waiting()
        #expect(try await waiting.begin("\(server.url)/").end().end?.response?.status == 503)
        #expect(server.requests.count == 1)
        #expect(waiting.keeper.steps.current.isEmpty)
    }

    @Test func `a connection that breaks after the request was sent is a failure, because it may have arrived`() async throws {
        let server = try ScriptedServer(Script([.readRequest, .closeGracefully]))
        let waiting = try Waiting()
        #expect(try await waiting.begin("\(server.url)/").end().end?.error != nil)
        #expect(server.requests.count == 1)
        #expect(waiting.keeper.steps.current.isEmpty)
    }

    @Test func `a request without the option does not wait`() async throws {
        let dead = try DeadPort(.refusing)
        let waiting = try Waiting()
        #expect(try await waiting.caller.get("\(dead.url)/").error?.code == .connectionRefused)
    }

    @Test func `requests that waited in an earlier program are sent in the given order`() async throws {
        let server = try ScriptedServer(answering: .ok("taken"))
        let waiting = try Waiting()
        let notice = ParkingNotice(reason: "refused", since: Date(), expires: Date() + 60)
        let calls = try (1...10).map { try waiting.begin("\(server.url)/\($0)", parked: notice) }
        for call in calls { #expect(try await call.end().end?.text == "taken") }
        #expect(server.requests.map(\.target) == (1...10).map { "/\($0)" })
    }

    @Test func `at the end of the program the request keeps waiting in the store`() async throws {
        let dead = try DeadPort(.refusing)
        let waiting = try Waiting()
        let call = try waiting.begin("\(dead.url)/")
        try await call.wait(for: "the request to wait", Self.isParked)
        await waiting.caller.client.shutDown()
        #expect(try await call.end().end?.error?.code == .shutDown)
        #expect(waiting.keeper.steps.current[call.id]?.contains("forget") == false)
    }
}
