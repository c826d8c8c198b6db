import SortieBase
import Support
import Testing
import WorkspaceModel

/// Tests completing GraphQL documents, and their mistakes, with the schema of a server.
@Suite struct GraphQLCompletionTests {
    private static let introspection = """
        {"data": {"__schema": {"queryType": {"name": "Query"}, "mutationType": {"name": "Mutation"}, "subscriptionType": null,
        "directives": [{"name": "skip", "args": [{"name": "if", "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "Boolean"}}}]}],
        "types": [
          {"kind": "OBJECT", "name": "Query", "fields": [
            {"name": "order", "description": "One order.", "type": {"kind": "OBJECT", "name": "Order"},
             "args": [{"name": "id", "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "ID"}}}]},
            {"name": "orders", "type": {"kind": "NON_NULL", "ofType": {"kind": "LIST", "ofType": {"kind": "OBJECT", "name": "Order"}}},
             "args": [{"name": "first", "type": {"kind": "SCALAR", "name": "Int"}}, {"name": "state", "type": {"kind": "ENUM", "name": "State"}}]},
            {"name": "node", "type": {"kind": "INTERFACE", "name": "Node"}, "args": []}]},
          {"kind": "OBJECT", "name": "Mutation", "fields": [
            {"name": "add", "type": {"kind": "OBJECT", "name": "Order"}, "args": [
              {"name": "order", "type": {"kind": "NON_NULL", "ofType": {"kind": "INPUT_OBJECT", "name": "NewOrder"}}}]}]},
          {"kind": "OBJECT", "name": "Order", "fields": [
            {"name": "id", "type": {"kind": "SCALAR", "name": "ID"}, "args": []}, {"name": "title", "type": {"kind": "SCALAR", "name": "String"}},
            {"name": "old", "isDeprecated": true, "type": {"kind": "SCALAR", "name": "String"}}]},
          {"kind": "INTERFACE", "name": "Node", "fields": [{"name": "id", "type": {"kind": "SCALAR", "name": "ID"}}]},
          {"kind": "INPUT_OBJECT", "name": "NewOrder", "inputFields": [
            {"name": "title", "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "String"}}},
            {"name": "state", "type": {"kind": "ENUM", "name": "State"}}]},
          {"kind": "ENUM", "name": "State", "enumValues": [{"name": "OPEN"}, {"name": "PAID"}]},
          {"kind": "SCALAR", "name": "ID"}, {"kind": "SCALAR", "name": "Int"}, {"kind": "SCALAR", "name": "String"},
          {"kind": "SCALAR", "name": "Boolean"}]}}}
        """

