import Support
import Testing

@testable import SortieNetworking

/// Tests the three time limits (S2.12, X1), each with a separate message.
@Suite(.fewAtOnce)
struct TimeoutTests {
    private let caller: Caller

    init() throws {
        caller = try Caller()
    }

    /// Limits in milliseconds; those that a test does not name are not reached, also on a busy machine.
    private func timeouts(connect: Int = 300_000, idle: Int = 300_000, total: Int? = nil) -> Timeouts {
        Timeouts(connect: .milliseconds(connect), idle: .milliseconds(idle), total: total.map { .milliseconds($0) })
    }

    @Test func `a missing connection ends at the connect limit`() async throws {
        let port = try DeadPort(.silent)
        let exchange = try await caller.get(port.url) { $0.timeouts = timeouts(connect: 200) }
        let error = try #require(exchange.error)
        #expect(error.code == .timedOut)
        #expect(error.message == "no connection to 127.0.0.1:\(port.port) within 200 ms")
        #expect(error.remedy == .connectTimeout)
        #expect(exchange.attempts.count == 1)
        #expect(exchange.response == nil)
    }

    @Test func `a missing TLS handshake ends at the connect limit`() async throws {
        let server = try ScriptedServer([.holdOpen])
        let exchange = try await caller.get("https://127.0.0.1:\(server.port)/") { $0.timeouts = timeouts(connect: 200) }
        #expect(exchange.error?.code == .timedOut)
        #expect(exchange.error?.message.hasPrefix("no connection") == true)
    }

    @Test func `a name resolution without an end is limited by the connect limit`() async throws {
        let caller = try Caller(resolver: Resolver { _, _ in })
        let exchange = try await caller.get("http://slow.test/") { $0.timeouts = timeouts(connect: 100) }
        #expect(exchange.error?.code == .timedOut)
        #expect(exchange.error?.message == "no response to the lookup of slow.test within 100 ms")
    }

    @Test func `a missing response ends at the idle limit`() async throws {
        let server = try ScriptedServer([.readRequest, .holdOpen])
        let exchange = try await caller.get(server.url) { $0.timeouts = timeouts(idle: 150) }
        let error = try #require(exchange.error)
        #expect(error.code == .timedOut)
        #expect(error.message == "no data arrived from \(server.authority) for 150 ms")
        #expect(error.remedy == .idleTimeout)
        #expect(exchange.response == nil)
    }

    @Test func `a body that stalls ends at the idle limit and is kept, marked as truncated`() async throws {
        try await growing(from: .milliseconds(250)) { limit -> Void? in
            let server = try ScriptedServer([
                .readRequest, .send("HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 10\r\n\r\nhalf"), .holdOpen,
            ])
            let exchange = try await caller.get(server.url) {
                $0.timeouts = timeouts()
                $0.timeouts.idle = limit
            }
            #expect(exchange.error?.code == .timedOut)
            // The beginning must have been received within the limit.
            guard exchange.response != nil else { return nil }
            #expect(exchange.text == "half")
            #expect(exchange.response?.headers["X-A"] == "b")
            #expect(exchange.response?.truncation == exchange.error?.message)
            return ()
        }
    }

    @Test func `a slow response that never stalls outlasts the idle limit`() async throws {
        try await growing(from: .milliseconds(1000)) { limit -> Void? in
            // The twelve pauses together are longer than the limit.
            let server = try ScriptedServer([
                .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n"),
                .sendSlowly("slow and sure", chunk: 1, every: limit / 8),
            ])
            let exchange = try await caller.get(server.url) {
                $0.timeouts = timeouts()
                $0.timeouts.idle = limit
            }
            // The server sent nothing for the limit.
            if exchange.error?.timeLimit == .idle { return nil }
            #expect(exchange.text == "slow and sur")
            #expect(exchange.error == nil)
            #expect(exchange.timing.total > limit / .seconds(1))
            return ()
        }
    }

