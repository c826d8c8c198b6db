import Foundation
import SortieTesting
import Synchronization
import Testing

// The code of Sources/SortieNetworking/Documentation.docc/Testing.md and of comments on the stub transport.

/// An order of the shop.
private struct Order: Codable, Sendable {
    var id: Int
}

/// The code under test: logs in and lists orders.
private struct Shop {
    private struct Login: Codable { var token: String }

    let client: Client

    func orders() async throws -> [Order] {
        let login: Login = try await client.post("https://shop.example/login", json: ["username": "demo"])
        var request = try Request("https://shop.example/orders")
        request.options.retry = RetryPolicy(limit: 1)
        request.options.credential = .bearer(token: login.token)
        return try await client.send(request).decoded()
    }
}

@Test func `the orders of a customer are listed`() async throws {
    let stub = StubTransport()
    stub.on(.post, "/login", .json(#"{"token": "t1"}"#))
    stub.on(.get, "/orders", .failure(.connectionLost), .json(#"[{"id": 7}]"#))  // in this order; the last one is repeated
    let shop = Shop(client: Client(.init(transport: stub)))
    #expect(try await shop.orders().map(\.id) == [7])
    #expect(stub.requests(.get, "/orders").map { $0["Authorization"] } == ["Bearer t1", "Bearer t1"])
    try stub.verify()  // no unknown request, no unused route
}

@Test func `routes have methods, patterns and responses`() async throws {
    let stub = StubTransport()
    stub.on(nil, "/**", .status(404))
    stub.on(.get, "https://api.shop.example/items/*", .json("{}"))
    stub.on(.post, "/orders") { request in .json(request.text, status: 201) }  // a response made of the request
    stub.on(.get, "/old", .redirect(to: "/new"))
    let client = Client(.init(transport: stub))
    #expect(try await client.send(Request("https://api.shop.example/old")).status == 404)
    #expect(try await client.send(Request("https://api.shop.example/items/7")).text == "{}")
    #expect(stub.requests.map(\.path) == ["/old", "/new", "/items/7"])
}

@Test func `an interrupted download continues`() async throws {
    let (stub, bytes) = (StubTransport(), [UInt8](repeating: 1, count: 300_000))
    let path = "/tmp/sortie-articles-\(ProcessInfo.processInfo.globallyUniqueString)"
    let client = Client(.init(transport: stub))
    let file = StubFile(bytes, entityTag: "\"v1\"")
    stub.on(
        .get, "/big.iso", replies: { file.response(to: $0).failing(.connectionLost, afterBytes: 10_000) }, { file.response(to: $0) })
    var download = Download(try Request("https://shop.example/big.iso"), to: .file(path))
    download.retryPause = .milliseconds(1)
    #expect(await client.downloads.start(download).result.bytes == 300_000)
    #expect(stub.requests.map { $0["Range"] } == [nil, "bytes=5904-"])
}

@Test func `a missing archive is an error that names it`() throws {
    func fixtures(_ stub: StubTransport) throws {
        try stub.replay(har: "Fixtures/orders.har", anyHost: true)  // compares path and query only
    }
    #expect(throws: StubProblem.self) { try fixtures(StubTransport()) }
}

@Test func `the requests of the code under test are recorded`() async throws {
    let stub = StubTransport()
    stub.on(.get, "/orders", .json(#"[{"id": 7}]"#))
    stub.on(.post, "/orders") { request in .json(request.text, status: 201) }
    let client = Client(.init(transport: stub))
    let orders: [[String: Int]] = try await client.get("https://shop.example/orders")
    try await client.post("https://shop.example/orders", json: orders)
    #expect(try stub.request(.post, "/orders")["Content-Type"] == "application/json")
    try stub.verify()
}

@Test func `the first connection of a file breaks`() async throws {
    let (stub, bytes) = (StubTransport(), [UInt8](repeating: 1, count: 300_000))
    let file = StubFile(bytes, entityTag: "\"v1\"")
    stub.on(
        .get, "/big.iso", replies: { file.response(to: $0).failing(.connectionLost, afterBytes: 1000) },  // the first connection breaks
        { file.response(to: $0) })  // the next one continues
    let (client, request) = (Client(.init(transport: stub)), try Request("https://shop.example/big.iso"))
    #expect(await client.exchange(request).response?.body.count == 1000)
    #expect(await client.exchange(request).response?.body.count == 300_000)
}

/// Loses the first request, and passes the others on to the engine.
final class LosingFirst: Transport {
    let usesEngine = true
    private let count = Mutex(0)

    func perform(_ request: TransportRequest, response: TransportResponseWriter) async throws {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if number == 1 { throw NetworkError(.connectionLost, "the first request is lost") }
        try await EngineTransport().perform(request, response: response)
    }
}

@Test func `the first request is lost, and the second one reaches the network`() async throws {
    let client = Client(.init(transport: LosingFirst()))
    // Nothing listens on port 1.
    let request = try Request("http://127.0.0.1:1/")
    #expect(await client.exchange(request).error?.code == .connectionLost)
    #expect(await client.exchange(request).error?.code == .connectionRefused)
}
