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
