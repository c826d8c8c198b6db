import Support
import Testing

/// Tests `auth: {jwt: …}` of a workspace with scripted servers.
@Suite struct JWTCommandTests {
    private func workspace(_ api: String, _ auth: String) throws -> Sortie {
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\nenvironments: {dev: {}}\nsecrets: {key: {command: \"echo hush-key\"}}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\nservers: {dev: [\"\(api)\"]}\nvariables: {who: \"a\\\"b\"}\nauth: \(auth)\n")
        try sortie.write("ws/api/me.yaml", "name: Me\npath: /me\n")
        return sortie
    }

    @Test func `a token is sent, whose claims have values of variables, and it is masked where it is echoed`() async throws {
        let server = try ScriptedServer { .ok("got \($0["Authorization"] ?? "")") }
        let auth = "{jwt: {key: \"{{key}}\", claims: {sub: \"{{who}}\", iat: 1, exp: 2}}}"
        let run = try await workspace(server.url, auth).run("send", "api/me", "-w", "ws", "--var", "who=a\"b", "-v", "--json")
        let token = try #require(server.requests.first?["Authorization"]).dropFirst("Bearer ".count)
        let parts = token.split(separator: ".")
        #expect(run.succeeded && parts.count == 3, "\(run)")
        // {"sub":"a\"b","iat":1,"exp":2}
        #expect(parts.dropFirst().first == "eyJzdWIiOiJhXCJiIiwiaWF0IjoxLCJleHAiOjJ9", "\(run)")
        #expect(!run.description.contains(parts.last ?? "") && !run.description.contains("hush-key"), "\(run)")
    }

    @Test func `invalid settings are reported with their place`() async throws {
        let check = try await workspace("http://127.0.0.1:1", "{jwt: {algorithm: HS257, claims: {}}}").run("check", "ws")
        #expect(check.status == .exited(3) && check.description.contains("jwt has no key"), "\(check)")
        #expect(check.description.contains("algorithm must be one of HS256"), "\(check)")
        let send = try await workspace("http://127.0.0.1:1", "{jwt: {key: k, claims: [1]}}").run("send", "api/me", "-w", "ws")
        #expect(!send.succeeded && send.errorOutput.contains("auth: jwt: claims are not a JSON object"), "\(send)")
    }

    @Test func `exports have a placeholder for the token`() async throws {
        let run = try await workspace("http://h.example", "{jwt: {key: plain-key-1, claims: {}}}").run("export", "api/me", "-w", "ws", "--as", "curl")
        #expect(run.succeeded && run.output.contains("ACCESS_TOKEN") && !run.output.contains("plain-key-1"), "\(run)")
    }
}
