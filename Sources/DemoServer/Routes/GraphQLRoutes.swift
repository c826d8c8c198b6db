import Foundation
import SortieBase

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
        return reply(["data": ["order": .object(members.filter { words.contains($0.key) })]], call)
    }

    /// The response to a request that cannot be executed, which has no data.
    private static func failure(_ message: String, _ call: Call) -> Reply { reply(["errors": [["message": .string(message)]]], call) }

    /// A response with the media type that the client accepts (GraphQL over HTTP §6.1).
    private static func reply(_ value: JSON, _ call: Call, status: Int = 200) -> Reply {
        let accepts = call.header("Accept")?.contains("application/graphql-response+json") == true
        let type = accepts ? "application/graphql-response+json" : "application/json"
        return Reply(status, headers: [("Content-Type", type + "; charset=utf-8")], body: .data(Data(value.compactText.utf8)))
    }
}

/// The types of the GraphQL route as introspection describes them (GraphQL specification, October 2021, §4).
enum GraphQLTypes {
    /// The response to an introspection query, whatever it selects.
    static var description: JSON {
        let id = nonNull(named("ID", "SCALAR"))
        return [
            "data": [
                "__schema": [
                    "queryType": ["name": "Query"], "mutationType": .null, "subscriptionType": .null, "directives": directives,
                    "types": .array([
                        object("Query", [field("order", "An order by its number.", named("Order", "OBJECT"), arguments: [input("id", id)])]),
                        object(
                            "Order",
                            [
                                field("id", "The number.", id), field("title", "What was ordered.", nonNull(named("String", "SCALAR"))),
                                field("price", "In euros.", nonNull(named("Float", "SCALAR"))),
                                field("paid", "Whether it is paid.", nonNull(named("Boolean", "SCALAR"))),
                            ]),
                        scalar("ID"), scalar("String"), scalar("Float"), scalar("Boolean"),
                    ]),
                ]
            ]
        ]
    }

    private static var directives: JSON {
        let condition = JSON.array([input("if", nonNull(named("Boolean", "SCALAR")))])
        return .array([["name": "skip", "args": condition], ["name": "include", "args": condition]])
    }

    private static func named(_ name: String, _ kind: String) -> JSON { ["kind": .string(kind), "name": .string(name), "ofType": .null] }

    private static func nonNull(_ type: JSON) -> JSON { ["kind": "NON_NULL", "name": .null, "ofType": type] }

    private static func scalar(_ name: String) -> JSON { ["kind": "SCALAR", "name": .string(name)] }

    private static func object(_ name: String, _ fields: [JSON]) -> JSON {
        ["kind": "OBJECT", "name": .string(name), "fields": .array(fields), "inputFields": .null, "enumValues": .null]
    }

    private static func input(_ name: String, _ type: JSON) -> JSON { ["name": .string(name), "type": type, "defaultValue": .null] }

    private static func field(_ name: String, _ description: String, _ type: JSON, arguments: [JSON] = []) -> JSON {
        [
            "name": .string(name), "description": .string(description), "isDeprecated": .bool(false), "args": .array(arguments), "type": type,
        ]
    }
}
