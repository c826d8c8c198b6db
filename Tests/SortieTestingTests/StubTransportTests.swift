import SortieClassic
import SortieTesting
import Support
import Testing

/// Tests the stub transport: routes, sequences, failures, virtual delays, and the recorded requests.
@Suite struct StubTransportTests {
    private let stub = StubTransport()
    private let folder: TemporaryFolder
    private let client: Client

    init() throws {
        folder = try TemporaryFolder()
        client = Client(.init(spoolFolder: folder.path, transport: stub))
    }

    private func exchange(_ url: String, _ method: HTTPMethod = .get, _ configure: (inout Request) -> Void = { _ in }) async throws -> Exchange {
        var request = Request(method: method, url: try HTTPURL(parsing: url))
        configure(&request)
        return try await withDeadline(.seconds(300), "the call to end") { [client, request] in await client.exchange(request) }
    }

    private struct Order: Codable, Equatable, Sendable { var id: Int }

    private struct AddOrder: TypedEndpoint, Encodable {
        typealias Output = Order
        var id: Int

        var method: HTTPMethod { .post }
        var path: String { "https://shop.example/orders" }
        var parameterPlacement: ParameterPlacement { .json }
    }

    // MARK: Routes

    @Test func `a typed call gets the canned response, and its request is recorded`() async throws {
        stub.on(.post, "/orders", try .json(encoding: Order(id: 8), status: 201))
        #expect(try await client.send(AddOrder(id: 7)) == Order(id: 8))
        let request = try stub.request(.post, "https://shop.example/orders")
        #expect(try request.json()["id"] == .number("7"))
        #expect(request["Content-Type"] == "application/json" && request["Host"] == "shop.example" && request["Content-Length"] == "8")
        try stub.verify()
    }

    @Test func `the responses of a route follow one another, and the last one is repeated`() async throws {
        stub.on(.get, "/orders", .failure(.connectionLost), .status(503), .json("[]"))
        var ends: [String] = []
        for _ in 0..<4 {
            let exchange = try await exchange("https://shop.example/orders")
            ends.append(exchange.error?.code.rawValue ?? exchange.response.map { "\($0.status)" } ?? "")
        }
        #expect(ends == ["connectionLost", "503", "200", "200"])
    }

    @Test func `a closure makes the response of the request`() async throws {
        stub.on(nil, "/echo/*") { .text("\($0.method) \($0.path) \($0.query ?? "") \($0["X-A"] ?? "") \($0.text)") }
        let exchange = try await exchange("https://shop.example/echo/1?a=b", .put) {
            $0.headers = [HeaderField("X-A", "c")]
            $0.body = .text("body", contentType: nil)
        }
        #expect(exchange.response?.text == "PUT /echo/1 a=b c body")
    }

    @Test(arguments: [
        ("/orders", true), ("orders", true), ("/orders?page=1", true), ("/*", true), ("/**", true), ("https://shop.example/orders", true),
        ("https://shop.example:443/orders", true), ("https://SHOP.example/**", true), ("/orders?page=2", false), ("/orders/*", false),
        ("/", false), ("/order", false), ("http://shop.example/orders", false), ("https://other.example/orders", false),
    ]) func `a route matches by path, and by origin and query where it names them`(pattern: String, isMatch: Bool) async throws {
        stub.on(.get, pattern, .status(200))
        let error = try await exchange("https://shop.example/orders?page=1").error
        #expect((error == nil) == isMatch)
        #expect(stub.requests(nil, pattern).count == (isMatch ? 1 : 0))
    }

    @Test func `a later route takes precedence, and a route of another method does not match`() async throws {
        stub.on(nil, "/**", .status(404))
        stub.on(.get, "/orders", .status(200))
        #expect(try await exchange("https://shop.example/orders").response?.status == 200)
        #expect(try await exchange("https://shop.example/orders", .delete).response?.status == 404)
    }

