import SortieNetworking

/// The endpoints of a shop: a type for each, with what it needs and what it gives.
struct Login: TypedEndpoint, Encodable {
    struct Output: Decodable { var token: String }
    var username: String

    var method: HTTPMethod { .post }
    var path: String { "/login" }
    var parameterPlacement: ParameterPlacement { .json }
}

struct ListOrders: TypedEndpoint, Encodable {
    typealias Output = [Order]
    struct Order: Decodable, Sendable { var id: Int }
    var token: String
    var page = 1

    enum CodingKeys: CodingKey { case page }  // the token is no parameter
    var path: String { "/orders" }
    var headers: Headers { [HeaderField("Authorization", "Bearer \(token)")] }
}

/// A plugin takes part in every call of its service; this stage comes again at every attempt.
struct AttemptNumber: Plugin {
    func prepare(_ request: inout Request, in context: PluginContext) async throws {
        request.headers["X-Attempt"] = String(context.attempt)
    }
}

/// Logs in and lists the orders; `complain` gets a sentence when that fails.
func orders(of user: String, from shop: String, complain: (String) -> Void) async -> [ListOrders.Order] {
    let service = ServiceConfiguration(servers: ["live": [shop]], plugins: [AttemptNumber()], validatesStatus: true)
    let client = Client(.init(services: ["shop": service], environment: "live"))
    do {
        let login = try await client.send(Login(username: user), through: "shop")
        return try await client.send(ListOrders(token: login.token), through: "shop")
    } catch {
        switch error.errorClass {
        case .transport: complain("no answer: \(error.message)")
        case .http: complain("refused: \(error.message)")
        case .business: complain("not what was expected: \(error.message)")
        case .client: complain("never sent: \(error.message)")
        }
        return []
    }
}
