import Model
import Support
import Testing

@testable import Networking

/// Tests that observers receive all attempts (S3.3).
@Suite(.fewAtOnce)
struct RecordingTests {
    private let caller: Caller
    private let hops = Watched<[RecordedHop]>([])

    init() throws {
        caller = try Caller()
    }

    private func record() {
        caller.client.record { [hops] hop in hops.change { $0.append(hop) } }
    }

    @Test func `every redirect is a hop of its own, with what went and what came`() async throws {
        let server = try ScriptedServer { request in
            request.target == "/a" ? HTTPAnswer.redirect(302, to: "/b").with("Set-Cookie", "n=1; Path=/") : .ok("there")
        }
        record()
        _ = try await caller.get("\(server.url)/a")
        let hops = hops.current
        #expect(hops.map(\.attempt) == [1, 2])
        #expect(hops.map(\.request.url.path) == ["/a", "/b"])
        #expect(hops.map { $0.response?.status } == [302, 200])
        #expect(hops.map { $0.sentHeaders["Cookie"] } == [nil, "n=1"])
        #expect(hops.allSatisfy { $0.sentHeaders.contains("Host") && $0.sentHeaders.contains("User-Agent") }, "what the engine adds is there")
        #expect(hops.last?.response.map { $0.body.string(in: 0..<$0.body.count) } == "there")
        #expect(hops.map(\.isConnectionReused) == [false, true])
        #expect(hops[0].localPort == hops[1].localPort && hops[0].localPort != nil)
        #expect(hops[0].address == "127.0.0.1")
    }

    @Test func `a failed attempt is told, and nothing after it was switched off`() async throws {
        record()
        let port = try DeadPort(.refusing)
        _ = try await caller.get(port.url)
        #expect(hops.current.map { $0.error?.code } == [.connectionRefused])
        caller.client.record(with: nil)
        let server = try ScriptedServer(.answering(.ok()))
        _ = try await caller.get(server.url)
        #expect(hops.current.count == 1)
    }
}
