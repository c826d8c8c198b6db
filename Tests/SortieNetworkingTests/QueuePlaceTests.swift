import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests that a call has no place in the queue of its service while it waits for code of the program, which may send requests through the same service.
@Suite(.fewAtOnce)
struct QueuePlaceTests {
    /// Issues the tokens `t1`, `t2` and so on at `/token`, and accepts the last one at other paths.
    private final class TokenServer: Transport {
        private let issued = Mutex(0)

        var count: Int { issued.withLock { $0 } }

        func perform(_ request: TransportRequest, response: TransportResponseWriter) async throws {
            if request.url.path == "/token" {
                let number = issued.withLock { number in
                    number += 1
                    return number
                }
                try await response.begin(Response(status: 200, headers: [HeaderField("Content-Type", "application/json")]))
                try await response.write(Array(#"{"access_token": "t\#(number)", "token_type": "Bearer"}"#.utf8))
            } else {
                let isAccepted = request.url.path != "/guarded" || request.headers["Authorization"] == "Bearer t\(count)"
                try await response.begin(Response(status: isAccepted ? 200 : 401))
            }
        }
    }

    private struct Token: Decodable {
        var access_token: String
    }

    /// A client of the service `shop` whose plugins may send requests through it.
    private final class Shop: Sendable {
        let server = TokenServer()
        private let current = Mutex<Client?>(nil)

        var client: Client { get throws { try #require(current.withLock { $0 }) } }

        init(limit: Int, _ plugins: (Shop) -> [any Plugin]) {
            let shop = ServiceConfiguration(servers: ["live": ["http://shop.test"]], limits: RequestLimits(requests: limit), plugins: plugins(self))
            let configuration = ClientConfiguration(services: ["shop": shop], environment: "live", transport: server)
            current.withLock { $0 = Client(configuration) }
        }

        /// Fetches a token through the service, without a token.
        func token() async throws -> Credential.Token {
            var settings = CallSettings()
            settings.options.credential = .none
            return Credential.Token(try await client.get("/token", through: "shop", with: settings, as: Token.self).access_token)
        }

        /// Sends a request without the plugins of the service.
        func sendPlain() async throws {
            var request = try client.request("/open", through: "shop")
            request.options.inheritsPlugins = false
            #expect(try await client.send(request).status == 200)
        }

        /// Sends requests at the same time, and returns their statuses.
        func statuses(count: Int) async throws -> [Int] {
            let request = try client.request("/guarded", through: "shop")
            let client = try client
            return try await withDeadline(.seconds(300), "all calls to end") {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<count { group.addTask { try await client.send(request).status } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
        }
    }

    @Test(arguments: [(1, 1), (1, 20), (64, 64), (64, 300)])
    func `a token is fetched through the same service, whatever the number of calls that wait for it`(limit: Int, count: Int) async throws {
        let shop = Shop(limit: limit) { shop in [TokenPlugin(CredentialStore { _ in try await shop.token() })] }
        #expect(try await shop.statuses(count: count) == Array(repeating: 200, count: count))
        #expect(shop.server.count == 1)
    }

    @Test func `a rejected token is renewed through the same service`() async throws {
        let shop = Shop(limit: 1) { shop in
            [TokenPlugin(CredentialStore(token: Credential.Token("old")) { _ in try await shop.token() })]
        }
        #expect(try await shop.statuses(count: 1) == [200])
        #expect(shop.server.count == 1)
    }

    /// Issues a token when the test opens it, and accepts every request.
    private struct SlowTokenServer: Transport {
        let isRequested = Watched(false)
        let isOpen = Watched(false)

        func perform(_ request: TransportRequest, response: TransportResponseWriter) async throws {
            if request.url.path == "/token" {
                isRequested.change { $0 = true }
                try await isOpen.wait("the test to open the token", within: .seconds(300)) { $0 ? () : nil }
            }
            try await response.begin(Response(status: 200, headers: [HeaderField("Content-Type", "application/json")]))
            try await response.write(Array(#"{"access_token": "t1", "token_type": "Bearer"}"#.utf8))
        }
    }

    @Test func `a call that waits for an OAuth 2 token keeps no other one of its service from being sent`() async throws {
        let server = SlowTokenServer()
        let client = Client(.init(limits: ["http://shop.test": RequestLimits(requests: 1)], transport: server))
        let waiting = RunningCall(
            client: client,
            request: try .to("http://shop.test/a") { $0.credential = .oauth2(OAuth2(tokenURL: "http://shop.test/token", clientID: "app")) })
        try await server.isRequested.wait("the token request", within: .seconds(300)) { $0 ? () : nil }
        let other = try Request.to("http://shop.test/b")
        #expect(try await withDeadline(.seconds(300), "the other call to end") { try await client.send(other).status } == 200)
        server.isOpen.change { $0 = true }
        #expect(try await waiting.end().end?.error == nil)
    }

    /// Sends a request through the service of its call in one stage.
    private struct Sending: Plugin {
        let stage: String
        let shop: Shop

        private func pass(_ stage: String) async throws {
            if stage == self.stage { try await shop.sendPlain() }
        }

        func willPrepare(_ request: inout Request, in context: PluginContext) async throws { try await pass("willPrepare") }
        func prepare(_ request: inout Request, in context: PluginContext) async throws { try await pass("prepare") }

        func willSend(_ request: Request, in context: PluginContext) async {
            do { try await pass("willSend") } catch { Issue.record(error) }
        }

        func didReceive(_ response: Response, to request: Request, in context: PluginContext) async throws -> Recovery {
            try await pass("didReceive")
            return .none
        }

        func process(_ exchange: inout Exchange, in context: PluginContext) async throws -> Continuation {
            try await pass("process")
            return .next
        }

        func didFinish(_ exchange: Exchange, in context: PluginContext) async {
            do { try await pass("didFinish") } catch { Issue.record(error) }
        }
    }

    @Test(arguments: ["willPrepare", "prepare", "willSend", "didReceive", "process", "didFinish"])
    func `a plugin sends a request through the service of its call in every stage`(stage: String) async throws {
        let shop = Shop(limit: 1) { shop in [Sending(stage: stage, shop: shop)] }
        let request = try shop.client.request("/open", through: "shop")
        #expect(try await withDeadline(.seconds(300), "the call to end") { try await shop.client.send(request).status } == 200)
    }

    @Test func `a plugin that adds lines to the debug log sends a request through the service of its call`() async throws {
        let shop = Shop(limit: 1) { shop in
            let lines = DebugLogLinesPlugin { _, _ in
                do { try await shop.sendPlain() } catch { Issue.record(error) }
                return [("Plain", "yes")]
            }
            return [lines, DebugLogPlugin { #expect($0.contains("Plain:")) }]
        }
        let request = try shop.client.request("/open", through: "shop")
        #expect(try await withDeadline(.seconds(300), "the call to end") { try await shop.client.send(request).status } == 200)
    }

    @Test func `a call that gave up its place comes before those that arrived later`() throws {
        let queue = RequestQueue(limit: 1)
        let demand = queue.demand(of: try Request.to("http://a.test/"), isTransfer: false)
        let admitted = Mutex<[Int]>([])
        var tickets: [UInt64?] = [nil, nil, nil]
        #expect(queue.tryAdmit(demand, ticket: &tickets[0]))
        for index in 1...2 {
            #expect(!queue.tryAdmit(demand, ticket: &tickets[index]))
            queue.wait(RequestID(high: 0, low: UInt64(index)), demand, ticket: try #require(tickets[index])) {
                admitted.withLock { $0.append(index) }
            }
        }
        // The first call waits for a plugin, and the second one is admitted.
        queue.release(demand)
        #expect(!queue.tryAdmit(demand, ticket: &tickets[0]))
        queue.wait(RequestID(high: 0, low: 0), demand, ticket: try #require(tickets[0])) { admitted.withLock { $0.append(0) } }
        queue.release(demand)
        queue.release(demand)
        #expect(admitted.withLock { $0 } == [1, 0, 2])
    }

    @Test func `one limit applies to the requests of all origins together`() async throws {
        let gate = Gate()
        let (first, second) = (try ScriptedServer([.readRequest, .wait(for: gate), .send(HTTPAnswer.ok())]), try ScriptedServer(answering: .ok()))
        var configuration = ClientConfiguration()
        configuration.maximumRequests = 1
        let client = Client(configuration)
        let running = RunningCall(client: client, request: try .to(first.url))
        try await gate.waitUntilReached()
        let waiting = RunningCall(client: client, request: try .to(second.url))
        try await waiting.waitForDecision(.admission)
        #expect(second.requests.isEmpty)
        let cancelled = RunningCall(client: client, request: try .to(second.url))
        try await cancelled.waitForDecision(.admission)
        await cancelled.cancel()
        #expect(try await cancelled.end().end?.error?.code == .cancelled)
        gate.open()
        #expect(try await running.end().end?.error == nil)
        let events = try await waiting.end()
        #expect(events.end?.error == nil)
        #expect(events.decisions(.admission) == ["waits: 1 of 1 requests of the client are in flight; 0 wait"])
    }

    @Test func `a call that ends in a plugin leaves its place free`() async throws {
        struct Refusing: Plugin {
            func prepare(_ request: inout Request, in context: PluginContext) throws {
                if request.url.path == "/refused" { throw NetworkError(.invalidOption, "refused") }
            }
        }
        let shop = Shop(limit: 1) { _ in [Refusing()] }
        let (refused, open) = (try shop.client.request("/refused", through: "shop"), try shop.client.request("/open", through: "shop"))
        for _ in 0..<3 { await #expect(throws: NetworkError.self) { try await shop.client.send(refused) } }
        #expect(try await withDeadline(.seconds(300), "the call to end") { try await shop.client.send(open).status } == 200)
    }
}
