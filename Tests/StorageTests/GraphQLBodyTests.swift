import SortieHTTP
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests GraphQL bodies in endpoint files.
@Suite struct GraphQLBodyTests {
    private static let file = """
        path: /graphql
        body:
          graphql:
            # the order
            query: |
              query Order($id: ID!) {
                order(id: $id) { id }
              }
            variables: {id: "{{orderId}}", first: 2}
            operation: Order

        """

    @Test func `query, variables and operation are read, and the method is POST`() throws {
        let endpoint = try #require(try TemporaryWorkspace.endpoint(Self.file))
        #expect(endpoint.method == .post)
        #expect(
            endpoint.body
                == .graphQL(
                    GraphQLTemplate(
                        query: "query Order($id: ID!) {\n  order(id: $id) { id }\n}\n",
                        variables: "{\n  \"id\": \"{{orderId}}\",\n  \"first\": 2\n}", operation: "Order")))
        #expect(try TemporaryWorkspace.problems(inEndpoint: Self.file).isEmpty)
    }

    @Test func `a text is the query, and a given method is kept`() throws {
        let endpoint = try TemporaryWorkspace.endpoint("path: /\nmethod: GET\nbody: {graphql: \"{ me { name } }\"}\n")
        #expect(endpoint?.body == .graphQL(GraphQLTemplate(query: "{ me { name } }")) && endpoint?.method == .get)
    }

    @Test(arguments: [
        ("{variables: {a: 1}}", "graphql has no query; write graphql: {query: \"{ … }\"}"),
        ("{query: \"{ a }\", variables: [1]}", "variables must be a mapping of names to values, or the text of a JSON object, not a list"),
        ("{query: \"{ a }\", variables: text}", "variables must be a mapping of names to values, or the text of a JSON object, not the text “text”"),
        ("{query: \"{ a }\", variable: {a: 1}}", "variable"),
    ])
    func `a mistake is reported with its remedy`(value: String, message: String) throws {
        let file = "path: /\nbody: {graphql: \(value)}\n"
        let problems = try TemporaryWorkspace.problems(inEndpoint: file) + TemporaryWorkspace.problems(inEndpoint: file, severity: .warning)
        #expect(problems.contains { $0.contains(message) }, "\(problems)")
    }

    @Test(arguments: [
        ("query A { a }", "B", "the query has no operation “B”"), ("query First { a } query Second { b }", "Fist", "did you mean “First”?"),
        ("{ a }", "A", "remove operation, or name it in the query"),
    ])
    func `an operation that the query does not have is a warning at its name`(query: String, operation: String, message: String) throws {
        let file = "path: /\nbody:\n  graphql:\n    query: \"\(query)\"\n    operation: \(operation)\n"
        let problems = try TemporaryWorkspace.problems(inEndpoint: file, severity: .warning)
        #expect(problems.count == 1 && problems[0].hasPrefix("5:16 graphql: ") && problems[0].contains(message), "\(problems)")
    }

    @Test(arguments: [("query A { a }", "A"), ("query A { a }", "{{host}}"), ("query {{host}} { a }", "B"), ("query A {", "B")])
    func `an operation of the query, or one that a template may give, is no problem`(query: String, operation: String) throws {
        let file = "path: /\nvariables: {host: h}\nbody: {graphql: {query: \"\(query)\", operation: \"\(operation)\"}}\n"
        #expect(try TemporaryWorkspace.problems(inEndpoint: file, severity: .warning) == [])
    }

    /// The file after a change, which has to be read as the changed endpoint.
    private func saved(_ text: String = Self.file, _ change: (inout Endpoint) -> Void) throws -> String {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": text])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        change(&endpoint)
        let saved = try workspace.save(endpoint, replacing: original)
        #expect(try workspace.load().endpoint("shop/a") == saved)
        return try workspace.read("shop/a.yaml")
    }

    @Test func `saving without an edit changes nothing`() throws {
        #expect(try saved { _ in } == Self.file)
        let short = "path: /\nbody: {graphql: \"{ a }\"}\n"
        #expect(try saved(short) { _ in } == short)
    }

    @Test func `an edited variable changes only its value`() throws {
        let text = try saved {
            $0.body = .graphQL(
                GraphQLTemplate(
                    query: "query Order($id: ID!) {\n  order(id: $id) { id }\n}\n",
                    variables: "{\n  \"id\": \"{{orderId}}\",\n  \"first\": 3\n}", operation: "Order"))
        }
        #expect(text == Self.file.replacing("first: 2", with: "first: 3"))
    }

    @Test func `the query of the short form is replaced, and a variable makes it a mapping`() throws {
        let short = "path: /\nbody: {graphql: \"{ a }\"}\n"
        #expect(try saved(short) { $0.body = .graphQL(GraphQLTemplate(query: "{ b }")) } == short.replacing("{ a }", with: "{ b }"))
        let changed = try saved(short) { $0.body = .graphQL(GraphQLTemplate(query: "{ b }", variables: "{\n  \"n\": 1\n}")) }
        #expect(changed.contains("variables"), "\(changed)")
    }

    @Test func `the method is written where it is not the default of the body`() throws {
        #expect(try saved { $0.method = .get }.contains("method: GET"))
        #expect(try saved { $0.body = .none }.contains("method: POST"))
        let text = try saved("path: /\n") {
            $0.method = .post
            $0.body = .graphQL(GraphQLTemplate(query: "{ a }"))
        }
        #expect(!text.contains("method"), "\(text)")
    }
}
