import Foundation

/// A route with the protocol of GraphQL over HTTP and one field.
enum GraphQLRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            Route(
                ["POST"], "/graphql",
                "GraphQL with the field order(id: $id); id is a variable. It is no implementation of the language: every field of an order that the "
                    + "query names is returned.", handle: order)
        ]
    }

    private struct Query: Decodable {
        /// The values of the variables.
        struct Variables: Decodable {
            let id: String?

            private enum CodingKeys: String, CodingKey { case id }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                // An ID is a text or a number (GraphQL specification §3.5.5).
                if let number = try? container.decode(Int.self, forKey: .id) {
                    id = String(number)
                } else {
                    id = try container.decodeIfPresent(String.self, forKey: .id)
                }
            }
        }

        let query: String
        let variables: Variables?
    }

    private static func order(_ call: Call) async throws -> Reply {
        let request: Query
        do { request = try JSONDecoder().decode(Query.self, from: try await call.body.collect(limit: 64 << 10)) } catch is DecodingError {
            return reply(["errors": [["message": "The body must be JSON with the members query and variables."]]], call, status: 400)
        }
        let words = Set(request.query.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
        if words.contains("__schema") { return reply(GraphQLTypes.description, call) }
        guard words.contains("order") else { return failure("The query must have the field order(id: $id).", call) }
        guard let text = request.variables?.id else { return failure("The variable $id of the type ID! has no value.", call) }
        guard let id = Int(text), (1...OrderRoutes.total).contains(id), case .object(let members) = OrderRoutes.order(id) else {
            let error: JSON = [
                "message": .string("There is no order \(text); there are 1 to \(OrderRoutes.total)."), "path": ["order"],
                "extensions": ["code": "NOT_FOUND"],
            ]
            return reply(["data": ["order": .null], "errors": [error]], call)
        }
        return reply(["data": ["order": .object(members.filter { words.contains($0.0) })]], call)
    }

    /// The response to a request that cannot be executed, which has no data.
    private static func failure(_ message: String, _ call: Call) -> Reply { reply(["errors": [["message": .string(message)]]], call) }

    /// A response with the media type that the client accepts (GraphQL over HTTP §6.1).
    private static func reply(_ value: JSON, _ call: Call, status: Int = 200) -> Reply {
        let accepts = call.header("Accept")?.contains("application/graphql-response+json") == true
        let type = accepts ? "application/graphql-response+json" : "application/json"
        return Reply(status, headers: [("Content-Type", type + "; charset=utf-8")], body: .data(Data(value.text.utf8)))
    }
}