    @Test func `an endless response ends at the total limit and is kept, marked as truncated`() async throws {
        try await growing(from: .milliseconds(500)) { limit -> Void? in
            let server = try ScriptedServer([
                .readRequest, .send("HTTP/1.1 200 OK\r\n\r\nx"), .repeat([.send("x"), .pause(.milliseconds(20))]),
            ])
            let exchange = try await caller.get(server.url) {
                $0.timeouts = timeouts()
                $0.timeouts.total = limit
            }
            let error = try #require(exchange.error)
            #expect(error.code == .timedOut)
            #expect(error.message == "no complete response within \(limit.spoken)")
            #expect(error.remedy == .totalTimeout)
            // The beginning must have been received within the limit.
            guard exchange.response != nil else { return nil }
            #expect(exchange.text?.hasPrefix("x") == true)
            #expect(exchange.response?.truncation == error.message)
            return ()
        }
    }

    @Test func `the total limit includes all attempts of a redirect`() async throws {
        try await growing(from: .milliseconds(1500)) { limit -> Void? in
            // Fewer redirects within the limit than the client follows.
            let server = try ScriptedServer(
                Script(
                    .repeat([
                        .readRequest, .pause(limit / 15),
                        .respond {
                            HTTPAnswer.redirect(302, to: "/\($0.target.count)\($0.target.dropFirst())").bytes
                        },
                    ])))
            let exchange = try await caller.get(server.url) {
                $0.timeouts = timeouts()
                $0.timeouts.total = limit
            }
            #expect(exchange.error?.message == "no complete response within \(limit.spoken)")
            // Two attempts have ended when the third one has begun.
            guard server.requests.count > 2 else { return nil }
            #expect(exchange.attempts.count > 1)
            return ()
        }
    }

    @Test func `time in the queue of the service is reported, and is part of the duration`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script([.readRequest, .wait(for: gate), .send(HTTPAnswer.ok())] + Script.answering(.ok("second")).steps))
        let caller = try Caller(limits: [server.url: 1])
        let first = caller.begin(try .to(server.url))
        try await gate.waitUntilReached()
        let second = caller.begin(try .to(server.url) { $0.timeouts = timeouts() })
        try await second.wait(for: "the queue") { if case .changed(.queued) = $0 { true } else { false } }
        gate.open()
        _ = try await first.end()
        let events = try await second.end()
        let exchange = try #require(events.end)
        #expect(exchange.text == "second")
        #expect(exchange.timing.queued > 0)
        #expect(exchange.duration >= exchange.timing.queued)
        #expect(exchange.attempts.first?.timing.queued == exchange.timing.queued)
        #expect(exchange.timing.phases.first?.name == "Queued")
        #expect(events.contains(.changed(.sending)))
    }

    @Test func `the total limit also ends connecting, with a separate message`() async throws {
        let port = try DeadPort(.silent)
        let exchange = try await caller.get(port.url) { $0.timeouts = timeouts(total: 200) }
        #expect(exchange.error?.message == "no complete response within 200 ms")
    }

    @Test func `an upload that is not read ends at the idle limit`() async throws {
        let server = try ScriptedServer([.readHead, .holdOpen])
        var request = try Request.to(server.url, .post, body: .bytes([UInt8](repeating: 1, count: 32 << 20), contentType: nil))
        request.options.timeouts = timeouts(idle: 300)
        let exchange = try await caller.exchange(request)
        #expect(exchange.error?.code == .timedOut)
    }

    @Test func `S1.3 an upload has twice the idle limit`() async throws {
        let server = try ScriptedServer([.readHead, .holdOpen])
        var request = try Request.to(server.url, .post, body: .bytes([1], contentType: nil))
        request.options.timeouts = timeouts(idle: 150)
        #expect(try await caller.exchange(request).error?.message.contains("for 150 ms") == true)
        request.kind = .upload
        #expect(try await caller.exchange(request).error?.message.contains("for 300 ms") == true)
    }

    @Test func `limits of any size are accepted`() async throws {
        let server = try ScriptedServer(answering: .ok("ok"))
        let exchange = try await caller.get(server.url) {
            $0.timeouts = Timeouts(connect: .seconds(Int64.max), idle: .seconds(Int64.max), total: .seconds(Int64.max))
        }
        #expect(exchange.text == "ok")
    }
}
