import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests that secrets are sent only to the origin that they are configured for, over real connections (`Security.md` 7).
@Suite(.fewAtOnce)
struct RedirectSecretTests {
    private let caller: Caller

    init() throws {
        caller = try Caller()
    }

    /// A request with every kind of secret field.
    private func request(_ url: String, _ method: HTTPMethod = .get, body: RequestBody = .none) throws -> Request {
        var request = try Request.to(
            url, method,
            [
                HeaderField("Authorization", "Bearer s/ecret"), HeaderField("Cookie", "a=s/ecret"), HeaderField("X-Api-Key", "s/ecret"),
                HeaderField("X-Vault-Token", "s/ecret"), HeaderField("X-Team", "blue"), HeaderField("X-Trace", "1-s%2Fecret"),
                HeaderField("X-Plain", "kept"),
            ], body: body)
        request.secrets.values = ["s/ecret"]
        request.secrets.names = ["X-Team"]
        return request
    }

    private static let secretFields = ["Authorization", "Cookie", "X-Api-Key", "X-Vault-Token", "X-Team", "X-Trace"]

    @Test(arguments: [301, 302, 303, 307, 308], ["127.0.0.1", "127.0.0.3"])
    func `another port and another host receive no secret field`(_ status: Int, _ address: String) async throws {
        let other = try ScriptedServer(address: address, .answering(.ok("there")))
        let server = try ScriptedServer(answering: .redirect(status, to: other.url + "/x"))
        let exchange = try await caller.exchange(try request(server.url))
        #expect(exchange.text == "there")
        let sent = try #require(other.requests.first)
        for name in Self.secretFields {
            #expect(server.requests.first?[name] != nil, "\(name)")
            #expect(sent[name] == nil, "\(name)")
        }
        #expect(!sent.headText.contains("ecret"))
        #expect(sent["X-Plain"] == "kept")
        #expect(sent["Referer"] == nil && sent["Origin"] == nil)
        #expect(exchange.notices.count == 1 && exchange.notices.first?.contains("Authorization, Cookie") == true)
    }

