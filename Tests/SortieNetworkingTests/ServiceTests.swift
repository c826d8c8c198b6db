import Support
import Testing

@testable import SortieNetworking

/// Tests services declared by a program: environments, rings of servers, and the settings of all requests (S1.7–S1.9, S4.4, X5).
@Suite(.fewAtOnce)
struct ServiceTests {
    private struct Order: TypedEndpoint {
        typealias Output = String
        var id: Int
        var path: String { "/orders/\(id)" }
        var headers: Headers { [HeaderField("X-Own", "endpoint")] }
        func parameters() -> [ParameterValue.Member] { [] }
        func output(of response: Response) -> String { response.body.string(in: 0..<response.body.count) }
    }

    private func client(
        _ servers: [String: [String]], environment: String? = "develop", _ configure: (inout ServiceConfiguration) -> Void = { _ in }
    ) throws -> (client: Client, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        var service = ServiceConfiguration(servers: servers)
        configure(&service)
        return (Client(.init(spoolFolder: folder.path, services: ["shop": service], environment: environment)), folder)
    }

    @Test func `S1.7 the environment of the client determines the server of an endpoint`() async throws {
        let (develop, release) = (try ScriptedServer(answering: .ok("develop")), try ScriptedServer(answering: .ok("release")))
        for (environment, server) in [("develop", develop), ("release", release)] {
            let (client, _) = try client(["develop": ["\(develop.url)/v1"], "release": ["\(release.url)/v1/"]], environment: environment)
            #expect(try await client.send(Order(id: 7), through: "shop") == environment)
            #expect(server.requests.map(\.target) == ["/v1/orders/7"])
        }
    }

