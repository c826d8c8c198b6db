import Support
import Testing

@testable import SortieNetworking

/// Tests simulated network conditions: each call reports them, and nothing else changes.
@Suite(.fewAtOnce)
struct NetworkConditionsTests {
    /// A client whose random numbers come from a list.
    private func caller(_ conditions: NetworkConditions, chances: [Double] = [0], for server: ScriptedServer) throws -> Caller {
        let left = Watched(chances)
        let caller = try Caller(conditions: ConditionsTable { left.change { $0.count > 1 ? $0.removeFirst() : $0.first ?? 0 } })
        caller.client.use(conditions: [try HTTPURL(parsing: server.url).origin: conditions])
        return caller
    }

    private let server: ScriptedServer

    init() throws {
        server = try ScriptedServer { _ in .ok("real") }
    }

    @Test(arguments: [
        (NetworkConditions.Failure.refused, NetworkError.Code.connectionRefused), (.reset, .connectionLost),
    ]) func `a simulated failure never reaches the server, and is reported as simulated`(
        failure: NetworkConditions.Failure, code: NetworkError.Code
    ) async throws {
        let caller = try caller(NetworkConditions(failureShare: 0.5, failure: failure), for: server)
        let events = try await caller.events(.to(server.url))
        #expect(events.end?.error?.code == code)
        #expect(events.end?.error?.message.contains("simulated network conditions") == true)
        #expect(events.decisions(.conditions).first?.contains("network conditions are simulated") == true)
        #expect(server.acceptedConnections == 0)
    }

    @Test func `the share of failures follows the random numbers, attempt by attempt`() async throws {
        let caller = try caller(NetworkConditions(failureShare: 0.2), chances: [0.1, 0.2, 0.9, 0.19], for: server)
        var outcomes: [Bool] = []
        for _ in 0..<4 { outcomes.append(try await caller.get(server.url).error == nil) }
        #expect(outcomes == [false, true, true, false])
    }

    @Test func `a simulated status is a response like any other`() async throws {
        let caller = try caller(NetworkConditions(failureShare: 1, failure: .status(503)), for: server)
        let exchange = try await caller.get(server.url)
        #expect(exchange.response?.status == 503 && exchange.error == nil)
        #expect(exchange.text == "Sortie generated this response to simulate network conditions.\n")
        #expect(server.acceptedConnections == 0)
    }

    @Test func `a failed attempt is retried according to the request`() async throws {
        let caller = try caller(NetworkConditions(failureShare: 0.5), chances: [0.1, 0.9], for: server)
        let exchange = try await caller.get(server.url) { $0.retry = RetryPolicy(limit: 1) }
        #expect(exchange.text == "real")
        #expect(exchange.attempts.map { $0.error?.code } == [.connectionRefused, nil])
    }

    @Test func `a delay is part of the time until the response`() async throws {
        let caller = try caller(NetworkConditions(delay: 0.05), for: server)
        let exchange = try await caller.get(server.url)
        #expect(exchange.text == "real")
        #expect(exchange.timing.firstByte >= 0.05 && exchange.timing.total >= exchange.timing.firstByte)
    }

    @Test func `cancellation and time limits work during a delay`() async throws {
        let caller = try caller(NetworkConditions(delay: 3600), for: server)
        let running = caller.begin(try .to(server.url))
        try await running.waitForDecision(.conditions)
        await running.cancel()
        #expect(try await running.end().end?.error?.code == .cancelled)
        let late = try await caller.get(server.url) { $0.timeouts.total = .milliseconds(50) }
        #expect(late.error?.code == .timedOut)
        #expect(server.acceptedConnections == 0)
    }

    @Test func `a server that goes silent during a rate limit delay ends at the idle limit`() async {
        // In a separate process, because the conditions would apply to transfers of other tests.
        await #expect(processExitsWith: .success) {
            try await growing(from: .milliseconds(1000)) { limit -> Void? in
                let server = try ScriptedServer([
                    .readRequest, .send(HTTPAnswer.claiming(length: 1 << 20, String(repeating: "x", count: 60_000))), .holdOpen,
                ])
                let caller = try Caller()
                // The delay of the bytes is twice as long as the limit.
                let rate = Int64(30_000 / (limit / .seconds(1)))
                caller.client.use(conditions: [try HTTPURL(parsing: server.url).origin: NetworkConditions(rate: rate)])
                let exchange = try await caller.get(server.url) { $0.timeouts = Timeouts(connect: .seconds(300), idle: limit, total: nil) }
                #expect(exchange.error?.message == "no data arrived from \(server.authority) for \(limit.spoken)")
                // The response must have begun within the limit.
                guard exchange.response != nil else { return nil }
                #expect(exchange.response?.body.count == 60_000)
                return ()
            }
        }
    }

    @Test func `silence ends with the idle limit`() async throws {
        let caller = try caller(NetworkConditions(failureShare: 1, failure: .silence), for: server)
        let exchange = try await caller.get(server.url) { $0.timeouts.idle = .milliseconds(30) }
        #expect(exchange.error?.code == .timedOut)
    }

    @Test func `the rate is limited, and unlimited after the end of the conditions`() async throws {
        let body = String(repeating: "x", count: 60_000)
        let server = try ScriptedServer { _ in .ok(body) }
        let caller = try caller(NetworkConditions(rate: 120_000), for: server)
        let slow = try await caller.get(server.url)
        #expect(slow.text == body)
        #expect(slow.duration > 0.3, "half a second's worth; the rate applies from the start of the call")
        caller.client.use(conditions: [:])
        let events = try await caller.events(.to(server.url))
        #expect(events.end?.text == body && events.decisions(.conditions).isEmpty)
    }

    @Test func `the displayed part of a small body is delayed according to the rate`() async throws {
        let caller = try caller(NetworkConditions(rate: 20), for: server)
        let exchange = try await caller.get(server.url)
        #expect(exchange.text == "real" && exchange.duration >= 0.1)
    }

    @Test func `the rate applies to sent bytes`() async throws {
        let caller = try caller(NetworkConditions(rate: 100_000), for: server)
        let exchange = try await caller.exchange(.to(server.url, .post, body: .bytes([UInt8](repeating: 0x78, count: 40_000), contentType: nil)))
        #expect(exchange.text == "real" && exchange.sentBodyBytes == 40_000)
        #expect(exchange.timing.total > 0.2)
    }

    @Test func `other services are not affected`() async throws {
        let other = try ScriptedServer { _ in .ok("other") }
        let caller = try caller(NetworkConditions(failureShare: 1), for: server)
        #expect(try await caller.get(other.url).text == "other")
    }
}
