import SortieNetworking

// The code of the tutorial, Sources/SortieNetworking/Documentation.docc/Tutorial.md.

/// An order of the shop.
struct Order: Codable, Sendable, Equatable {
    var id: Int
    var item: String
}

/// An order that the shop has not numbered yet.
struct NewOrder: Codable, Sendable {
    var item: String
}

/// Sends a request and reads its response.
func firstRequest(_ server: String) async throws -> Int {
    let client = Client()
    let response = try await client.send(Request("\(server)/orders", headers: ["Accept": "application/json"]))
    print(response.status, response.headers["Content-Type"] ?? "no type", response.text ?? "no text")
    return response.status
}

/// Receives and sends values as JSON.
func values(_ client: Client, _ server: String) async throws -> [Order] {
    let orders: [Order] = try await client.get("\(server)/orders", query: [("page", "1")])
    let created: Order = try await client.post("\(server)/orders", json: NewOrder(item: "tea"))
    try await client.delete("\(server)/orders/\(created.id)")
    return orders + [created]
}

/// Handles every failure in one place.
func describeFailure(_ client: Client, _ url: String) async -> String {
    do {
        let order: Order = try await client.get(url)
        return "found \(order.item)"
    } catch  where error.isCancellation {
        return "cancelled"
    } catch {
        switch error.errorClass {
        case .transport: return "no response: \(error.message)"
        case .http: return "refused: \(error.message)"
        case .business: return "unusable response: \(error.message)"
        case .client: return "not sent: \(error.message)"
        }
    }
}

/// The endpoint that lists orders, as a type: its properties are the parameters.
struct ListOrders: TypedEndpoint, Encodable {
    var page = 1
    var item: String?

    typealias Output = [Order]
    var path: String { "/orders" }
}

/// A plugin takes part in every attempt.
struct LanguagePlugin: Plugin {
    func prepare(_ request: inout Request, in context: PluginContext) async throws {
        request.headers["X-Language"] = "en"
    }
}

/// Declares a service with its servers, options and plugins.
func shopClient(_ server: String) -> Client {
    var shop = ServiceConfiguration(servers: ["live": [server]], plugins: [LanguagePlugin()])
    shop.options.timeouts.total = .seconds(10)
    shop.options.retry = RetryPolicy(limit: 2)
    return Client(.init(services: ["shop": shop], environment: "live"))
}

/// Sends an endpoint to the service.
func listOrders(_ server: String) async throws -> [Order] {
    try await shopClient(server).send(ListOrders(page: 2), through: "shop")
}

/// Downloads a file, which resumes where it stopped when it is started again.
func download(_ client: Client, _ url: String, to path: String) async throws -> Int64 {
    let task = client.downloads.start(Download(try Request(url), to: .file(path)))
    for await event in task.events {
        if case .progressed(let progress) = event { print(progress.received) }
    }
    let result = await task.result
    if let error = result.error { throw error }
    return result.bytes
}

/// Reads a response while it arrives.
func stream(_ client: Client, _ url: String) async throws -> Int {
    let response = try await client.stream(Request(url))
    var count = 0
    for try await chunk in response.body { count += chunk.count }
    return count
}

/// Runs the steps of the tutorial against a shop.
public func runTutorial(_ server: String, downloadingTo path: String) async throws -> [String] {
    let client = Client()
    return [
        "\(try await firstRequest(server))", "\(try await values(client, server).map(\.item))",
        await describeFailure(client, "\(server)/missing"), "\(try await listOrders(server).map(\.item))",
        "\(try await download(client, "\(server)/orders", to: path))", "\(try await stream(client, "\(server)/orders"))",
    ]
}