    @Test func `S4.4 requests get header fields, credentials and options of their service, with lower precedence than their own`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let (client, _) = try client(["develop": [server.url]]) {
            $0.headers = [HeaderField("X-Own", "service"), HeaderField("X-App", "demo")]
            $0.options.credential = .bearer(token: "t1")
            $0.options.timeouts.idle = .seconds(7)
        }
        _ = try await client.send(Order(id: 1), through: "shop")
        let sent = try #require(server.requests.first)
        #expect(sent["X-Own"] == "endpoint")
        #expect(sent["X-App"] == "demo")
        #expect(sent["Authorization"] == "Bearer t1")
        let request = try client.request("/x", headers: [HeaderField("Authorization", "mine")], through: "shop")
        #expect(request.headers["Authorization"] == "mine")
        #expect(request.options.timeouts.idle == .seconds(7))
        #expect(request.service == "shop")
        #expect(request.environment == "develop")
    }

    @Test func `S2.19 a request that bypasses plugins gets only the server of its service`() throws {
        let (client, _) = try client(["develop": ["http://shop.test"]]) {
            $0.headers = [HeaderField("X-App", "demo")]
            $0.options.credential = .bearer(token: "t1")
        }
        var options = RequestOptions()
        options.bypassesPlugins = true
        let request = try client.request("/x", headers: [HeaderField("X-Own", "1")], options: options, through: "shop")
        #expect(request.headers == [HeaderField("X-Own", "1")])
        #expect(request.url.description == "http://shop.test/x")
    }

    @Test func `S1.8 servers form a ring: the next one, and any one modulo their number`() throws {
        let (client, _) = try client(["develop": ["http://a.test", "http://b.test", "http://c.test"]])
        func base() throws -> String { try client.server(of: "shop").base }
        #expect(try base() == "http://a.test")
        client.switchServer(of: "shop")
        #expect(try base() == "http://b.test")
        client.switchServer(of: "shop")
        client.switchServer(of: "shop")
        #expect(try base() == "http://a.test")
        client.switchServer(of: "shop", to: 5)
        #expect(try base() == "http://c.test")
        client.switchServer(of: "shop", to: -2)
        #expect(try base() == "http://b.test")
        // Not stored: another client begins with the first server.
        #expect(try self.client(["develop": ["http://a.test", "http://b.test"]]).client.server(of: "shop").base == "http://a.test")
    }

    @Test func `S1.9 switching works before the first use, and concurrently`() async throws {
        let (client, _) = try client(["develop": ["http://a.test", "http://b.test", "http://c.test"]])
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { client.switchServer(of: "shop") } }
        }
        #expect(try client.server(of: "shop").base == "http://b.test")
        #expect(try client.server(of: "shop").generation == 100)
        client.switchServer(of: "nobody")
    }

    @Test func `S1.15 a request keeps the server and the generation of its creation`() async throws {
        let gate = Gate()
        let (first, second) = (
            try ScriptedServer(Script(.readRequest, .wait(for: gate), .send(HTTPAnswer.ok("first")))), try ScriptedServer(answering: .ok("second"))
        )
        let (client, _) = try client(["develop": [first.url, second.url]])
        async let early = client.send(Order(id: 1), through: "shop")
        try await gate.waitUntilReached()
        client.switchServer(of: "shop")
        #expect(try await client.send(Order(id: 1), through: "shop") == "second")
        gate.open()
        #expect(try await early == "first")
        #expect(try client.request("/", through: "shop").serverGeneration == 1)
        client.switchServer(of: "shop", to: 1)
        #expect(try client.request("/", through: "shop").serverGeneration == 1)
    }

    @Test func `an unknown service, or one without a server for the environment, is one clear error`() throws {
        let (client, _) = try client(["release": ["http://a.test"]])
        #expect { try client.server(of: "nobody") } throws: {
            ($0 as? NetworkError)?.message == "there is no service “nobody”"
        }
        #expect { try client.request("/", through: "shop") } throws: { error in
            let error = error as? NetworkError
            return error?.message == "the service shop has no server for the environment develop" && error?.hint == "its servers are in release"
        }
    }

    @Test func `S2.3 endpoints without a specified server use the client's server, and absolute URLs their own (X5)`()
        async throws
    {
        let (own, other) = (try ScriptedServer(answering: .ok("own")), try ScriptedServer(answering: .json(#"{"at": "other"}"#)))
        let folder = try TemporaryFolder()
        let client = Client(.init(spoolFolder: folder.path, server: Server("\(own.url)/base")))
        #expect(try await client.send(Order(id: 3)) == "own")
        #expect(own.requests.map(\.target) == ["/base/orders/3"])
        let found: [String: String] = try await client.get("\(other.url)/x")
        #expect(found == ["at": "other"])
    }

    /// Adds the version of the configuration to each attempt and to the result.
    private struct Version: Plugin {
        let number: Int
        func prepare(_ request: inout Request, in context: PluginContext) { request.headers["X-Version"] = String(number) }
        func process(_ exchange: inout Exchange, in context: PluginContext) -> Continuation {
            exchange.notices.append("version \(number)")
            return .next
        }
    }

    @Test func `S0.28 a call keeps the configuration it started with, to its last stage`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([
            Script(.readRequest, .wait(for: gate), .send(HTTPAnswer.redirect(to: "/next"))), Script(.readRequest, .send(HTTPAnswer.ok("body"))),
        ])
        func service(_ number: Int) -> ServiceConfiguration {
            var service = ServiceConfiguration(servers: ["develop": [server.url]], plugins: [Version(number: number)])
            service.reformer = { response, _ in ["body": .string(response.text ?? ""), "version": .integer(number)] }
            return service
        }
        let folder = try TemporaryFolder()
        let client = Client(.init(spoolFolder: folder.path, services: ["shop": service(1)], environment: "develop"))
        let request = try client.request("/", through: "shop")
        let first = Task { await client.exchange(request) }
        try await gate.waitUntilReached()
        client.use(services: ["shop": service(2)])
        gate.open()
        let (one, two) = try await withDeadline(.seconds(300), "the calls to end") { (await first.value, await client.exchange(request)) }
        #expect(one.value?["version"] == .number("1"))
        #expect(one.notices == ["version 1"])
        #expect(two.value?["version"] == .number("2"))
        #expect(two.notices == ["version 2"])
        #expect(server.requests.map { $0["X-Version"] } == ["1", "1", "2"], "also the redirect of the first call")
    }

    @Test func `S4.6 a service limits its concurrent requests`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.repeat([.readRequest, .wait(for: gate), .send(HTTPAnswer.ok())])))
        let (client, _) = try client(["develop": [server.url]]) { $0.limits.requests = 1 }
        let holder = RunningCall(client: client, request: try client.request("/", through: "shop"))
        try await gate.waitUntilReached()
        let waiter = RunningCall(client: client, request: try client.request("/", through: "shop"))
        try await waiter.waitForDecision(.admission)
        gate.open()
        #expect(try await holder.end().end?.error == nil)
        #expect(try await waiter.end().end?.error == nil)
    }
}
