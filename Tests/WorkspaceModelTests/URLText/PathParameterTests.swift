import SortieHTTP
import Testing

@testable import WorkspaceModel

@Suite struct PathParameterTests {
    private func names(_ path: String) -> [String] { Endpoint(target: "a/b", name: "b", path: path).pathParameters.map(\.name) }

    @Test(arguments: [
        ("/users/:id", ["id"]), ("/users/:id/orders/{order}?x=:y", ["id", "order"]), ("http://host:8080/a/:b", ["b"]),
        ("https://{region}.example/v1/{id}.json", ["id"]), ("/a/{{id}}/:b", ["b"]), ("{{base}}/:b/:b", ["b"]), ("/v1/items:batch", []),
        ("/a/:8080", []), ("/{}/{a b}/{c", []), ("{id}", []), (":id", []), ("", []), ("/a#/:b", []), ("/{{a/:b}}/{c}", ["c"]),
        ("/x{a}{b}", ["a", "b"]),
    ])
    func `parameters are whole segments with a colon, and names in braces, after the host`(path: String, expected: [String]) {
        #expect(names(path) == expected)
        #expect(Endpoint(target: "a/b", name: "b", path: path).pathTemplate { _ in false } == path)
    }

    private func url(_ path: String, _ variables: [String: String], literals: [String: String] = [:]) throws -> String {
        var workspace = Workspace(name: "W", folder: "/w")
        var service = Service(folder: "a", name: "A")
        service.servers = ["e": ["http://127.0.0.1:1"]]
        var endpoint = Endpoint(target: "a/b", name: "b", path: path)
        endpoint.variables = variables
        service.endpoints = [endpoint]
        workspace.services = [service]
        var builder = RequestBuilder(workspace: workspace, environment: "e")
        builder.literals = literals
        return try builder.request(for: endpoint, in: builder.scope(of: endpoint) { _, _ in nil }).url.description
    }

    @Test func `a value fills its segment, percent-encoded`() throws {
        #expect(try url("/u/:id/{x}.json", ["id": "a/b?c", "x": "é"]) == "http://127.0.0.1:1/u/a%2Fb%3Fc/%C3%A9.json")
    }

    @Test func `a value from a run or the command line comes first, and without a value the text stays`() throws {
        #expect(try url("/u/:id", ["id": "1"], literals: ["id": "2"]) == "http://127.0.0.1:1/u/2")
        #expect(try url("/u/:id", [:]) == "http://127.0.0.1:1/u/:id")
    }

    @Test func `a secret in the value of a parameter needs the permission of one in the path`() {
        var workspace = Workspace(name: "W", folder: "/w")
        workspace.secrets = ["token": .environment("TOKEN")]
        var endpoint = Endpoint(target: "a/b", name: "b", path: "http://127.0.0.1:1/:t")
        endpoint.variables = ["t": "{{token}}"]
        let definitions = VariableDefinitions(workspace, environment: nil).adding(endpoint.variables)
        #expect(definitions.references(of: endpoint.sentTemplates).secrets == ["token"])
    }

    @Test func `a variable that is used elsewhere keeps its name`() {
        var endpoint = Endpoint(target: "a/b", name: "b", path: "/:id")
        endpoint.variables = ["id": "1"]
        endpoint.body = .text("{{id}}", contentType: nil)
        endpoint.renamePathParameter(0, to: "user")
        #expect(endpoint.path == "/:user" && endpoint.variables == ["id": "1"])
    }
}
