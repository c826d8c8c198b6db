import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests the duration of a call: measured once, from its start to its end, for every outcome.
@Suite(.fewAtOnce) struct DurationTests {
    private let caller: Caller

    init() throws {
        caller = try Caller()
    }

    @Test func `a call with a timeout lasts as long as its limit`() async throws {
        try await growing(from: .milliseconds(400)) { limit -> Void? in
            let received = Watched<ContinuousClock.Instant?>(nil)
            let server = try ScriptedServer([.readRequest, .noteTime(in: received), .holdOpen])
            let began = ContinuousClock.now
            let exchange = try await caller.get(server.url) { $0.timeouts.total = limit }
            let seconds = limit / .seconds(1)
            #expect(exchange.error?.timeLimit == .total)
            #expect(exchange.duration >= seconds)
            // The attempt begins after the call, on a busy machine much later, and before the server has its request.
            guard let moment = received.current, began.duration(to: moment) < limit * 2 / 3 else { return nil }
            let delay = began.duration(to: moment) / .seconds(1)
            #expect(exchange.timing.total >= seconds - delay - 0.001 && exchange.timing.total <= exchange.duration)
            #expect(exchange.attempts.map(\.timing.total) == [exchange.timing.total])
            #expect(exchange.error?.timing?.total == exchange.timing.total)
            #expect(exchange.timing.phases.last?.name == "Waiting")
            return ()
        }
    }

    @Test func `an idle call and one without a connection last as long as their limits`() async throws {
        let server = try ScriptedServer([.readRequest, .holdOpen])
        let idle = try await caller.get(server.url) { $0.timeouts.idle = .milliseconds(300) }
        #expect(idle.error?.timeLimit == .idle)
        #expect(idle.duration >= 0.3 && idle.timing.total >= 0.1)
        let port = try DeadPort(.silent)
        let unconnected = try await caller.get(port.url) { $0.timeouts.connect = .milliseconds(300) }
        #expect(unconnected.error?.timeLimit == .connect)
        #expect(unconnected.duration >= 0.3 && unconnected.timing.total >= 0.1)
        #expect(unconnected.timing.phases.last?.name == "Connect")
    }

    @Test func `a call with a failed name resolution lasts as long as the lookup, without an attempt`() async throws {
        let caller = try Caller(resolver: Resolver { _, _ in })
        let exchange = try await caller.get("http://slow.test/") { $0.timeouts.connect = .milliseconds(200) }
        #expect(exchange.attempts.isEmpty)
        #expect(exchange.error?.timeLimit == .lookup)
        #expect(exchange.duration >= 0.2)
        #expect(exchange.timing.total == exchange.duration)
    }

    @Test func `a cancelled call lasts as long as it ran`() async throws {
        let server = try ScriptedServer([.readRequest, .holdOpen])
        let clock = try ScriptedServer([.readRequest, .pause(.milliseconds(300)), .send(HTTPAnswer.ok())])
        let call = caller.begin(try .to(server.url))
        _ = try await server.waitForRequests(1)
        #expect(try await caller.get(clock.url).error == nil)
        await call.cancel()
        let exchange = try #require(try await call.end().end)
        #expect(exchange.error?.code == .cancelled)
        #expect(exchange.duration >= 0.3 && exchange.timing.total >= 0.3)
    }

    @Test func `a call cancelled in the queue lasts as long as it waited`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([.readRequest, .wait(for: gate), .send(HTTPAnswer.ok())])
        let clock = try ScriptedServer([.readRequest, .pause(.milliseconds(300)), .send(HTTPAnswer.ok())])
        let caller = try Caller(limits: [server.url: 1])
        let first = caller.begin(try .to(server.url))
        try await gate.waitUntilReached()
        let second = caller.begin(try .to(server.url))
        try await second.waitForDecision(.admission)
        #expect(try await caller.get(clock.url).error == nil)
        await second.cancel()
        let exchange = try #require(try await second.end().end)
        #expect(exchange.timing.queued >= 0.3)
        #expect(exchange.duration >= exchange.timing.queued)
        #expect(exchange.timing.total <= exchange.duration - exchange.timing.queued + 0.001, "the time in the queue is not part of the total")
        gate.open()
        _ = try await first.end()
    }

    @Test func `a call rejected before sending has a duration`() async throws {
        let exchange = try await caller.exchange(try .to("http://127.0.0.1:1/", .get, [HeaderField("Bad\nName", "x")]))
        #expect(exchange.error?.errorClass == .client)
        #expect(exchange.duration > 0)
        #expect(exchange.timing.total == exchange.duration)
    }

    @Test func `a call served from the cache has a duration`() async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let request = try Request.to(server.url) { $0.cacheLifetime = .seconds(60) }
        _ = try await caller.exchange(request)
        let exchange = try await caller.exchange(request)
        #expect(exchange.response?.isFromCache == true)
        #expect(exchange.duration > 0)
    }

    @Test func `a call with several attempts lasts as long as all of them and the delays between them`() async throws {
        let slow = Script(.readRequest, .pause(.milliseconds(100)), .send(HTTPAnswer.status(503)), .closeGracefully)
        let server = try ScriptedServer([slow, slow, .answering(.ok())])
        let caller = try Caller(retrySource: Retry.Source(random: { _ in 0.1 }))
        let exchange = try await caller.get(server.url) { $0.retry = RetryPolicy(limit: 2) }
        #expect(exchange.attempts.count == 3)
        #expect(exchange.duration >= exchange.attempts.reduce(0) { $0 + $1.delay + $1.timing.total })
        #expect(exchange.duration >= 0.4)
        #expect(exchange.timing == exchange.attempts[2].timing, "the moments stay those of the last attempt")
    }

    @Test func `a simulated failure lasts as long as simulated`() async throws {
        let conditions = ConditionsTable()
        let caller = try Caller(conditions: conditions)
        let server = try ScriptedServer(answering: .ok())
        conditions.use([server.url: NetworkConditions(delay: 0.2, failureShare: 1, failure: .refused)])
        let exchange = try await caller.get(server.url)
        #expect(exchange.error?.code == .connectionRefused)
        #expect(exchange.attempts.first.map { $0.timing.total >= 0.2 } == true)
        #expect(exchange.duration >= 0.2)
    }

    @Test func `a call that ends with a plugin error has a duration`() async throws {
        struct Failing: Plugin {
            var name: String { "failing" }
            func prepare(_ request: inout Request, in context: PluginContext) async throws { throw NetworkError(.pluginFailed, "no") }
        }
        let folder = try TemporaryFolder()
        let client = Client(.init(spoolFolder: folder.path, plugins: [Failing()]))
        let exchange = await client.exchange(try .to("http://127.0.0.1:1/"))
        #expect(exchange.error?.code == .pluginFailed)
        #expect(exchange.duration > 0)
    }

    @Test func `a download lasts as long as all of its attempts`() async throws {
        let file = ServedFile(50_000)
        let server = try ScriptedServer([
            Script([.readRequest, .send(file.whole.headBytes), .send(Array(file.bytes.prefix(1000))), .pause(.milliseconds(300)), .closeGracefully]),
            file.honest,
        ])
        let run = try await DownloadBench().run(server.url)
        #expect(run.result.error == nil)
        #expect(run.result.exchange.duration >= 0.3)
        #expect(run.result.exchange.duration >= run.result.exchange.attempts.reduce(0) { $0 + $1.timing.total })
    }
}
