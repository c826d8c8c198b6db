import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests that the total time limit applies to every stage of a call, with a clock that the stage advances.
@Suite(.fewAtOnce)
struct CallDeadlineTests {
    /// The monotonic clock, which tests advance.
    private final class MovedClock: Sendable {
        private let added = Atomic<UInt64>(0)

        var now: @Sendable () -> UInt64 { { MonotonicClock.now + self.added.load(ordering: .relaxed) } }

        /// Passes more time than the calls of these tests have.
        func pass() { added.add(3600 * 1_000_000_000, ordering: .relaxed) }
    }

    /// Responds at once, and counts the requests.
    private final class Immediate: Transport {
        private let received = Atomic<Int>(0)
        private let act: @Sendable () -> Void

        init(_ act: @escaping @Sendable () -> Void = {}) { self.act = act }

        var count: Int { received.load(ordering: .relaxed) }

        func perform(_ request: TransportRequest, response: TransportResponseWriter) async throws {
            received.add(1, ordering: .relaxed)
            act()
            try await response.begin(Response(status: 200, headers: [HeaderField("Content-Type", "application/json")]))
            try await response.write(Array("[1]".utf8))
        }
    }

    /// Lets the time pass in one stage.
    private struct Slow: Plugin {
        let stage: String
        let clock: MovedClock

        private func pass(_ stage: String) { if stage == self.stage { clock.pass() } }

        func willPrepare(_ request: inout Request, in context: PluginContext) { pass("willPrepare") }
        func prepare(_ request: inout Request, in context: PluginContext) { pass("prepare") }
        func willSend(_ request: Request, in context: PluginContext) { pass("willSend") }

        func didReceive(_ response: Response, to request: Request, in context: PluginContext) -> Recovery {
            pass("didReceive")
            return .none
        }

        func process(_ exchange: inout Exchange, in context: PluginContext) -> Continuation {
            pass("process")
            return .next
        }

        func didFinish(_ exchange: Exchange, in context: PluginContext) { pass("didFinish") }
    }

    private func request(_ change: (inout RequestOptions) -> Void = { _ in }) throws -> Request {
        var request = try Request.to("http://shop.test/", change)
        request.service = "shop"
        return request
    }

    private func exchange(
        _ request: Request, _ clock: MovedClock, _ service: ServiceConfiguration = ServiceConfiguration(), _ transport: Immediate = Immediate()
    ) async throws -> Exchange {
        let client = Client(.init(services: ["shop": service], transport: transport), resolver: nil, clock: clock.now)
        return try await withDeadline(.seconds(300), "the call to end") { await client.exchange(request) }
    }

    @Test(arguments: [("willPrepare", 0), ("prepare", 0), ("willSend", 0), ("didReceive", 1), ("process", 1)])
    func `a stage of a plugin counts against the total limit`(stage: String, sent: Int) async throws {
        let (clock, transport) = (MovedClock(), Immediate())
        let service = ServiceConfiguration(plugins: [Slow(stage: stage, clock: clock)])
        #expect(try await exchange(try request(), clock, service, transport).error?.timeLimit == .total)
        #expect(transport.count == sent)
    }

    /// Never ends before it is cancelled.
    private struct Endless: Plugin {
        var name: String { "endless" }

        func prepare(_ request: inout Request, in context: PluginContext) async throws { try await Task.sleep(for: .seconds(600)) }
    }

    @Test func `the error at the total limit names the plugin that the call was waiting for`() async throws {
        let service = ServiceConfiguration(plugins: [Endless()])
        let exchange = try await exchange(try request { $0.timeouts.total = .milliseconds(50) }, MovedClock(), service)
        #expect(exchange.error?.message == "no complete response within 50 ms: it was still waiting for the plugin endless")
    }

    @Test func `the error at the total limit names the token endpoint that the call was waiting for`() async throws {
        let server = try ScriptedServer([.readHead, .holdOpen])
        let request = try Request.to("http://shop.test/") {
            $0.timeouts.total = .milliseconds(200)
            $0.credential = .oauth2(OAuth2(grant: .clientCredentials, tokenURL: "\(server.url)/token", clientID: "a", clientSecret: "b"))
        }
        let exchange = try await Caller().exchange(request)
        let place = "an OAuth 2 token from the token endpoint \(server.url)"
        #expect(exchange.error?.message == "no complete response within 200 ms: it was still waiting for \(place)")
    }

