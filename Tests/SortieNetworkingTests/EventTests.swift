import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests the events of a call.
@Suite(.fewAtOnce)
struct EventTests {
    private let caller: Caller

    init() throws {
        caller = try Caller()
    }

    @Test func `a body of 50 MB causes few events`() async throws {
        let server = try ScriptedServer(answering: .ok(bytes: [UInt8](repeating: 9, count: 50_000_000)))
        let began = MonotonicClock.now
        let events = try await caller.events(.to(server.url))
        let interval = await Transfer.reportInterval
        let ticks = Int((MonotonicClock.now - began) / interval) + 1
        #expect(events.end?.response?.body.count == 50_000_000)
        #expect(events.views.count <= ticks + 1)
        #expect(events.progress.count <= ticks + 1)
        #expect(events.count <= 3 * (ticks + 1) + 10)
    }

    /// Each reading of a function value in a `Mutex` adds a thunk to it, so that the stack overflows after 60,000 readings.
    @Test func `an observer receives 100,000 events`() {
        let received = Mutex(0)
        let observer = ExchangeObserver<Int>()
        observer.use { event in received.withLock { $0 += event } }
        for _ in 0..<100_000 { observer.note(1) }
        #expect(received.withLock { $0 } == 100_000)
    }

    @Test func `the response is reported once, before the body grows`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 206 Part\r\nX: y\r\nContent-Length: 4\r\n\r\nab"), .wait(for: gate), .send("cd"),
        ])
        let call = caller.begin(try .to(server.url))
        try await call.wait(for: "the body to grow") { if case .grew = $0 { true } else { false } }
        gate.open()
        let events = try await call.end()
        let responded = events.indices.filter { if case .responded = events[$0] { true } else { false } }
        let grew = events.indices.filter { if case .grew = events[$0] { true } else { false } }
        #expect(responded.count == 1)
        #expect(!grew.isEmpty)
        #expect(try #require(responded.first) < #require(grew.first))
        guard case .responded(let response) = events[responded[0]] else { return }
        #expect(response.status == 206)
        #expect(response.headers["X"] == "y")
    }

    @Test func `the response of a redirect is not reported as the response`() async throws {
        let server = try ScriptedServer { $0.target == "/" ? .redirect(302, to: "/there") : .ok("there") }
        let events = try await caller.events(.to("\(server.url)/"))
        for case .responded(let response) in events { #expect(response.status == 200) }
        #expect(events.decisions(.redirect).count == 1)
    }

    @Test func `progress of a download counts up to its announced length`() async throws {
        let gates = [Gate(), Gate()]
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n0123456789"), .wait(for: gates[0]),
            .send("0123456789"),
            .wait(for: gates[1]), .send("0123456789"),
        ])
        let call = caller.begin(try .to(server.url))
        for (index, gate) in gates.enumerated() {
            try await call.wait(for: "\(index + 1)0 bytes") {
                if case .progressed(let progress) = $0 { progress.received == Int64(index + 1) * 10 } else { false }
            }
            gate.open()
        }
        let progress = try await call.end().progress
        #expect(progress.allSatisfy { $0.receivedTotal == 30 || $0.received == 0 })
        #expect(progress.map(\.received) == progress.map(\.received).sorted())
        #expect(progress.contains { $0.received > 0 })
        #expect(progress.allSatisfy { $0.received <= 30 })
    }

    @Test func `the last progress of a response has all of its bytes, also of one that arrives at once`() async throws {
        let server = try ScriptedServer(answering: .ok("0123456789"))
        let progress = try await caller.events(.to(server.url)).progress
        #expect(progress.last.map { [$0.received, $0.receivedTotal] } == [10, 10])
    }

    @Test func `progress of an upload counts up to the length of the body`() async throws {
        let gate = Gate()
        // More than the buffers of both sockets hold.
        let total = 64 << 20
        let server = try ScriptedServer([
            .readHead, .readBytes(1 << 20), .pause(.milliseconds(60)), .readBytes(4 << 20), .wait(for: gate), .readBody,
            .send(HTTPAnswer.ok("thanks")),
        ])
        let call = caller.begin(try .to(server.url, .put, body: .bytes([UInt8](repeating: 3, count: total), contentType: nil)))
        try await call.wait(for: "progress of the upload") {
            if case .progressed(let progress) = $0 { progress.sent > 1 << 20 && progress.sent < Int64(total) } else { false }
        }
        gate.open()
        let events = try await call.end()
        #expect(events.end?.text == "thanks")
        #expect(events.end?.sentBodyBytes == Int64(total))
        #expect(events.progress.allSatisfy { $0.sentTotal == Int64(total) && $0.sent <= Int64(total) })
        let sent = events.progress.map(\.sent)
        #expect(sent == sent.sorted())
    }

    @Test func `every decision has a reason, and its times are ascending`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let events = try await caller.events(.to(server.url))
        var times: [Double] = []
        for case .decided(let decision) in events {
            #expect(decision.text.count > 10)
            times.append(decision.time)
        }
        #expect(times == times.sorted())
        #expect(events.decisions(.address) == ["127.0.0.1: written in the URL"])
        #expect(events.decisions(.connection) == ["a new connection to \(server.authority) was opened"])
        let again = try await caller.events(.to(server.url))
        #expect(again.decisions(.connection) == ["the connection to \(server.authority) was reused"])
    }

    @Test func `the times of an attempt are ascending`() async throws {
        let server = try ScriptedServer([.readRequest, .pause(.milliseconds(30)), .send(HTTPAnswer.ok())])
        let timing = try await caller.get(server.url).timing
        #expect(timing.connect > 0)
        #expect(timing.connect <= timing.requestStart)
        #expect(timing.requestStart <= timing.firstByte)
        #expect(timing.firstByte >= 0.03)
        #expect(timing.firstByte <= timing.total)
        #expect(timing.tls == 0)
    }

    @Test func `observing a request does not change its result`() async throws {
        let body = [UInt8](repeating: 5, count: 2_500_000)
        let server = try ScriptedServer(answering: .ok(bytes: body))
        let watched = try await caller.events(.to(server.url)).end
        let quiet = try await caller.get(server.url)
        #expect(watched?.response?.body.all == quiet.response?.body.all)
        #expect(watched?.response?.headers == quiet.response?.headers)
        #expect(watched?.response?.wireBytes == quiet.response?.wireBytes)
    }
}
