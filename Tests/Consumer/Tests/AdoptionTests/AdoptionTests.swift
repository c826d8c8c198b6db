import Glibc
import SortieNetworking
import SortieTesting
import Synchronization
import Testing

/// A trial of the library, as an engineer makes it before an application depends on it.
@Suite(.timeLimit(.minutes(10)))
struct AdoptionTests {
    // MARK: A typed client

    private struct Order: Codable, Equatable, Sendable { var id: Int }

    private struct ListOrders: TypedEndpoint, Encodable {
        typealias Output = [Order]
        var page = 1
        var path: String { "/orders" }
    }

    private struct SignIn: TypedEndpoint, Encodable {
        struct Output: Decodable { var token: String }
        var user: String

        var method: HTTPMethod { .post }
        var path: String { "/token" }
        var parameterPlacement: ParameterPlacement { .json }
        var options: RequestOptions {
            var options = RequestOptions()
            options.inheritsPlugins = false
            return options
        }
    }

    /// The client of an application, whose tokens are renewed through the same service.
    private final class Shop: Sendable {
        let stub = StubTransport()
        private let current = Mutex<Client?>(nil)

        init(limit: Int, total: Duration = .seconds(300), plugins: [any Plugin] = []) {
            let store = CredentialStore { [self] _ in
                Credential.Token(try await client.send(SignIn(user: "demo"), through: "shop").token)
            }
            let tokens = TokenPlugin(store)
            let limits = RequestLimits(requests: limit)
            var shop = ServiceConfiguration(servers: ["live": ["https://shop.example"]], limits: limits, plugins: [tokens] + plugins)
            shop.options.timeouts.total = total
            current.withLock { $0 = Client(.init(services: ["shop": shop], environment: "live", transport: stub)) }
            stub.on(.post, "/token", .json(#"{"token": "t1"}"#))
            stub.on(.get, "/orders") { $0["Authorization"] == "Bearer t1" ? .json(#"[{"id": 7}]"#) : .status(401) }
        }

        var client: Client { get throws { try #require(current.withLock { $0 }) } }
    }

    @Test(arguments: [(1, 1), (1, 64), (64, 64), (64, 200)])
    func `all calls get their orders, with one token that is fetched through the same service`(limit: Int, count: Int) async throws {
        let shop = Shop(limit: limit)
        let client = try shop.client
        let orders = try await withThrowingTaskGroup(of: [Order].self) { group in
            for page in 0..<count { group.addTask { try await client.send(ListOrders(page: page), through: "shop") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(orders == Array(repeating: [Order(id: 7)], count: count))
        #expect(shop.stub.requests(.post, "/token").count == 1)
    }

    @Test func `a rejected status and a body of another shape keep their response and their cause`() async throws {
        let shop = Shop(limit: 1)
        shop.stub.on(.get, "/orders", .json(#"{"reason": "closed"}"#, status: 409), .json(#"{"id": 7}"#))
        let client = try shop.client
        let closed = try await client.exchange(ListOrders(), through: "shop")
        #expect(throws: NetworkError.self) { try closed.output.get() }
        #expect(closed.exchange.error?.response?.text == #"{"reason": "closed"}"#)
        #expect(closed.exchange.response?.url?.description == "https://shop.example/orders?page=1")
        let other = await #expect(throws: NetworkError.self) { try await client.send(ListOrders(), through: "shop") }
        #expect(other?.code == .badBody && other?.cause is DecodingError)
    }

    // MARK: Streams

    /// Sends back what it receives.
    private struct Echo: Transport {
        func perform(_ request: TransportRequest, response: TransportResponseWriter) async throws {
            try await response.begin(Response(status: 200))
            for try await chunk in request.body { try await response.write(chunk) }
        }
    }

    @Test func `a body is streamed in both directions`() async throws {
        let (chunks, continuation) = AsyncStream<[UInt8]>.makeStream()
        let client = Client(.init(transport: Echo()))
        let response = try await client.stream(Request(method: .post, url: HTTPURL(parsing: "https://shop.example/")), body: chunks)
        continuation.yield(Array("one".utf8))
        var iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next() == Array("one".utf8))
        continuation.yield(Array("two".utf8))
        continuation.finish()
        #expect(try await iterator.next() == Array("two".utf8))
        #expect(try await iterator.next() == nil)
        #expect(await response.exchange.error == nil)
    }

    @Test func `events arrive over several connections, until the server has no more`() async throws {
        let stub = StubTransport()
        func events(_ text: String) -> StubResponse {
            StubResponse(headers: [HeaderField("Content-Type", "text/event-stream")], body: Array(text.utf8))
        }
        stub.on(.get, "/events", events("retry: 1\nid: 1\ndata: a\n\n"), events("id: 2\ndata: b\n\n"), .status(204))
        let client = Client(.init(transport: stub))
        var data: [String] = []
        for try await event in client.serverSentEvents(try Request("https://shop.example/events")) { data.append(event.data) }
        #expect(data == ["a", "b"])
        #expect(stub.requests.map { $0["Last-Event-ID"] } == [nil, "1", "2"])
    }

    // MARK: Deadlines and cancellation

    /// Waits in one stage until its task is cancelled.
    private struct Endless: Plugin {
        let stage: String

        private func pass(_ stage: String) async {
            guard stage == self.stage else { return }
            await untilCancelled()
        }

        func willPrepare(_ request: inout Request, in context: PluginContext) async { await pass("willPrepare") }
        func prepare(_ request: inout Request, in context: PluginContext) async { await pass("prepare") }
        func willSend(_ request: Request, in context: PluginContext) async { await pass("willSend") }

        func didReceive(_ response: Response, to request: Request, in context: PluginContext) async -> Recovery {
            await pass("didReceive")
            return .none
        }

        func process(_ exchange: inout Exchange, in context: PluginContext) async -> Continuation {
            await pass("process")
            return .next
        }
    }

    @Test(arguments: ["willPrepare", "prepare", "willSend", "didReceive", "process"])
    func `a call ends at its deadline, whatever stage does not end`(stage: String) async throws {
        let shop = Shop(limit: 1, total: .milliseconds(300), plugins: [Endless(stage: stage)])
        let client = try shop.client
        let error = await #expect(throws: NetworkError.self) { try await client.send(ListOrders(), through: "shop") }
        #expect(error?.timeLimit == .total)
    }

    /// Performs nothing until its task is cancelled.
    private final class Hanging: Transport {
        private let arrived = AsyncStream<Void>.makeStream()

        /// Waits until an attempt has begun.
        func waitForAttempt() async { for await _ in arrived.stream { return } }

        func perform(_ request: TransportRequest, response: TransportResponseWriter) async throws {
            arrived.continuation.yield()
            await untilCancelled()
            throw CancellationError()
        }
    }

    @Test func `a call ends at its deadline in the queue, and a cancelled one at once`() async throws {
        let transport = Hanging()
        let client = Client(.init(limits: ["https://shop.example": RequestLimits(requests: 1)], transport: transport))
        let request = try Request("https://shop.example/orders")
        let first = Task { try await client.send(request) }
        await transport.waitForAttempt()
        var limited = request
        limited.options.timeouts.total = .milliseconds(300)
        let second = Task { [limited] in try await client.send(limited) }
        let late = await #expect(throws: NetworkError.self) { try await second.value }
        #expect(late?.timeLimit == .total)
        first.cancel()
        let cancelled = await #expect(throws: NetworkError.self) { try await first.value }
        #expect(cancelled?.isCancellation == true)
    }

    // MARK: Many requests

    /// Responds at once, and keeps nothing.
    private struct Immediate: Transport {
        func perform(_ request: TransportRequest, response: TransportResponseWriter) async throws {
            try await response.begin(Response(status: 200))
            try await response.write(Array("body".utf8))
        }
    }

    /// The resident memory of this process in bytes.
    private static func residentMemory() throws -> Int {
        let file = try #require(fopen("/proc/self/statm", "r"))
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 200)
        try #require(fgets(&text, Int32(text.count), file) != nil)
        let line = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let pages = try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Sends requests, 64 at the same time, with all observers on; `SORTIE_TRIAL_CALLS` is the number of them, a million for a complete trial.
    @Test func `memory stays flat over many requests, with observers, history and monitor on`() async throws {
        let count = getenv("SORTIE_TRIAL_CALLS").flatMap { Int(String(cString: $0)) } ?? 20_000
        let client = Client(.init(transport: Immediate()))
        let seen = Atomic<Int>(0)
        client.observeAttempts { _ in seen.add(1, ordering: .relaxed) }
        client.observeCalls { _ in seen.add(1, ordering: .relaxed) }
        let request = try Request("https://shop.example/orders")
        func send(_ count: Int) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<count {
                    if index >= 64 { _ = try await group.next() }
                    group.addTask {
                        let exchange = await client.exchange(request, onEvent: { _ in })
                        #expect(exchange.response?.status == 200)
                    }
                }
                try await group.waitForAll()
            }
        }
        try await send(count / 4)
        let before = try Self.residentMemory()
        try await send(count - count / 4)
        #expect(try Self.residentMemory() - before < 32 << 20)
        #expect(seen.load(ordering: .relaxed) == 2 * count)
        #expect(!client.monitor.snapshot().services.isEmpty)
    }
}

/// Returns when the current task is cancelled.
private func untilCancelled() async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    for await _ in stream {}
    continuation.finish()
}
