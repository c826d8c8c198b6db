import Support
import Testing

/// Tests `auth: {apiKey: …}` of a workspace with scripted servers.
@Suite struct APIKeyCommandTests {
    private func workspace(_ api: String, _ auth: String, more: String = "") throws -> Sortie {
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\nenvironments: {dev: {}}\nsecrets: {key: {command: \"echo hush-key\"}}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\nservers: {dev: [\"\(api)\"]}\nauth: \(auth)\n")
        try sortie.write("ws/api/me.yaml", "name: Me\npath: /me\n\(more)")
        return sortie
    }

    @Test func `a key is sent as a header field, and masked where it is echoed`() async throws {
        let server = try ScriptedServer { .ok("got \($0["X-Club"] ?? "")") }
        let run = try await workspace(server.url, "{apiKey: {name: X-Club, value: \"{{key}}\"}}").run("send", "api/me", "-w", "ws", "-v", "--json")
        #expect(run.succeeded && server.requests.first?["X-Club"] == "hush-key", "\(run)")
        #expect(!run.description.contains("hush-key") && run.description.contains("X-Club"), "\(run)")
    }

    @Test func `a literal key under a name that is not known is masked as well`() async throws {
        let server = try ScriptedServer(answering: .ok("in"))
        let run = try await workspace(server.url, "{apiKey: {name: X-Club, value: plain-key-1}}").run("send", "api/me", "-w", "ws", "-v", "--json")
        #expect(run.succeeded && server.requests.first?["X-Club"] == "plain-key-1", "\(run)")
        #expect(!run.description.contains("plain-key-1"), "\(run)")
    }

    @Test func `a key is sent as a parameter, percent-encoded and masked`() async throws {
        let server = try ScriptedServer(answering: .ok("in"))
        let auth = "{apiKey: {name: club, value: \"a key&b\", in: query}}"
        let run = try await workspace(server.url, auth).run("send", "api/me", "-w", "ws", "-v", "--json")
        #expect(run.succeeded && server.requests.first?.target == "/me?club=a%20key%26b", "\(run)")
        #expect(!run.description.contains("a%20key%26b") && !run.description.contains("a key&b"), "\(run)")
    }

    @Test func `a field or parameter of the same name has precedence`() async throws {
        let server = try ScriptedServer(answering: .ok("in"))
        let field = try workspace(server.url, "{apiKey: {name: X-Club, value: k-1}}", more: "headers: {x-club: own}\n")
        #expect(try await field.run("send", "api/me", "-w", "ws").succeeded)
        let parameter = try workspace(server.url, "{apiKey: {name: club, value: k-1, in: query}}", more: "query: {club: own}\n")
        #expect(try await parameter.run("send", "api/me", "-w", "ws").succeeded)
        #expect(server.requests.first?.headers.filter { $0.name.lowercased() == "x-club" }.map(\.value) == ["own"])
        #expect(server.requests.last?.target == "/me?club=own")
    }

    @Test func `another origin does not receive the key by a redirect`() async throws {
        let other = try ScriptedServer(answering: .ok("there"))
        let server = try ScriptedServer(answering: .redirect(to: "\(other.url)/next"))
        let run = try await workspace(server.url, "{apiKey: {name: X-Club, value: plain-key-1}}").run("send", "api/me", "-w", "ws")
        #expect(run.succeeded && server.requests.first?["X-Club"] == "plain-key-1", "\(run)")
        #expect(other.requests.count == 1 && other.requests.first?["X-Club"] == nil)
    }

    @Test func `an incomplete or invalid key is reported with its place`() async throws {
        let check = try await workspace("http://127.0.0.1:1", "{apiKey: {name: X-Club, in: body}}").run("check", "ws")
        #expect(check.status == .exited(3) && check.description.contains("apiKey has no value"), "\(check)")
        #expect(check.description.contains("in must be one of header, query, not “body”"), "\(check)")
        let send = try await workspace("http://127.0.0.1:1", "{apiKey: {name: \"X Club\", value: k}}").run("send", "api/me", "-w", "ws")
        #expect(!send.succeeded && send.errorOutput.contains("auth: apiKey:"), "\(send)")
    }

    @Test(arguments: ["curl", "http", "python", "swift", "postman", "openapi"])
    func `exports send the key without its value`(_ format: String) async throws {
        let sortie = try workspace("http://h.example", "{apiKey: {name: X-Club, value: plain-key-1}}")
        let run = try await sortie.run("export", "api/me", "-w", "ws", "--as", format)
        #expect(run.succeeded && run.output.contains("X-Club") && !run.output.contains("plain-key-1"), "\(run)")
    }

    @Test func `a file of requests has no literal token of the service`() async throws {
        let run = try await workspace("http://h.example", "{bearer: plain-token-1}").run("export", "api/me", "-w", "ws", "--as", "http")
        #expect(run.succeeded && run.output.contains("Authorization: Bearer {{"), "\(run)")
        #expect(!run.output.contains("plain-token-1"), "\(run)")
    }
}
