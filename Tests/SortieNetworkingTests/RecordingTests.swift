import Support
import Testing

@testable import SortieNetworking

/// Tests that observers receive all attempts (S3.3).
@Suite(.fewAtOnce)
struct RecordingTests {
    private let caller: Caller
    private let exchanges = Watched<[Exchange]>([])

    init() throws {
        caller = try Caller()
    }

    private func record() {
        caller.client.observeAttempts { [exchanges] exchange in exchanges.change { $0.append(exchange) } }
    }

    @Test func `every redirect is reported as an attempt, with what was sent and received`() async throws {
        let server = try ScriptedServer { request in
            request.target == "/a" ? HTTPAnswer.redirect(302, to: "/b").with("Set-Cookie", "n=1; Path=/") : .ok("there")
        }
        record()
        _ = try await caller.get("\(server.url)/a")
        let exchanges = exchanges.current
        #expect(exchanges.map(\.attempts.count) == [1, 2])
        let attempts = exchanges.compactMap(\.attempts.last)
        #expect(exchanges.last?.attempts.first == attempts.first, "an attempt stays as it was reported")
        #expect(attempts.map(\.url.path) == ["/a", "/b"])
        #expect(attempts.map { $0.response?.status } == [302, 200])
        #expect(attempts[0].startedAt <= attempts[1].startedAt && exchanges[0].startedAt <= attempts[0].startedAt)
        #expect(attempts.map { $0.sentHeaders["Cookie"] } == [nil, "n=1"])
        #expect(attempts.allSatisfy { $0.sentHeaders.contains("Host") && $0.sentHeaders.contains("User-Agent") }, "what the engine adds is there")
        #expect(exchanges.last?.response.map { $0.body.string(in: 0..<$0.body.count) } == "there")
        #expect(attempts.map(\.isConnectionReused) == [false, true])
        #expect(attempts[0].localPort == attempts[1].localPort && attempts[0].localPort != nil)
        #expect(attempts[0].address == "127.0.0.1")
    }

    @Test func `a failed attempt is reported, and nothing after the end of recording`() async throws {
        record()
        let port = try DeadPort(.refusing)
        _ = try await caller.get(port.url)
        #expect(exchanges.current.map { $0.attempts.last?.error?.code } == [.connectionRefused])
        caller.client.observeAttempts(nil)
        let server = try ScriptedServer(.answering(.ok()))
        _ = try await caller.get(server.url)
        #expect(exchanges.current.count == 1)
    }
}
