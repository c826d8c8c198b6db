import Support
import Testing

/// Tests the schema of a GraphQL server in the program, with strawberry-graphql.
@Suite(.serialized)
struct GraphQLSchemaRobotTests {
    @Test(.enabled(if: StrawberryServer.isAvailable), arguments: Bench.sizes)
    func `the schema of a server completes and checks a query`(size: Bench.Size) async throws {
        let server = try StrawberryServer.start()
        let endpoint = "name: Orders\nmethod: POST\npath: \(server.url)/graphql\nbody: {graphql: {query: \"{ orders { id } }\"}}\n"
        let bench = try await Bench.open(["api/orders.yaml": endpoint], size)
        // After the kind, the operation and the heading is the first line of the query.
        bench.press(.character("2"), .down, .down, .down, .enter, .control("a"), .control("k"))
        bench.terminal.type("{ ord")
        bench.press(.control(" "))
        try await bench.see("The schema has")
        bench.terminal.type("e")
        try await bench.see("orders", "(first) [Order!]!")
        bench.press(.down, .down, .tab)
        bench.terminal.type(" { titl ")
        try await bench.see("Order has no field titl; did you mean title?")
        bench.terminal.type("} }")
        bench.press(.escape)
        try await bench.seeNoMore("did you mean")
        bench.press(.control("r"), .character("3"))
        try await bench.see("200 OK")
        bench.press(.control("s"))
        try await bench.seeNoMore("• edited")
        try await bench.quit()
        withExtendedLifetime(server) {}
    }
}