    @Test func `a request without a route fails, and the error lists the routes`() async throws {
        stub.on(.get, "/orders", .status(200))
        stub.on(nil, "/items/*", .status(200))
        let error = try #require(await exchange("https://shop.example/other").error)
        #expect(error.code == .internalFailure)
        #expect(
            error.message
                == "no route of the stub transport matches GET https://shop.example/other. Routes: GET /orders, any method /items/*.")
        #expect(error.hint == #"add the route with stub.on(.get, "/other", …)"#)
    }

    @Test func `verify names the requests without a route and the routes without a request`() async throws {
        stub.on(.get, "/orders", .status(200))
        _ = try await exchange("https://shop.example/other")
        let problem = #expect(throws: StubProblem.self) { try stub.verify() }
        #expect(
            problem?.description
                == "Requests that no route matches: GET https://shop.example/other. Routes without a request: GET /orders.")
    }

    @Test func `the error for a missing request lists the recorded ones`() async throws {
        stub.on(.get, "/**", .status(200))
        _ = try await exchange("https://shop.example/a")
        let problem = #expect(throws: StubProblem.self) { _ = try stub.request(.post, "/a") }
        #expect(problem?.description == "0 requests were sent to POST /a instead of one. Requests: GET https://shop.example/a.")
    }

    // MARK: The path of a call

    @Test func `redirects are followed, plugins take part, and the attempts are recorded`() async throws {
        struct Number: Plugin {
            func prepare(_ request: inout Request, in context: PluginContext) { request.headers["X-Attempt"] = "\(context.attempt)" }
        }
        stub.on(.get, "/old", .redirect(to: "/new"))
        stub.on(.get, "/new", .text("here"))
        let response = try await client.send(Request(url: HTTPURL(parsing: "https://shop.example/old")), plugins: [Number()])
        #expect(response.text == "here")
        #expect(stub.requests.map(\.path) == ["/old", "/new"])
        #expect(stub.requests.map { $0["X-Attempt"] } == ["1", "2"])
    }

    @Test func `a failed attempt is retried like one of the engine`() async throws {
        stub.on(.get, "/orders", .failure(.connectionRefused), .json("[]"))
        let exchange = try await exchange("https://shop.example/orders") { $0.options.retry = RetryPolicy(limit: 1) }
        #expect(exchange.response?.text == "[]")
        #expect(exchange.attempts.map { $0.error?.code } == [.connectionRefused, nil])
    }

    @Test func `cookies are stored and sent`() async throws {
        stub.on(.get, "/login", .status(204, headers: [HeaderField("Set-Cookie", "sid=1; Path=/")]))
        stub.on(.get, "/orders", .json("[]"))
        _ = try await exchange("https://shop.example/login")
        _ = try await exchange("https://shop.example/orders")
        #expect(try stub.request(.get, "/orders")["Cookie"] == "sid=1")
    }

    @Test func `a response that breaks off has its first bytes and the error`() async throws {
        stub.on(.get, "/orders", .text("0123456789").failing(.connectionLost, afterBytes: 4))
        let exchange = try await exchange("https://shop.example/orders")
        #expect(exchange.error?.code == .connectionLost)
        #expect(exchange.response?.text == "0123" && exchange.response?.truncation != nil)
    }

    @Test func `trailers, reason and timing reach the exchange`() async throws {
        var response = StubResponse(status: 200, body: Array("body".utf8)).delayed(by: .seconds(2), chunks: .seconds(3))
        (response.reason, response.trailers) = ("Fine", [HeaderField("Digest", "d")])
        stub.on(.get, "/orders", response)
        let exchange = try await exchange("https://shop.example/orders")
        #expect(exchange.response?.reason == "Fine" && exchange.response?.trailers["Digest"] == "d")
        #expect(exchange.attempts.first?.timing.firstByte == 2 && exchange.attempts.first?.timing.total == 5)
    }

    // MARK: Delays

    @Test func `a virtual delay that reaches the total time limit fails at once`() async throws {
        stub.on(.get, "/orders", .json("[]").delayed(by: .seconds(3000)))
        let exchange = try await exchange("https://shop.example/orders") {
            $0.options.timeouts.total = .seconds(2000)
            $0.options.timeouts.idle = .seconds(9000)
        }
        #expect(exchange.error?.code == .timedOut && exchange.error?.timeLimit == .total)
    }

    @Test func `a virtual delay that reaches the idle time limit fails at once`() async throws {
        stub.on(.get, "/orders", .json("[]").delayed(by: .seconds(3000)))
        let exchange = try await exchange("https://shop.example/orders") {
            $0.options.timeouts.total = nil
            $0.options.timeouts.idle = .seconds(1000)
        }
        #expect(exchange.error?.code == .timedOut && exchange.error?.timeLimit == .idle)
        #expect(exchange.attempts.first?.timing.total == 1000)
    }

    @Test func `a real delay takes its time`() async throws {
        let slow = StubTransport(waiting: .real)
        slow.on(.get, "/orders", .json("[]").delayed(by: .milliseconds(20)))
        let client = Client(.init(spoolFolder: folder.path, transport: slow))
        let exchange = await client.exchange(Request(url: try HTTPURL(parsing: "https://shop.example/orders")))
        #expect(try #require(exchange.attempts.first).timing.total >= 0.02)
    }

    @Test func `a withheld response ends with the cancellation of its call`() async throws {
        stub.on(.get, "/orders", .withheld)
        let running = client.start(Request(url: try HTTPURL(parsing: "https://shop.example/orders")))
        try await withDeadline(.seconds(300), "the request to be sent") { [stub] in
            while stub.requests.isEmpty {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
        running.cancel()
        let exchange = try await withDeadline(.seconds(300), "the call to end") { await running.exchange }
        #expect(exchange.error?.code == .cancelled)
    }

    // MARK: Events and bodies

    @Test func `events report the head, the progress and the body`() async throws {
        var response = StubResponse.text("0123456789")
        response.chunkSize = 5
        stub.on(.get, "/orders", response)
        let request = Request(url: try HTTPURL(parsing: "https://shop.example/orders"))
        let events = Watched<[CallEvent]>([])
        _ = await client.exchange(request) { event in events.change { $0.append(event) } }
        let texts = events.current.compactMap { event -> String? in
            switch event {
            case .responded(let response): "head \(response.status)"
            case .progressed(let progress): "progress \(progress.received) of \(progress.receivedTotal ?? -1)"
            case .grew(let body): "body \(body.string(in: 0..<body.count))"
            case .finished: "finished"
            default: nil
            }
        }
        #expect(
            texts == ["head 200", "progress 5 of 10", "body 01234", "progress 10 of 10", "body 0123456789", "finished"])
    }

    @Test func `the completion of a typed call receives its output`() async throws {
        stub.on(.post, "/orders", .json(#"{"id": 8}"#))
        let results = Watched<[Order]>([])
        let task = try client.task(
            AddOrder(id: 7),
            callbacks: .init { result in
                if case .success(let order) = result { results.change { $0.append(order) } }
            })
        task.start()
        #expect(try await results.wait("the completion", within: .seconds(300)) { $0.first } == Order(id: 8))
    }

    @Test func `a streamed response arrives in its chunks`() async throws {
        var response = StubResponse.text("data: one\n\ndata: two\n\n")
        response.chunkSize = 11
        stub.on(.get, "/events", response)
        let streamed = try await client.stream(Request(url: HTTPURL(parsing: "https://shop.example/events")))
        #expect(streamed.head.status == 200)
        #expect(try await streamed.body.collect(upTo: 100) == response.body)
    }

    @Test func `a body from a sequence, and one of parts with a file, are recorded whole`() async throws {
        stub.on(.post, "/upload", .status(204))
        let chunks = AsyncStream<[UInt8]> { continuation in
            for text in ["one ", "two"] { continuation.yield(Array(text.utf8)) }
            continuation.finish()
        }
        let request = Request(method: .post, url: try HTTPURL(parsing: "https://shop.example/upload"))
        _ = try await client.stream(request, body: chunks).exchange
        let file = try folder.write("photo.jpg", "photo")
        _ = try await exchange("https://shop.example/upload", .post) {
            $0.body = .multipart([.init(name: "a", content: .bytes(Array("1".utf8))), .file("photo", path: file)])
        }
        let bodies = stub.requests.map(\.text)
        #expect(bodies.first == "one two")
        let boundary = try #require(stub.requests.last?["Content-Type"]?.split(separator: "boundary=").last)
        #expect(
            bodies.last == """
                --\(boundary)\r
                Content-Disposition: form-data; name="a"\r
                \r
                1\r
                --\(boundary)\r
                Content-Disposition: form-data; name="photo"; filename="photo.jpg"\r
                Content-Type: image/jpeg\r
                \r
                photo\r
                --\(boundary)--\r

                """)
    }
}
