import Support
import Testing

@testable import SortieNetworking

/// Tests that secrets with `hosts:` are sent only to these hosts, at every attempt (`Security.md` 7).
@Suite(.fewAtOnce)
struct SecretHostTests {
    private func request(_ url: String, hosts: String..., configure: (inout Request) -> Void = { _ in }) throws -> Request {
        var request = try Request.to(url, .get, [HeaderField("X-Plain-Name", "pre-sesame")])
        request.secrets.values = ["sesame"]
        request.secrets.restricted = [.init(name: "pw", value: "sesame", hosts: hosts.compactMap { HostPattern($0) })]
        configure(&request)
        return request
    }

    @Test func `a host without permission is neither resolved nor connected to`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let system = FakeSystem()
        let caller = try Caller(resolver: system.resolver())
        let exchange = try await caller.exchange(try request("http://shop.test:\(server.port)/", hosts: "api.example", "*.internal.example"))
        let error = try #require(exchange.error)
        #expect(error.code == .secretNotPermitted)
        #expect(error.message == "the secret pw may not be sent to shop.test: its hosts are api.example, *.internal.example; nothing was sent there")
        #expect(error.remedy == .secretHosts(secret: "pw", host: "shop.test"))
        #expect(system.questions.current.isEmpty && server.acceptedConnections == 0)
        #expect(exchange.attempts.isEmpty)
        #expect(await caller.client.dryRun(try request("http://shop.test/", hosts: "api.example")).error?.code == .secretNotPermitted)
    }

    @Test func `a permitted host receives the secret, and a request without it is sent to any host`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let caller = try Caller()
        #expect(try await caller.exchange(try request(server.url, hosts: "127.0.0.1")).response?.status == 200)
        #expect(server.requests.first?["X-Plain-Name"] == "pre-sesame")
        let plain = try request(server.url, hosts: "api.example") { $0.headers = [] }
        #expect(try await caller.exchange(plain).response?.status == 200)
    }

    @Test(arguments: ["path", "query", "body", "digest"])
    func `the secret is rejected in every part of the request`(_ part: String) async throws {
        let server = try ScriptedServer(answering: .ok())
        let url = part == "path" ? "\(server.url)/x/sesame" : part == "query" ? "\(server.url)/?a=sesame" : server.url
        let request = try request(url, hosts: "api.example") {
            $0.headers = []
            if part == "body" { ($0.method, $0.body) = (.post, .text("{\"a\": \"sesame\"}", contentType: "application/json")) }
            if part == "digest" { $0.options.credential = .digest(user: "u", password: "sesame") }
        }
        #expect(try await Caller().exchange(request).error?.code == .secretNotPermitted)
        #expect(server.acceptedConnections == 0)
    }

    @Test func `another server of the ring without permission ends the failover`() async throws {
        let dead = try DeadPort(.refusing)
        let second = try ScriptedServer(address: "127.0.0.3", .answering(.ok()))
        let request = try request(dead.url, hosts: "127.0.0.1") { $0.otherServers = [try? HTTPURL(parsing: second.url)].compactMap { $0 } }
        let exchange = try await Caller().exchange(request)
        #expect(exchange.error?.code == .secretNotPermitted)
        #expect(exchange.error?.message.contains("127.0.0.3") == true)
        #expect(second.acceptedConnections == 0)
    }

    @Test func `a redirect with the secret in its Location is not followed to a host without permission`() async throws {
        let other = try ScriptedServer(address: "127.0.0.3", .answering(.ok()))
        let server = try ScriptedServer(answering: .redirect(302, to: other.url + "/?back=sesame"))
        let exchange = try await Caller().exchange(try request(server.url, hosts: "127.0.0.1"))
        #expect(exchange.error?.code == .secretNotPermitted)
        #expect(other.acceptedConnections == 0)
    }

    @Test func `an encrypted body is restricted to the same hosts and origins as a plain one`() async throws {
        let (dead, other) = (try DeadPort(.refusing), try ScriptedServer(address: "127.0.0.3", .answering(.ok())))
        let first = try ScriptedServer(answering: .redirect(307, to: other.url))
        let folder = try TemporaryFolder()
        var service = ServiceConfiguration()
        service.encryption = { _ async throws(NetworkError) in try AESGCMEncryptor(key: "000102030405060708090a0b0c0d0e0f") }
        let client = Client(.init(spoolFolder: folder.path, services: ["shop": service]))
        func send(_ url: String, next: String? = nil) async throws -> Exchange {
            var request = try request(url, hosts: "127.0.0.1")
            request.headers = []
            (request.method, request.body, request.service) = (.put, .text("sesame", contentType: "text/plain"), "shop")
            request.otherServers = try next.map { [try HTTPURL(parsing: $0)] } ?? []
            return try await withDeadline(.seconds(300), "the call to end") { [request] in await client.exchange(request) }
        }
        #expect(try await send(dead.url, next: other.url).error?.code == .secretNotPermitted)
        let redirected = try await send(first.url)
        #expect(redirected.notices.count == 1 && first.requests.first?.bodyText.contains("sesame") == false)
        #expect(other.acceptedConnections == 0)
    }

    @Test func `a secret that a plugin adds is rejected as well`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let folder = try TemporaryFolder()
        var secrets = RequestSecrets()
        secrets.restricted = [.init(name: "pw", value: "sesame", hosts: [])]
        let plugin = TokenPlugin { [secrets] context in
            context.addSecrets(secrets)
            return .fixed("sesame")
        }
        let client = Client(.init(spoolFolder: folder.path, plugins: [plugin]))
        let exchange = try await withDeadline(.seconds(300), "the call to end") { await client.exchange(try .to(server.url)) }
        #expect(exchange.error?.code == .secretNotPermitted)
        #expect(server.acceptedConnections == 0)
    }

    @Test func `a proxy receives credentials with the secret only where its host is permitted`() async throws {
        let proxy = try ScriptedServer(answering: .ok("through"))
        for hosts in [["127.0.0.3"], ["127.0.0.3", "127.0.0.1"]] {
            var request = try Request.to("http://127.0.0.3:9/") { $0.proxy = try? Proxy("http://me:sesame@\(proxy.authority)") }
            request.secrets.restricted = [.init(name: "pw", value: "sesame", hosts: hosts.compactMap { HostPattern($0) })]
            let exchange = try await Caller().exchange(request)
            #expect(exchange.error?.code == (hosts.count == 1 ? .secretNotPermitted : nil))
            #expect(proxy.requests.count == hosts.count - 1)
        }
    }

    @Test func `a DNS over HTTPS server receives no name with a secret unless its own host is permitted`() async throws {
        let dns = try ScriptedServer(answering: .status(404))
        let server = try HTTPURL(parsing: "\(dns.url)/dns-query")
        let caller = try Caller()
        let url = "http://sesame.shop.invalid/"
        let refused = try await caller.exchange(try request(url, hosts: "*.shop.invalid") { $0.options.resolution.server = server })
        #expect(refused.error?.code == .secretNotPermitted)
        #expect(refused.error?.message.contains("127.0.0.1") == true)
        #expect(dns.acceptedConnections == 0)
        _ = try await caller.exchange(try request(url, hosts: "*.shop.invalid", "127.0.0.1") { $0.options.resolution.server = server })
        #expect(dns.acceptedConnections > 0)
    }
}
