import SortieTesting
import Testing

@testable import Shop

/// The tests of a user's program: its endpoint types with canned responses in place of a server.
@Suite struct ShopTests {
    private let stub = StubTransport()
    private let client: Client

    init() throws {
        let shop = ServiceConfiguration(servers: ["live": ["https://shop.example"]], validatesStatus: true)
        client = Client(.init(services: ["shop": shop], environment: "live", transport: stub))
    }

    @Test func `the token of the login lists the orders`() async throws {
        stub.on(.post, "/login", .json(#"{"token": "t1"}"#))
        stub.on(.get, "/orders?page=1", try .json(encoding: [["id": 7]]), .status(503))
        let login = try await client.send(Login(username: "demo"), through: "shop")
        #expect(try await client.send(ListOrders(token: login.token), through: "shop").map(\.id) == [7])
        #expect(try stub.request(.post, "/login").json()["username"] == "demo")
        #expect(try stub.request(.get, "https://shop.example/orders")["Authorization"] == "Bearer t1")
        try stub.verify()
    }

    @Test func `a service that does not respond in time is reported`() async {
        stub.on(.get, "/orders", .json("[]").delayed(by: .seconds(3600)))
        let error = await #expect(throws: NetworkError.self) { try await client.send(ListOrders(token: "t1"), through: "shop") }
        #expect(error?.code == .timedOut)
    }

    @Test func `an interrupted download continues`() async throws {
        let file = StubFile([UInt8](repeating: 1, count: 300_000), entityTag: "\"v1\"")
        stub.on(
            .get, "/manual.pdf", replies: { file.response(to: $0).failing(.connectionLost, afterBytes: 10_000) }, { file.response(to: $0) })
        var download = Download(try client.request("/manual.pdf", through: "shop"), to: .folder("/tmp"))
        download.retryPause = .milliseconds(1)
        #expect(await client.downloads.start(download).result.bytes == 300_000)
        #expect(stub.requests.last?["Range"] == "bytes=5904-")
    }

    @Test func `recorded responses are fixtures`() async throws {
        try stub.replay(har: Array(#"{"log": {"entries": []}}"#.utf8), name: "orders.har", anyHost: true)
        #expect(throws: StubProblem.self) { try stub.replay(har: "Fixtures/missing.har") }
        #expect(stub.requests.map(\.summary) == [] && stub.requests(nil, "/**").allSatisfy(\.isMatched))
    }

    @Test func `responses can be varied`() async throws {
        var response = StubResponse.text("moved", status: 200)
        (response.reason, response.trailers, response.chunkSize, response.isWithheld) = ("Fine", [HeaderField("A", "b")], 2, false)
        response.failure = StubResponse.Failure(NetworkError(.truncatedBody, "cut"), afterBytes: 2)
        var file = StubFile([1, 2], entityTag: nil)
        (file.contentType, file.servesRanges) = ("application/pdf", false)
        stub.on(.get, "/a", .redirect(to: "/b"), .status(304), .withheld)
        stub.on(.get, "/b", response)
        #expect(file.bytes.count == 2 && file.entityTag == nil && response.chunkDelay == .zero && response.delay == .zero)
        await #expect(throws: NetworkError.self) { try await client.get("/a", through: "shop", as: String.self) }
        #expect(stub.requests.map(\.path) == ["/a", "/b"] && stub.requests.allSatisfy { $0.query == nil && $0.body.isEmpty && $0.text.isEmpty })
        #expect(StubTransport(waiting: .real).requests.isEmpty)
    }

    @Test func `a program can write its own transport`() async throws {
        struct Echo: Transport {
            func perform(_ request: TransportRequest, response: TransportResponseWriter) async throws {
                try await response.begin(Response(status: 200, headers: request.headers))
                for try await chunk in request.body { try await response.write(chunk) }
                let limit = request.timeLeft ?? request.idleLimit
                try await response.write(trailers: [HeaderField("Length", "\(request.body.length ?? 0) within \(limit)")])
            }
        }
        let echo = Client(.init(transport: Echo()))
        let request = Request(method: .post, url: try HTTPURL(parsing: "https://shop.example/"), body: .text("hello", contentType: "text/plain"))
        #expect(try await echo.send(request).text == "hello")
    }
}
