import SortieBase
import SortieHTTP
import Testing

@testable import WorkspaceModel

/// Tests requests of endpoints with a GraphQL body.
@Suite struct GraphQLRequestTests {
    private func request(
        _ body: GraphQLTemplate, method: HTTPMethod = .post, _ change: (inout Service, inout Endpoint) -> Void = { _, _ in }
    ) throws -> Request {
        var workspace = Workspace(name: "W", folder: "/w")
        workspace.variables = ["name": "a \"b\"", "id": "7", "object": "{\"x\": 1}", "list": "[1]"]
        var service = Service(folder: "shop", name: "Shop")
        service.servers = ["develop": ["http://h"]]
        var endpoint = Endpoint(target: "shop/q", name: "Q", method: method, path: "/graphql")
        endpoint.body = .graphQL(body)
        change(&service, &endpoint)
        service.endpoints = [endpoint]
        workspace.services = [service]
        let builder = RequestBuilder(workspace: workspace, environment: "develop")
        return try builder.request(for: endpoint, in: builder.scope(of: endpoint, builtin: { _, _ in nil }))
    }

    private func text(_ request: Request) throws -> String {
        guard case .bytes(let bytes, let type) = request.body else { throw Missing() }
        #expect(type == "application/json")
        return String(decoding: bytes, as: UTF8.self)
    }

    private struct Missing: Error {}

    @Test func `the JSON has query, operation and variables with the values of templates`() throws {
        let body = GraphQLTemplate(
            query: "query Q($n: String) {\n  a(n: $n, id: {{id}})\n}",
            variables: "{\"n\": \"{{name}}\", \"id\": {{id}}, \"big\": 12345678901234567890}",
            operation: "Q")
        let sent = try JSONValue(parsing: text(request(body)))
        #expect(
            sent == [
                "query": "query Q($n: String) {\n  a(n: $n, id: 7)\n}", "operationName": "Q",
                "variables": ["n": "a \"b\"", "id": .number("7"), "big": .number("12345678901234567890")],
            ])
    }

    @Test func `without variables and operation only the query is sent`() throws {
        #expect(try text(request(GraphQLTemplate(query: "{ a }", variables: " \n", operation: ""))) == #"{"query": "{ a }"}"#)
        let whole = try JSONValue(parsing: text(request(GraphQLTemplate(query: "{ a }", variables: "{{object}}"))))
        #expect(whole["variables"] == ["x": .number("1")])
    }

    @Test func `the media types of GraphQL are accepted, unless the endpoint or its service says otherwise`() throws {
        let body = GraphQLTemplate(query: "{ a }")
        #expect(try request(body).headers["Accept"] == "application/graphql-response+json, application/json")
        #expect(try request(body) { $1.headers = [Parameter("accept", "text/x")] }.headers["Accept"] == "text/x")
        #expect(try request(body) { service, _ in service.headers = [Parameter("Accept", "text/y")] }.headers["Accept"] == "text/y")
        #expect(try request(body) { $1.removedHeaders = ["Accept"] }.headers["Accept"] == nil)
    }

    @Test func `over WebSocket a subscription is a handshake with its protocol, and its stream of events is accepted`() throws {
        let body = GraphQLTemplate(query: "subscription { a }")
        let socket = try request(body) { $1.kind = .webSocket }
        #expect(socket.method == .get && socket.headers["Sec-WebSocket-Protocol"] == "graphql-transport-ws" && socket.headers["Accept"] == nil)
        #expect(try text(socket) == #"{"query": "subscription { a }"}"#)
        #expect(GraphQLSubscription(socket, body: socket.body)?.reply(to: #"{"type":"ping"}"#) == .message(#"{"type":"pong"}"#))
        #expect(try request(body) { $1.kind = .events }.headers["Accept"] == "text/event-stream")
    }

    @Test func `by GET the members are parameters of the query`() throws {
        let request = try request(GraphQLTemplate(query: "{ a(n: \"ä\") }", variables: "{\"id\": {{id}}}", operation: "Q"), method: .get) {
            $1.query = [Parameter("v", "1")]
        }
        #expect(request.body == .none)
        #expect(request.url.query == "v=1&query=%7B%20a%28n%3A%20%22%C3%A4%22%29%20%7D&operationName=Q&variables=%7B%22id%22%3A%207%7D")
    }

    @Test(arguments: [
        (GraphQLTemplate(query: " \n"), "the GraphQL body has no query"),
        (GraphQLTemplate(query: "{ a }", variables: "{{list}}"), "the variables of a GraphQL body must be a JSON object"),
        (GraphQLTemplate(query: "{ a }", variables: "{\n  \"a\": 1,\n}"), "the variables are not JSON: "),
        (GraphQLTemplate(query: "{\n  a(id: {{missing}})\n}"), "line 2 of the query: "),
        (GraphQLTemplate(query: "{ a }", variables: "{\n\"a\": {{missing}}\n}"), "line 2 of the variables: "),
        (GraphQLTemplate(query: "{ a }", operation: "{{missing}}"), "operation: "),
    ])
    func `a mistake is an error before sending that names its place`(body: GraphQLTemplate, message: String) {
        do {
            _ = try request(body)
            Issue.record("no error")
        } catch {
            #expect("\(error)".contains(message), "\(error)")
        }
    }

    @Test func `the JSON of a request and its parts are equivalent, with templates in all places`() throws {
        let request = GraphQLTemplate(
            query: "query Q {\n  a(n: \"{{name}}\")\n}", variables: "{\n  \"id\": {{id}},\n  \"n\": \"x{{name}}\"\n}", operation: "{{op}}")
        #expect(GraphQLTemplate(json: request.json) == request)
        let plain = GraphQLTemplate(query: "{ a }")
        #expect(plain.json == "{\n  \"query\": \"{ a }\"\n}" && GraphQLTemplate(json: plain.json) == plain)
        #expect(GraphQLTemplate(json: #"{"query": "{ a }", "variables": null, "operationName": null}"#) == plain)
        #expect(GraphQLTemplate(json: #"{"query": "{ a }", "variables": "{\"x\": 1}"}"#)?.variables == #"{"x": 1}"#)
        for other in ["", "{ a }", "[]", "{}", #"{"query": 1}"#, #"{"query": "a", "extensions": {}}"#, #"{"query": "a", "query": "b"}"#] {
            #expect(GraphQLTemplate(json: other) == nil, "\(other)")
        }
    }

    @Test func `literal secrets of the query and the variables are masked for storage, and templates are kept`() throws {
        let body = GraphQLTemplate(
            query: "mutation { login(user: \"u\", password: \"canary\") { token } }",
            variables: "{\"token\": \"canary\", \"password\": \"{{name}}\", \"n\": 1}")
        let origin = try #require(try request(body).origin).masked(by: .standard)
        guard case .graphQL(let masked) = origin.endpoint.body else { throw Missing() }
        #expect(!"\(masked)".contains("canary") && masked.query.hasPrefix("mutation { login(user: \"u\", password: "), "\(masked)")
        #expect(masked.variables.contains("{{name}}") && masked.variables.contains("\"n\": 1"), "\(masked)")
    }
}