    private static func schema() throws -> GraphQLSchema { try #require(GraphQLSchema(introspection: try JSONValue(parsing: introspection))) }

    /// The suggested names at the mark `|`, after what is typed of a name.
    private func names(_ marked: String) throws -> [String]? {
        let parts = marked.split(separator: "|", omittingEmptySubsequences: false)
        return GraphQLCompletion.suggestions(in: parts.joined(), at: parts[0].count, try Self.schema())?.items.map(\.name)
    }

    @Test func `a schema has its types, roots and the notation of its types`() throws {
        let schema = try Self.schema()
        #expect(schema.roots == ["query": "Query", "mutation": "Mutation"])
        let orders = try #require(schema.types["Query"]?.fields.first { $0.name == "orders" })
        #expect(orders.type.description == "[Order]!" && orders.type.name == "Order" && orders.type.element?.description == "Order")
        #expect(schema.types["Query"]?.fields.first?.arguments.first?.isRequired == true)
    }

    @Test(arguments: [#"{"data": null}"#, #"{"data": {"__schema": {"types": []}}}"#, #"{"errors": [{"message": "no"}]}"#, "[]", "7"])
    func `another response is no schema`(text: String) throws {
        #expect(GraphQLSchema(introspection: try JSONValue(parsing: text)) == nil)
    }

    @Test(arguments: [
        ("{ | }", ["order", "orders", "node", "__typename", "__schema", "__type"]),
        ("{ or|", ["order", "orders", "node", "__typename", "__schema", "__type"]),
        ("{ order(id: 1) { | } }", ["id", "title", "old", "__typename"]), ("query Q { a: order(id: 1) { t|", ["id", "title", "old", "__typename"]),
        ("{ orders(|) { id } }", ["first", "state"]), ("{ orders(first: 1, s|", ["state"]), ("{ orders(state: |) { id } }", ["OPEN", "PAID"]),
        ("query Q($id: |) { order(id: $id) { id } }", ["Boolean", "ID", "Int", "NewOrder", "State", "String"]),
        ("query Q($id: ID!, $n: Int) { order(id: $|) { id } }", ["id", "n"]), ("mutation { add(order: {|}) { id } }", ["title", "state"]),
        ("mutation { add(order: {title: \"x\", state: P|", ["OPEN", "PAID"]),
        ("{ node { ... on | { id } } }", ["Mutation", "Node", "Order", "Query"]), ("fragment F on O|", ["Mutation", "Node", "Order", "Query"]),
        ("{ node { ...| } } fragment F on Order { id }", ["on", "F"]), ("{ node @| { id } }", ["skip"]), ("{ node @skip(|) { id } }", ["if"]),
        ("|", ["query", "mutation", "subscription", "fragment"]), ("{ order(id: 1) { id } } # a { comment\n{ node { | } }", ["id", "__typename"]),
    ])
    func `names are suggested where they can be written`(marked: String, names expected: [String]) throws {
        #expect(try names(marked) == expected)
    }

    @Test(arguments: ["{ order(id: \"a|b\") { id } }", "{ order(id: 1|2) { id } }", "query |Q { node { id } }"])
    func `nothing is suggested within a string or a number, and for a new name`(marked: String) throws {
        #expect((try names(marked) ?? []).isEmpty)
    }

    @Test func `a suggestion replaces the part of a name around the cursor, and has its type`() throws {
        let found = try #require(GraphQLCompletion.suggestions(in: "{ orders }", at: 5, try Self.schema()))
        #expect(found.before == 3 && found.after == 3)
        #expect(found.items.map(\.detail).prefix(2) == ["(id) Order", "(first, state) [Order]!"] && found.items.first?.summary == "One order.")
    }

    @Test(arguments: [
        "{ node { id } }",
        "query Q($id: ID!, $s: State = OPEN) { a: order(id: $id) { ...F id @skip(if: true) } orders(state: $s, first: 3) { title } }"
            + " fragment F on Order { title }",
        "mutation { add(order: {title: \"x # {\", state: PAID}) { id __typename } }", "{ order(id: {{orderId}}) { {{fields}} } }",
        "{ node { ... on Order { old } ... { id } } __type(name: \"Order\") { name } }", "{ order(id: \"\"\"block \"quoted\" text\"\"\") { id } }",
    ])
    func `a valid document has no mistake`(text: String) throws {
        #expect(GraphQLValidation.problems(in: text, try Self.schema()) == [])
    }

    @Test(arguments: [
        ("{ ordre(id: 1) { id } }", 2, "Query has no field ordre; did you mean order?"),
        ("{ order { id } }", 2, "order needs the argument id: ID!"), ("{ order(idd: 1) { id } }", 8, "order has no argument idd; did you mean id?"),
        ("{ node }", 2, "node is of the type Node and needs a selection of fields: node { … }"),
        ("{ node { id { x } } }", 12, "id is of the type ID, which has no fields"), ("{ node { } }", 7, "{ } has no fields"),
        ("{ node { id }", 0, "{ is not closed"), ("{ orders(state: PAYED) { id } }", 16, "State has no value PAYED; did you mean PAID?"),
        ("query Q($id: ID!) { order(id: $ids) { id } }", 31, "$ids is no variable of the operation; did you mean $id?"),
        ("query Q($o: Ordr) { node { id } }", 12, "there is no type Ordr for variables"),
        ("mutation { add(order: {state: OPEN}) { id } }", 22, "NewOrder needs the field title: String!"),
        ("mutation { add(order: {titel: \"\"}) { id } }", 23, "NewOrder has no field titel; did you mean title?"),
        ("subscription { node { id } }", 0, "the server has no subscription"),
        ("{ node { ...G } } fragment F on Node { id }", 12, "there is no fragment G"),
        ("{ node { ... on Ordr { id } } }", 16, "there is no type Ordr with fields; did you mean Order?"),
        ("{ node @skip { id } }", 8, "skip needs the argument if: Boolean!"),
        ("{ node @skp { id } }", 8, "there is no directive @skp; did you mean @skip?"),
        ("select 1", 0, "a definition begins with query, mutation, subscription or fragment"),
        ("{ orders(first 1) { id } }", 15, ": with the value of first"),
        ("}", 0, "query, mutation, subscription, fragment or { is expected, not }"),
        ("query Q(id: ID) { node { id } }", 8, "$ with the name of a variable"),
    ])
    func `a document with a mistake is rejected with its place and a remedy`(text: String, offset: Int, message: String) throws {
        let problem = try #require(GraphQLValidation.problems(in: text, try Self.schema()).first)
        #expect(problem.offset == offset && problem.message.hasPrefix(message), "\(problem)")
    }

    @Test func `no document ends the program or the reading`() throws {
        let schema = try Self.schema()
        let pieces = [
            "{", "}", "(", ")", "[", "]", ":", "$", "@", "...", "on", "query", "fragment", "F", "order", "id", "\"", "\"\"\"", "\\", "#", "\n", "{{",
            "}}", "1",
            "-", "é", "!", "=",
        ]
        var generator = SeededGenerator(seed: 4711)
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...14, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined(
                separator: " ")
            _ = GraphQLValidation.problems(in: text, schema)
            _ = GraphQLVariableValues.problems(in: text, query: text, operation: nil, schema)
            for offset in 0...text.count { _ = GraphQLCompletion.suggestions(in: text, at: offset, schema) }
        }
    }
}