    @Test(arguments: [307, 308], [("json", #"{"a": "s/ecret"}"#), ("form", "a=s%2Fecret"), ("form", "password=typed")])
    func `a body with a secret is not sent again, and the redirect is the response`(_ status: Int, _ body: (String, String)) async throws {
        let other = try ScriptedServer(answering: .ok("there"))
        let server = try ScriptedServer(answering: .redirect(status, to: other.url + "/x"))
        let type = body.0 == "json" ? "application/json" : "application/x-www-form-urlencoded"
        let events = try await caller.events(try request(server.url, .post, body: .text(body.1, contentType: type)))
        let exchange = try #require(events.end)
        #expect(exchange.response?.status == status)
        #expect(exchange.response?.headers["Location"] == other.url + "/x")
        #expect(exchange.error == nil)
        #expect(other.acceptedConnections == 0)
        #expect(
            exchange.notices == [
                "the redirect (\(status)) to \(other.url) is not followed: the body contains a secret, "
                    + "which is sent only to \(server.url)"
            ])
        #expect(events.decisions(.redirect).first?.contains("is not followed") == true)
    }

    @Test func `a redirect that is not followed is not cached`() async throws {
        let other = try ScriptedServer(answering: .ok("there"))
        let server = try ScriptedServer(answering: .redirect(308, to: other.url).with("Cache-Control", "max-age=60"))
        var request = try request(server.url, .post, body: .form([("password", "typed")]))
        request.headers = []
        request.options.cacheLifetime = .seconds(60)
        request.options.cachedMethods.insert(.post)
        for _ in 0..<2 { #expect(try await caller.exchange(request).notices.count == 1) }
        #expect(server.requests.count == 2)
    }

    @Test func `a plain body is sent again to another origin`() async throws {
        let other = try ScriptedServer(answering: .ok("there"))
        let server = try ScriptedServer(answering: .redirect(307, to: other.url))
        let exchange = try await caller.exchange(try request(server.url, .post, body: .text("plain", contentType: "text/plain")))
        #expect(exchange.text == "there")
        #expect(other.requests.first?.bodyText == "plain")
    }

    @Test func `a redirect back to the first origin restores nothing, and plugins add nothing there`() async throws {
        let back = Watched("")
        let other = try ScriptedServer { _ in .redirect(307, to: back.current + "/end") }
        let server = try ScriptedServer { $0.target.hasPrefix("/end") ? .ok("end") : .redirect(307, to: other.url + "/x") }
        back.change { $0 = server.url }
        let folder = try TemporaryFolder()
        let client = Client(
            .init(
                spoolFolder: folder.path,
                plugins: [
                    TokenPlugin { _ in .fixed("token-of-the-service") }, PublicParametersPlugin { _ in [("app", "1")] },
                    SignPlugin(MD5Signer(secret: "key")),
                ]))
        var request = try request(server.url)
        request.headers["Authorization"] = nil
        let exchange = try await withDeadline(.seconds(300), "the call to end") { [request] in await client.exchange(request) }
        #expect(exchange.text == "end")
        let first = try #require(server.requests.first)
        #expect(first["Authorization"] == "Bearer token-of-the-service" && first.target.contains("app=1") && first.target.contains("sign="))
        for later in [other.requests.first, server.requests.last] {
            for name in Self.secretFields { #expect(later?[name] == nil, "\(name)") }
            #expect(later?.target.contains("app=1") == false && later?.target.contains("sign=") == false)
        }
    }

    @Test func `a 401 of another origin renews no token`() async throws {
        let other = try ScriptedServer(answering: .status(401))
        let server = try ScriptedServer(answering: .redirect(307, to: other.url))
        let renewals = Watched(0)
        let store = CredentialStore(token: .init("first")) { _ in
            renewals.change { $0 += 1 }
            return .init("second")
        }
        let folder = try TemporaryFolder()
        let client = Client(.init(spoolFolder: folder.path, plugins: [TokenPlugin(store)]))
        let exchange = try await withDeadline(.seconds(300), "the call to end") { await client.exchange(try .to(server.url)) }
        #expect(exchange.response?.status == 401)
        #expect(renewals.current == 0 && other.requests.count == 1)
    }

    @Test func `the next server of a ring receives the settings of the service, including plugins`() async throws {
        let dead = try DeadPort(.refusing)
        let second = try ScriptedServer(answering: .ok("b"))
        let folder = try TemporaryFolder()
        let client = Client(.init(spoolFolder: folder.path, plugins: [TokenPlugin { _ in .fixed("token") }]))
        var request = try Request.to(dead.url, .get, [HeaderField("X-Api-Key", "key")])
        request.otherServers = [try HTTPURL(parsing: second.url)]
        let exchange = try await withDeadline(.seconds(300), "the call to end") { [request] in await client.exchange(request) }
        #expect(exchange.text == "b")
        #expect(second.requests.first?["X-Api-Key"] == "key")
        #expect(second.requests.first?["Authorization"] == "Bearer token")
    }

    @Test func `a retry starts at the first origin with all secrets, and the other origin again receives none`() async throws {
        let tries = Watched(0)
        let other = try ScriptedServer { _ in
            tries.change { $0 += 1 }
            return tries.current == 1 ? .status(503) : .ok("there")
        }
        let server = try ScriptedServer(answering: .redirect(302, to: other.url))
        let quick = try Caller(retrySource: .init(random: { _ in 0 }))
        var request = try request(server.url)
        request.options.retry = RetryPolicy(limit: 2)
        let exchange = try await quick.exchange(request)
        #expect(exchange.text == "there")
        #expect(server.requests.count == 2 && server.requests.allSatisfy { $0["X-Api-Key"] == "s/ecret" })
        #expect(other.requests.count == 2 && other.requests.allSatisfy { $0["X-Api-Key"] == nil })
        #expect(exchange.notices.count == 1)
    }

    @Test func `a resumed download sends credentials to the first origin and none to the other`() async throws {
        let file = ServedFile(300_000)
        let bytes = file.whole.headBytes + file.bytes.prefix(200_000)
        let other = try ScriptedServer([Script([.readRequest, .send(bytes), .closeGracefully]), file.honest])
        let server = try ScriptedServer(answering: .redirect(302, to: other.url + "/file"))
        let bench = try DownloadBench()
        let run = try await bench.run(server.url + "/file") {
            $0.request.headers = [HeaderField("Authorization", "Bearer s/ecret"), HeaderField("X-Trace", "s/ecret")]
            $0.request.secrets.values = ["s/ecret"]
        }
        #expect(run.result.error == nil)
        #expect(other.requests.count == 2 && other.requests[1]["Range"] != nil)
        #expect(other.requests.allSatisfy { !$0.headText.contains("ecret") })
        #expect(server.requests.count == 2 && server.requests.allSatisfy { $0["Authorization"] == "Bearer s/ecret" })
        #expect(run.result.exchange.notices.count == 1)
    }
}

/// Tests the same over TLS, with nginx.
@Suite(.fewAtOnce, .enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
struct RedirectTLSTests {
    private let certificates: Certificates
    private let caller: Caller

    init() throws {
        certificates = try Certificates.shared()
        caller = try Caller()
    }

    /// A server that echoes credentials and the subject of the client's certificate.
    private func showing(_ identity: Certificates.Identity) throws -> Nginx {
        var options = Nginx.Options()
        options.identity = identity
        options.directives = #"""
            ssl_client_certificate \#(certificates.certificateAuthority); ssl_verify_client optional;
            location = /shown { default_type text/plain; return 200 "[$http_authorization][$http_x_api_key][$ssl_client_s_dn]"; }
            """#
        return try Nginx.start(options)
    }

    private func redirecting(_ identity: Certificates.Identity, _ status: Int, to url: String) throws -> Nginx {
        var options = Nginx.Options()
        options.identity = identity
        options.directives = "location = /away { return \(status) \(url); }"
        return try Nginx.start(options)
    }

    private func request(_ url: String, _ configure: (inout TrustPolicy) -> Void = { _ in }) throws -> Request {
        var request = try Request.to(url, .get, [HeaderField("Authorization", "Bearer x"), HeaderField("X-Api-Key", "x")])
        request.options.trust.certificateAuthorityFile = certificates.certificateAuthority
        configure(&request.options.trust)
        return request
    }

    @Test(arguments: [301, 307])
    func `http to https, and https to another port, receive neither credentials nor the client certificate`(_ status: Int) async throws {
        let target = try showing(certificates.localhost)
        let plain = try ScriptedServer(answering: .redirect(status, to: target.httpsURL + "/shown"))
        let secure = try redirecting(certificates.localhost, status, to: target.httpsURL + "/shown")
        let client = certificates.client
        for url in [plain.url, secure.httpsURL + "/away"] {
            let exchange = try await caller.exchange(
                try request(url) { ($0.clientCertificateFile, $0.clientKeyFile) = (client.certificate, client.key) })
            #expect(exchange.text == "[][][]", "\(url)")
            #expect(exchange.notices.first?.contains("Authorization, X-Api-Key, the client certificate") == true)
        }
        let direct = try await caller.exchange(
            try request(target.httpsURL + "/shown") { ($0.clientCertificateFile, $0.clientKeyFile) = (client.certificate, client.key) })
        #expect(direct.text?.hasPrefix("[Bearer x][x][") == true && direct.text?.contains("CN=") == true)
    }

    @Test func `https to http ends the call before anything is sent there`() async throws {
        let target = try ScriptedServer(answering: .ok())
        let secure = try redirecting(certificates.localhost, 307, to: target.url)
        let exchange = try await caller.exchange(try request(secure.httpsURL + "/away"))
        #expect(exchange.error?.code == .badRedirect)
        #expect(target.acceptedConnections == 0)
    }

    @Test func `a disabled verification for one origin does not apply to the next`() async throws {
        let target = try showing(certificates.selfSigned)
        let secure = try redirecting(certificates.selfSigned, 302, to: target.httpsURL + "/shown")
        let exchange = try await caller.get(secure.httpsURL + "/away") { $0.trust.isInsecure = true }
        #expect(exchange.error?.code == .untrustedCertificate)
        #expect(exchange.attempts.map(\.isUnverified) == [true, false])
        #expect(exchange.isInsecure)
        let direct = try await caller.get(target.httpsURL + "/shown") { $0.trust.isInsecure = true }
        #expect(direct.text == "[][][]" && direct.isInsecure)
    }

    @Test func `an exchange over plain HTTP or a verified connection is not insecure`() async throws {
        let target = try showing(certificates.localhost)
        let plain = try ScriptedServer(answering: .ok())
        #expect(try await !caller.get(plain.url) { $0.trust.isInsecure = true }.isInsecure)
        #expect(try await !caller.exchange(try request(target.httpsURL + "/shown")).isInsecure)
    }
}
