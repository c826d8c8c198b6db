import Foundation
import Support
import Testing

/// Tests endpoints with a GraphQL body in `send` and `run`.
@Suite(.serialized)
struct SendGraphQLTests {
    private func workspace(_ url: String, _ endpoint: String) throws -> Sortie {
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\nenvironment: dev\nenvironments: {dev: {variables: {id: 7}}}\n")
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(url)\"]}\n")
        try sortie.write("api/a.yaml", "path: /graphql\n" + endpoint)
        try sortie.write("runs/one.yaml", "chain:\n  - {send: api/a}\n")
        return sortie
    }

    private static let partial =
        #"{"data": {"a": null}, "errors": [{"message": "no a", "path": ["a", 0, "b"], "locations": [{"line": 1, "column": 3}]}]}"#

    @Test func `the JSON of the request is posted, with the media types of GraphQL`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"data": {"a": 1}}"#))
        let sortie = try workspace(server.url, "body: {graphql: {query: \"query Q { a }\", variables: {id: \"{{id}}\"}, operation: Q}}\n")
        #expect(try await sortie.run("send", "api/a").status == .exited(0))
        let request = try #require(server.requests.first)
        #expect(request.method == "POST" && request["Content-Type"] == "application/json")
        #expect(request["Accept"] == "application/graphql-response+json, application/json")
        #expect(request.bodyText == #"{"query": "query Q { a }", "operationName": "Q", "variables": {"id": "7"}}"#)
    }

    @Test func `errors fail the request beside data, with message, path and place`() async throws {
        let server = try ScriptedServer(answering: .json(Self.partial))
        let sortie = try workspace(server.url, "body: {graphql: \"{ a { b } }\"}\n")
        let run = try await sortie.run("send", "api/a")
        #expect(run.status == .exited(1) && run.output == Self.partial, "\(run)")
        #expect(run.errorOutput == "sortie: expectation: $.errors[0]: no a; at a[0].b; line 1, column 3 of the query\n")
        let report = try await sortie.run("run", "one", "--junit", "-")
        #expect(report.status == .exited(1) && report.output.contains("$.errors[0]: no a"), "\(report)")
    }

    @Test(arguments: [
        (200, #"{"message": "maintenance"}"#, "response: expected data or errors, got neither of them"),
        (200, "<html>", "response: expected data or errors, got the body is not JSON"),
        (200, #"{"data": null, "errors": "x"}"#, "response: expected data or errors, got errors, which is not a list"),
        (400, #"{"errors": [{"message": "Syntax Error"}]}"#, "$.errors[0]: Syntax Error"),
    ])
    func `a response that is not one of GraphQL, or only errors, fails`(status: Int, body: String, message: String) async throws {
        let server = try ScriptedServer(answering: .status(status, body))
        let run = try await workspace(server.url, "body: {graphql: \"{ a }\"}\n").run("send", "api/a")
        #expect(run.status == .exited(1) && run.errorOutput.contains(message), "\(run)")
    }

    @Test(arguments: ["expect: {json: {\"$.errors[0].message\": no a}}\n", "expect: {json: {$.errors: exists, $.data.a: \"null\"}}\n"])
    func `an endpoint can expect errors`(expectation: String) async throws {
        let server = try ScriptedServer(answering: .json(Self.partial))
        let run = try await workspace(server.url, "body: {graphql: \"{ a }\"}\n" + expectation).run("send", "api/a")
        #expect(run.status == .exited(0), "\(run)")
    }

    @Test func `a refusal without a GraphQL response is a response, as for other bodies`() async throws {
        let server = try ScriptedServer(answering: .status(401, #"{"code": 1}"#))
        #expect(try await workspace(server.url, "body: {graphql: \"{ a }\"}\n").run("send", "api/a").status == .exited(0))
        let refusal = try ScriptedServer(answering: .status(400, #"{"errors": [{"message": "x"}]}"#))
        let sortie = try workspace(refusal.url, "body: {graphql: \"{ a }\"}\nexpect: {status: 400}\n")
        #expect(try await sortie.run("send", "api/a").status == .exited(0))
    }

    // MARK: strawberry-graphql

    private static let query = """
        body:
          graphql:
            query: |
              query One($id: ID!) { order(id: $id) { id title } }
              query Many($first: Int!) { orders(first: $first) { id price } }
              mutation Rename($id: ID!, $title: String!) { rename(id: $id, title: $title) { title } }
        """

    @Test(.enabled(if: StrawberryServer.isAvailable, "no strawberry-graphql on this machine"))
    func `strawberry executes the operation with its variables, by POST and by GET`() async throws {
        let server = try StrawberryServer.start()
        let sortie = try workspace(server.url, Self.query + "\n    variables: {id: \"{{id}}\"}\n    operation: One\n")
        #expect(try await sortie.run("send", "api/a").output == #"{"data":{"order":{"id":"7","title":"Tea"}}}"#)
        try sortie.write("api/a.yaml", "path: /graphql\nmethod: GET\n" + Self.query + "\n    variables: {id: \"8\"}\n    operation: One\n")
        #expect(try await sortie.run("send", "api/a").output == #"{"data":{"order":{"id":"8","title":"Tea"}}}"#)
        let title = "Tee \\\"süß\\\" \\n{x}"
        try sortie.write(
            "api/a.yaml", "path: /graphql\n" + Self.query + "\n    variables: {id: 1, title: \"\(title)\"}\n    operation: Rename\n")
        #expect(try await sortie.run("send", "api/a").output == #"{"data":{"rename":{"title":"Tee \"s\u00fc\u00df\" \n{x}"}}}"#)
    }

    @Test(.enabled(if: StrawberryServer.isAvailable, "no strawberry-graphql on this machine"))
    func `an error beside data and an invalid query of strawberry fail`() async throws {
        let server = try StrawberryServer.start()
        let sortie = try workspace(server.url, Self.query + "\n    variables: {first: 2}\n    operation: Many\n")
        let run = try await sortie.run("send", "api/a")
        #expect(run.status == .exited(1) && run.output.contains(#""price":9.5"#), "\(run)")
        #expect(
            run.errorOutput
                == "sortie: expectation: $.errors[0]: the price of 13 is unknown; at orders[1].price; line 2, column 55 of the query\n", "\(run)")
        try sortie.write("api/a.yaml", "path: /graphql\nbody: {graphql: \"{ nope }\"}\n")
        let invalid = try await sortie.run("run", "one")
        #expect(invalid.status == .exited(1), "\(invalid)")
        #expect((invalid.output + invalid.errorOutput).contains("Cannot query field 'nope' on type 'Query'."), "\(invalid)")
    }
}