    @Test func `what a plugin does after the end does not change the result`() async throws {
        let clock = MovedClock()
        let service = ServiceConfiguration(plugins: [Slow(stage: "didFinish", clock: clock)])
        #expect(try await exchange(try request(), clock, service).error == nil)
    }

    @Test func `the key of an encryptor counts against the total limit`() async throws {
        let (clock, transport) = (MovedClock(), Immediate())
        let encryptor = try AESGCMEncryptor(key: "hex:" + String(repeating: "ab", count: 16))
        var service = ServiceConfiguration()
        service.encryption = { _ in
            clock.pass()
            return encryptor
        }
        var request = try request()
        (request.method, request.body) = (.post, .text("hello", contentType: "text/plain"))
        #expect(try await exchange(request, clock, service, transport).error?.timeLimit == .total)
        #expect(transport.count == 0)
    }

    @Test func `an attempt counts against the total limit`() async throws {
        let clock = MovedClock()
        #expect(try await exchange(try request(), clock, ServiceConfiguration(), Immediate { clock.pass() }).error?.timeLimit == .total)
    }

    @Test(arguments: ["filter", "reformer", "validator"])
    func `a hook of the service counts against the total limit`(hook: String) async throws {
        let clock = MovedClock()
        var service = ServiceConfiguration()
        switch hook {
        case "filter":
            service.filter = { response in
                clock.pass()
                return response
            }
        case "reformer":
            service.reformer = { _, value in
                clock.pass()
                return value ?? .null
            }
        default: service.validator = { _, _ in clock.pass() }
        }
        let exchange = try await exchange(try request(), clock, service)
        #expect(exchange.error?.timeLimit == .total)
        #expect(exchange.response?.status == 200)
    }

    @Test func `decoding counts against the total limit`() async throws {
        struct Numbers: TypedEndpoint {
            let clock: MovedClock

            var path: String { "http://shop.test/" }

            func parameters() -> [ParameterValue.Member] { [] }

            func output(of response: Response) throws -> [Int] {
                clock.pass()
                return [1]
            }
        }
        let clock = MovedClock()
        let client = Client(.init(transport: Immediate()), resolver: nil, clock: clock.now)
        let error = await #expect(throws: NetworkError.self) { try await client.send(Numbers(clock: clock)) }
        #expect(error?.timeLimit == .total)
    }

    @Test func `a response after the deadline is not cached`() async throws {
        let (clock, transport) = (MovedClock(), Immediate())
        let service = ServiceConfiguration(plugins: [Slow(stage: "process", clock: clock)])
        let client = Client(.init(services: ["shop": service], transport: transport), resolver: nil, clock: clock.now)
        let request = try request { $0.cacheLifetime = .seconds(60) }
        for _ in 0..<2 { #expect(await client.exchange(request).error?.timeLimit == .total) }
        #expect(transport.count == 2)
    }

    @Test func `a refresh of a token counts against the total limit`() async throws {
        let (clock, transport) = (MovedClock(), Immediate())
        let store = CredentialStore { _ in
            clock.pass()
            return Credential.Token("t1")
        }
        let service = ServiceConfiguration(plugins: [TokenPlugin(store)])
        #expect(try await exchange(try request(), clock, service, transport).error?.timeLimit == .total)
        #expect(transport.count == 0)
    }

    @Test func `the total limit ends the wait in the queue of the service, which others do not notice`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script([.readRequest, .wait(for: gate), .send(HTTPAnswer.ok())] + Script.answering(.ok()).steps))
        let caller = try Caller(limits: [server.url: 1])
        let first = caller.begin(try .to("\(server.url)/first"))
        try await gate.waitUntilReached()
        let second = caller.begin(try .to("\(server.url)/second") { $0.timeouts.total = .milliseconds(300) })
        #expect(try await second.end().end?.error?.timeLimit == .total)
        let third = caller.begin(try .to("\(server.url)/third"))
        gate.open()
        #expect(try await first.end().end?.error == nil)
        #expect(try await third.end().end?.error == nil)
        #expect(server.requests.map(\.target) == ["/first", "/third"])
    }
}
