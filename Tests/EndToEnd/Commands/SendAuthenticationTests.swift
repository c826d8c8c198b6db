import Support
import Testing

/// Tests Basic, Digest and Bearer authentication, and that credentials are displayed only on request.
@Suite(.serialized)
struct SendAuthenticationTests {
    @Test func `-u sends Basic credentials`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/basic", "-u", "demo:sortie", "--fail")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.contains(#""scheme":"Basic""#))
    }

    @Test func `a password may contain colons and any characters`() async throws {
        let server = try ScriptedServer(answering: .ok())
        _ = try await Sortie().run("send", server.url, "-u", "jürgen:a:b ü")
        #expect(server.requests.first?["Authorization"] == "Basic asO8cmdlbjphOmIgw7w=")
    }

    @Test func `credentials in a URL are sent as Basic and are not part of the displayed URL`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let url = "http://demo:geheim@\(server.authority)/x"
        let run = try await Sortie().run("send", url, "--json", "-v")
        #expect(server.requests.first?["Authorization"] == "Basic ZGVtbzpnZWhlaW0=")
        #expect(server.requests.first?.target == "/x")
        #expect(!run.description.contains("geheim"))
    }

    @Test(arguments: ["md5", "sha-256"]) func `-u with --digest responds to the challenge`(algorithm: String) async throws {
        let run = try await Sortie().run(
            "send", "\(DemoProcess.shared.url)/digest/\(algorithm)", "-u", "demo:sortie", "--digest", "--fail")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.contains(#""scheme":"Digest""#))
    }

    @Test func `-v prints the request that responds to a challenge, with its credentials masked`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/digest", "-u", "demo:sortie", "--digest", "-v")
        #expect(run.errorLines.count { $0.hasPrefix("> GET ") } == 2, "\(run)")
        #expect(run.errorLines.count { $0 == "> Authorization: ••••" } == 1, "\(run)")
    }

    @Test func `a wrong Digest password gives a 401`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/digest", "-u", "demo:wrong", "--digest", "--fail")
        #expect(run.status == .exited(1))
        #expect(run.errorLines.first?.contains("401") == true)
    }

    @Test func `--bearer sends a bearer token`() async throws {
        let server = try ScriptedServer(answering: .ok())
        _ = try await Sortie().run("send", server.url, "--bearer", "t0ken")
        #expect(server.requests.first?.values(of: "Authorization") == ["Bearer t0ken"])
    }

    @Test func `credentials are not sent to another origin after a redirect`() async throws {
        let other = try ScriptedServer(answering: .ok("arrived"))
        let server = try ScriptedServer(answering: .redirect(to: "\(other.url)/there"))
        let run = try await Sortie().run(
            "send", server.url, "--bearer", "t0ken", "-H", "Cookie: a=b", "-H", "X-Api-Key: k", "-H", "X-Plain: p")
        #expect(run.output == "arrived")
        let request = try #require(other.requests.first)
        #expect(request["Authorization"] == nil)
        #expect(request["Cookie"] == nil)
        #expect(request["X-Api-Key"] == nil)
        #expect(request["X-Plain"] == "p")
    }

    @Test func `--digest uses the credentials of the URL`() async throws {
        let authority = try await DemoProcess.shared.url.dropFirst("http://".count)
        let run = try await Sortie().run("send", "http://demo:sortie@\(authority)/digest/md5", "--digest", "--fail")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.contains(#""scheme":"Digest""#))
    }

    @Test func `an unsupported Digest challenge ends with 1 and a message`() async throws {
        let challenge = ("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", algorithm=SHA-512")
        let server = try ScriptedServer(answering: HTTPAnswer(status: 401, headers: [challenge], body: Array("no".utf8)))
        let run = try await Sortie().run("send", server.url, "-u", "a:b", "--digest")
        #expect(run.status == .exited(1))
        #expect(run.output == "no")
        #expect(run.errorLines.first?.contains("Digest with SHA-512, which is not supported") == true, "\(run)")
    }
}
