import Logging
import Metrics
import SortieNetworking
import Synchronization
import Tracing

// The code of the articles in Sources/SortieNetworking/Documentation.docc and of comments on declarations; it is compiled, and not run.

/// Receives a value, sends one, and downloads a file, which resumes where an earlier call ended.
func landingPage(_ change: Order) async throws {
    let client = Client()
    let order: Order = try await client.get("https://shop.example/orders/7")
    let updated: Order = try await client.put("https://shop.example/orders/7", json: change)
    let task = client.downloads.start(Download(try Request("https://shop.example/catalog.zip"), to: .file("/tmp/catalog.zip")))
    let result = await task.result
    print(order, updated, result.bytes)
    await client.shutDown()
}

func downloadingFiles(_ client: Client, _ digest: FileDigest) async throws {
    var download = Download(try Request("https://shop.example/catalog.zip"), to: .file("/tmp/catalog.zip"))
    download.connections = 4
    download.expectedDigest = digest
    let task = client.downloads.start(download)
    for await event in task.events {
        if case .progressed(let progress) = event { print(progress.received, progress.rate) }
    }
    let result = await task.result
    print(result.state)
}

func ecosystem() -> Client {
    var configuration = ClientConfiguration()
    configuration.logger = Logger(label: "shop")
    configuration.metrics = MetricsSystem.factory
    configuration.tracer = InstrumentationSystem.tracer
    return Client(configuration)
}

func errors(_ client: Client, _ request: Request, show: (String) -> Void) async -> Response? {
    do {
        try Task.checkCancellation()
        return try await client.send(request)
    } catch let error as NetworkError where !error.isCancellation {
        show(error.message)
    } catch {
        // cancelled
    }
    return nil
}

enum PluginsArticle {
    struct AttemptNumber: Plugin {
        func prepare(_ request: inout Request, in context: PluginContext) async throws {
            request.headers["X-Attempt"] = String(context.attempt)
        }
    }
}

func retry(_ request: inout Request) {
    request.options.retry = RetryPolicy(limit: 2)
}

func retryChoice(_ service: inout ServiceConfiguration) {
    service.retryChoice = { exchange, error in error == nil && exchange.response?.headers["X-Busy"] != nil ? true : nil }
}

func trust() -> Client {
    var shop = ServiceConfiguration(servers: ["live": ["https://shop.example"]])
    shop.options.trust.certificateAuthorityFile = "/etc/shop/ca.pem"
    shop.options.trust.pinFiles = ["/etc/shop/server.pem"]
    shop.options.requiresTLS = true
    shop.options.tlsPorts = [80: 443]
    return Client(.init(services: ["shop": shop], environment: "live"))
}

func webSocketComment(_ client: Client) async throws {
    let socket = try await client.webSocket(Request("https://shop.example/prices"))
    try await socket.send(.text("subscribe"))
    for try await message in socket.messages {
        print(message)
    }
}

func grpc(_ client: Client, _ order: [String: Int]) async throws {
    var request = try Request("https://shop.example", method: .post, body: .json(encoding: order))
    request.options.grpc = GRPCCall(method: "shop.Orders/Get")  // the types are those of server reflection
    let response = try await client.send(request)
    print(response.text ?? "", response.grpcStatus?.message ?? "")
}

func prices(_ client: Client) async throws {
    for try await event in client.serverSentEvents(try Request("https://shop.example/prices")) {
        print(event.type, event.data)
    }
}

// MARK: Comments

func refinedComment(_ client: Client) async throws -> Response {
    struct Orders: TypedEndpoint, Encodable {
        typealias Output = Response
        var page: Int
        var path: String { "/orders" }
    }
    struct OpenOrders: RefinedEndpoint, Encodable {
        var base = Orders(page: 1)
        var status = "open"
    }
    return try await client.send(OpenOrders(), through: "shop")
}

func transportComment() -> Client {
    struct Hello: Transport {
        func perform(_ request: TransportRequest, response: TransportResponseWriter) async throws {
            try await response.begin(Response(status: 200, headers: [HeaderField("Content-Type", "text/plain")]))
            try await response.write(Array("hello from \(request.url.path)".utf8))
        }
    }
    let client = Client(.init(transport: Hello()))
    return client
}

func requestComment() throws(NetworkError) -> Request {
    let request = try Request("https://shop.example/orders", query: [("page", "2")], headers: ["Accept": "application/json"])
    return request
}

struct Token: Decodable, Sendable {
    var text: String
}

func typedEndpointComment(_ client: Client) async throws -> Token {
    struct Login: TypedEndpoint, Encodable {
        var username: String
        var password: String

        var method: HTTPMethod { .post }
        var path: String { "/login" }
        var parameterPlacement: ParameterPlacement { .json }

        typealias Output = Token
    }
    let token = try await client.send(Login(username: "demo", password: "sortie"), through: "shop")
    return token
}
