import FoundationEssentials
import SortieNetworking
import SortieTesting

// The code of Sources/sortie/Documentation.docc/Library.md; it is compiled, and not run. Its longest part is Sources/Shop/LibraryExample.swift.

struct Order: Codable, Sendable {
    var id: Int
}

struct Item: Codable, Sendable {
    var name: String
}

func firstSteps() async throws {
    let client = Client()
    let request = try Request("https://example.com/orders", query: [("page", "1")], headers: ["Accept": "application/json"])
    let response = try await client.send(request)
    print(response.status, response.body.count)

    for await event in client.events(request) {  // what happens, while it happens
        if case .progressed(let progress) = event { print(progress.received) }
    }
    await client.shutDown()  // ends what still runs, and waits for it
}

func oneLineCalls(_ client: Client, _ change: Order) async throws {
    let orders: [Order] = try await client.get("https://shop.example/orders", query: [("page", "1")])
    let order: Order = try await client.put("/orders/7", json: change, through: "shop", with: CallSettings(filter: Envelope.results.filter))
    print(orders, order)
}

func sharedClient(_ shop: ServiceConfiguration, _ request: Request) async throws {
    try Client.configureShared(.init(services: ["shop": shop], environment: "live"))
    let response = try await Client.shared.send(request)
    print(response.status)
}

func options(_ configuration: inout ClientConfiguration, _ request: inout Request) {
    configuration.standardFields = StandardFields(application: "Shop", version: "2.1")  // User-Agent: Shop/2.1 (Linux 6.1; x86_64)
    request.options.serviceType = .background  // the traffic class of the packets (IP_TOS)
    request.options.trust.pinFiles = ["server.pem"]  // certificates or public keys, PEM or DER
    request.body = .multipart([.file("photo", path: "/tmp/photo.jpg")])  // image/jpeg, by its name
}

struct Search: TypedEndpoint, Encodable {
    var text: String
    var tags: [String] = []
    var since: Date?

    typealias Output = [Item]
    var path: String { "/search" }
    var parameterEncoder: any ParameterEncoder { ParameterEncoding(arrays: .repeated, dates: .secondsSince1970) }
    var parameterRules: [ParameterRule] { [ParameterRule("text", isRequired: true, longest: 100)] }
}

func feeds(_ client: Client, _ request: Request) async throws -> [String] {
    let feed: XMLTree = try await client.send(request, as: .xml)
    let titles = feed.elements(named: "entry").compactMap { $0["title"]?.text }
    return titles
}

enum ServicesPart {
    struct Login: TypedEndpoint, Encodable {
        var username: String
        typealias Output = Token
        var path: String { "/login" }
    }

    static func services() async throws {
        let shop = ServiceConfiguration(
            servers: ["develop": ["http://127.0.0.1:8080"], "release": ["https://a.shop.example", "https://b.shop.example"]],
            headers: [HeaderField("Accept", "application/json")], credential: .bearer(token: "…"))
        let client = Client(.init(services: ["shop": shop], environment: "develop"))
        let token = try await client.send(Login(username: "demo"), through: "shop")
        client.switchServer(of: "shop")  // the next of the ring, for requests that are made from now on
        let report = client.monitor.snapshot()  // requests, errors, latencies by service, server, address

        let task = client.start(try client.request("/orders", through: "shop"))
        task.suspend(); task.resume(); task.cancel()
        print(token, report)
    }
}

enum LayersPart {
    struct ListOrders: TypedEndpoint {
        var token: String
        typealias Output = [Order]
        var path: String { "/orders" }
        var headers: Headers { [HeaderField("Authorization", "Bearer \(token)")] }
        func parameters() -> [ParameterValue.Member] { [] }
    }

    static func layers(_ shop: inout ServiceConfiguration, _ client: Client, _ pin: String, _ token: String) async throws {
        shop.options.trust = TrustPolicy(certificateAuthorityFile: "/etc/shop.pem", pins: [pin])
        var options = RequestOptions()
        options.timeouts.total = .seconds(5)  // keeps the authority and the pins of the service
        let orders = try await client.send(ListOrders(token: token), through: "shop", options: options)
        options.trust = .system  // replaces the complete policy
        print(orders, options)
    }
}

func downloads(_ client: Client, _ request: Request) async {
    let file = client.downloads.start(Download(request, to: .file("/tmp/orders.json")))
    file.pause()  // file.resume(), file.cancel(); file.events reports progress
    print(await file.result.state)
}

func uploads(_ client: Client, _ requests: [Request]) async throws {
    let uploads = UploadBatch(requests, with: client, concurrency: 2, removesConfirmedFiles: true)
    let left = try await uploads.run()  // continues after failures; run() again sends only what is left
    print(left)
}

func streams(_ client: Client, _ request: Request, _ chunks: AsyncStream<[UInt8]>) async throws {
    let response = try await client.stream(request)  // returns when the head has arrived
    print(response.head.status)
    for try await chunk in response.body { print(chunk.count) }  // [UInt8]; throws where the body ends early

    for try await value in response.body.jsonLines() { print(value.text) }  // NDJSON; lines(limit:) for other text
    for try await event in client.serverSentEvents(request) { print(event.type, event.data, event.id) }
    let sent = try await client.stream(request, body: chunks, length: nil)  // any AsyncSequence of [UInt8]
    let stored = try await client.send(request, body: chunks, length: nil)  // waits for the whole response
    print(sent.head.status, stored.status)
}

func stubs(_ shop: ServiceConfiguration) throws -> Client {
    let stub = StubTransport()
    stub.on(.get, "/orders", .failure(.connectionLost), .json(#"[{"id": 7}]"#))
    let client = Client(.init(services: ["shop": shop], environment: "live", transport: stub))
    // … the code under test …
    print(try stub.request(.get, "/orders")["Authorization"] ?? "")
    return client
}

func cachedResponses(_ client: Client, _ request: Request, _ response: Response) async throws {
    let (entries, problems) = await client.cache.entries()  // method, URL, response, size, age
    try await client.cache.store(response, for: request)  // request.options.cacheLifetime must be set
    let stored = try await client.cache.response(to: request)  // regardless of its age; nothing is sent
    await client.cache.removeAll(ofService: "shop")
    print(entries.count, problems.count, stored?.status ?? 0)
}
