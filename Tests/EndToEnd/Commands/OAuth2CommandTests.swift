import Support
import Testing

/// Tests `auth: {oauth2: …}` of a workspace with the demo, a scripted server, and Authlib, an independent implementation.
@Suite(.serialized)
struct OAuth2CommandTests {
    /// A workspace whose endpoint `api/me` gets a token for the secret `pw`.
    private func workspace(
        api: String, token: String, _ settings: String, secret: String = "{command: \"echo hush\"}", permitsOwn: Bool = true
    ) throws -> Sortie {
        let sortie = try Sortie(permitsOwn: permitsOwn)
        try sortie.write("ws/workspace.yaml", "name: W\nenvironments: {dev: {}}\nsecrets: {pw: \(secret)}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\nservers: {dev: [\"\(api)\"]}\n")
        let auth = "{oauth2: {tokenURL: \"\(token)/token\", clientSecret: \"{{pw}}\", \(settings)}}"
        try sortie.write("ws/api/me.yaml", "name: Me\npath: /me\nauth: \(auth)\n")
        return sortie
    }

    @Test func `the demo issues a token, which is not displayed`() async throws {
        let demo = try await DemoProcess.shared
        let arguments = ["send", "account/oauth2", "-w", try Sortie.demoWorkspace, "--var", "host=\(demo.authority)", "--json", "-v"]
        let run = try await Sortie().run(arguments)
        let record = try ExchangeRecord(run)
        #expect(record.response?.status == 200, "\(run)")
        #expect(!run.description.contains("demo-"), "\(run)")
    }

    @Test func `an echoed token is masked in the log, and the body is written as it is`() async throws {
        let server = try ScriptedServer { request in
            guard request.target != "/token" else { return .json(#"{"access_token": "t0ken-value"}"#) }
            let echo = "got \(request["Authorization"] ?? "")"
            return .ok(echo, headers: [("X-Echo", echo)])
        }
        let run = try await workspace(api: server.url, token: server.url, "clientID: app").run("send", "api/me", "-w", "ws", "-v", "-o", "body")
        #expect(run.succeeded && run.errorOutput.contains("< X-Echo: got Bearer ••••"), "\(run)")
        #expect(!run.description.contains("t0ken-value") && !run.description.contains("hush"), "\(run)")
    }

    @Test func `without permission a secret is not sent to a token endpoint, nor its token to another server`() async throws {
        let (api, issuer) = (try ScriptedServer(answering: .ok("in")), try ScriptedServer(answering: .json(#"{"access_token": "t1"}"#)))
        let sortie = try workspace(api: api.url, token: issuer.url, "clientID: app", permitsOwn: false)
        let run = try await sortie.run("send", "api/me", "-w", "ws")
        #expect(run.status == .exited(3), "\(run)")
        #expect(run.errorOutput.contains("send {{pw}} to \(issuer.url)"), "\(run)")
        #expect(run.errorOutput.contains("send access tokens of \(issuer.url) to \(api.url)"), "\(run)")
        #expect(api.requests.isEmpty && issuer.requests.isEmpty)
        let permitted = try await sortie.run("send", "api/me", "-w", "ws", "--trust")
        #expect(permitted.succeeded && api.requests.first?["Authorization"] == "Bearer t1", "\(permitted)")
    }

    @Test func `a secret with hosts is not sent to another token endpoint`() async throws {
        let issuer = try ScriptedServer(answering: .json(#"{"access_token": "t1"}"#))
        let sortie = try workspace(
            api: issuer.url, token: issuer.url, "clientID: app", secret: "{command: \"echo hush\", hosts: [auth.example]}")
        let run = try await sortie.run("send", "api/me", "-w", "ws")
        #expect(!run.succeeded && run.errorOutput.contains("pw"), "\(run)")
        #expect(issuer.requests.isEmpty)
    }

    @Test func `a dry run of token get is refused, and nothing is sent`() async throws {
        let issuer = try ScriptedServer(answering: .json(#"{"access_token": "t1"}"#))
        let run = try await workspace(api: issuer.url, token: issuer.url, "clientID: app").run("token", "get", "api/me", "-w", "ws", "--dry-run")
        #expect(run.status == .exited(2) && run.errorOutput.contains("token get has no --dry-run"), "\(run)")
        #expect(issuer.requests.isEmpty)
    }

    @Test func `incomplete settings are reported by check with their place`() async throws {
        let sortie = try workspace(api: "http://127.0.0.1:1", token: "", "grant: password")
        try sortie.write("ws/api/me.yaml", "name: Me\npath: /me\nauth: {oauth2: {grant: pasword, tokenURL: \"http://x/\"}}\n")
        let run = try await sortie.run("check", "-w", "ws")
        #expect(run.description.contains("grant must be one of clientCredentials, password"), "\(run)")
        #expect(run.description.contains("oauth2 has no clientID"), "\(run)")
    }

    @Suite(.enabled(if: AuthlibServer.isAvailable, "Authlib is not installed; .ci/setup test does that"))
    struct AuthlibTests {
        private static let shared = Shared { try AuthlibServer.start() }
        private let url: String

        init() async throws { url = try await Self.shared.value.url }

        private func run(_ settings: String, secret: String = "hush") async throws -> ProcessRun {
            try await OAuth2CommandTests().workspace(api: url, token: url, settings, secret: "{command: \"echo \(secret)\"}")
                .run("send", "api/me", "-w", "ws")
        }

        @Test(arguments: ["basic", "post"]) func `client credentials are accepted`(authentication: String) async throws {
            let run = try await run("clientID: app, scope: read, clientAuthentication: \(authentication)")
            #expect(run.succeeded && run.output.contains(#""client":"app""#) && run.output.contains(#""scope":"read""#), "\(run)")
        }

        @Test func `user and password are accepted`() async throws {
            let run = try await run("clientID: app, grant: password, user: anna, password: sesame")
            #expect(run.succeeded && run.output.contains(#""client":"app""#), "\(run)")
        }

        @Test(arguments: [
            // Authlib has another code for a wrong password than RFC 6749 §5.2.
            ("clientID: app, grant: password, user: anna, password: x", "invalid_request"), ("clientID: nobody", "invalid_client"),
        ])
        func `a refusal is an error with its code`(settings: String, code: String) async throws {
            let run = try await run(settings)
            #expect(!run.succeeded && run.errorOutput.contains("refused to issue a token: \(code)"), "\(run)")
        }
    }
}
