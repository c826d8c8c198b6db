import Support
import Testing

@testable import SortieNetworking

/// Tests cookies of a call (S2.15, S3.11).
@Suite(.fewAtOnce)
struct CookieJarTests {
    private let caller: Caller

    init() throws {
        caller = try Caller()
    }

    /// Responds to `/set` with cookies and to other requests without them.
    private func server(_ cookies: String..., redirectingTo place: String? = nil) throws -> ScriptedServer {
        try ScriptedServer { request in
            guard request.target == "/set" else { return .ok("there") }
            return cookies.reduce(place.map { .redirect(302, to: $0) } ?? .ok()) { $0.with("Set-Cookie", $1) }
        }
    }

    @Test func `S3.11 a request without an environment uses the jar of the environment of its client`() async throws {
        let server = try server("theme=dark; Path=/")
        let jars = CookieJars()
        let clients = ["develop", "release"].map { Client(.init(spoolFolder: caller.folder.path, environment: $0, cookies: jars)) }
        for (client, path) in [(clients[0], "set"), (clients[0], "a"), (clients[1], "b")] {
            try await withDeadline(.seconds(300), "the call to end") { [url = server.url] in _ = try await client.get("\(url)/\(path)") }
        }
        #expect(server.requests.map { $0["Cookie"] } == [nil, "theme=dark", nil])
        #expect(jars["develop"].cookies.map(\.name) == ["theme"] && jars["release"].cookies.isEmpty && jars[nil].cookies.isEmpty)
    }

    @Test func `S3.11 a cookie is stored and sent with the next request`() async throws {
        let server = try server("theme=dark; Path=/", "deep=1; Path=/x")
        _ = try await caller.get("\(server.url)/set")
        _ = try await caller.get("\(server.url)/x/y")
        _ = try await caller.get("\(server.url)/")
        #expect(server.requests.map { $0.values(of: "Cookie") } == [[], ["deep=1; theme=dark"], ["theme=dark"]])
    }

    @Test func `S2.15 a request without cookies neither sends nor stores any`() async throws {
        let server = try server("theme=dark; Path=/")
        _ = try await caller.get("\(server.url)/set") { $0.usesCookies = false }
        _ = try await caller.get("\(server.url)/")
        _ = try await caller.get("\(server.url)/set")
        _ = try await caller.get("\(server.url)/") { $0.usesCookies = false }
        #expect(server.requests.allSatisfy { $0["Cookie"] == nil })
    }

    @Test func `cookies of a redirect are sent to its target on the same host, and not to another host`() async throws {
        let other = try ScriptedServer(address: "127.0.0.2", .answering(.ok("other")))
        let server = try server("sid=1; Path=/", redirectingTo: "/there")
        #expect(try await caller.get("\(server.url)/set").text == "there")
        #expect(server.requests.last?["Cookie"] == "sid=1")
        let leading = try self.server("more=1; Path=/", redirectingTo: "\(other.url)/")
        #expect(try await caller.get("\(leading.url)/set").text == "other")
        #expect(other.requests.first?["Cookie"] == nil)
    }

    @Test func `a login that redirects to the first URL is not a redirect loop`() async throws {
        let server = try ScriptedServer { request in
            request["Cookie"] == nil
                ? HTTPAnswer.redirect(302, to: request.target == "/a" ? "/b" : "/a").with("Set-Cookie", "n=1; Path=/b") : .ok("in")
        }
        #expect(try await caller.get("\(server.url)/a").text == "in")
    }

    @Test func `S3.11 under IP-direct cookies belong to the name`() async throws {
        let server = try server("sid=1; Path=/; Domain=shop.invalid")
        let address = [IPAddress("127.0.0.1")].compactMap { $0 }
        _ = try await caller.get("http://www.shop.invalid:\(server.port)/set") { $0.addresses = address }
        _ = try await caller.get("http://api.shop.invalid:\(server.port)/") { $0.addresses = address }
        _ = try await caller.get("http://127.0.0.1:\(server.port)/")
        #expect(server.requests.map { $0["Cookie"] } == [nil, "sid=1", nil])
    }

    @Test func `S1.2 a Cookie field of the request replaces the jar's cookies`() async throws {
        let server = try server("sid=1; Path=/")
        _ = try await caller.get("\(server.url)/set")
        let events = try await caller.events(.to("\(server.url)/", .get, [HeaderField("Cookie", "mine=2")]))
        #expect(server.requests.last?.values(of: "Cookie") == ["mine=2"])
        #expect(events.decisions(.cookie) == ["the Cookie header of the request is sent unchanged; the jar is not used"])
    }

    @Test func `decisions contain the sent, stored and rejected cookies, and never a value`() async throws {
        let server = try server("sid=s3cret; Path=/", "evil=s3cret; Domain=other.example", "sid=; Max-Age=0; Path=/")
        let stored = try await caller.events(.to("\(server.url)/set"))
        #expect(
            stored.decisions(.cookie) == [
                "stored sid", "refused evil: its domain other.example is not one of 127.0.0.1", "deleted sid, which has expired",
            ])
        let keeping = try self.server("sid=s3cret; Path=/")
        _ = try await caller.get("\(keeping.url)/set")
        let sent = try await caller.events(.to("\(keeping.url)/"))
        #expect(sent.decisions(.cookie) == ["from the jar for 127.0.0.1: sid"])
        #expect(sent.end?.attempts.first?.sentCookies.map(\.name) == ["sid"])
    }

    @Test func `each environment has a separate jar`() async throws {
        let server = try server("sid=1; Path=/")
        var request = try Request.to("\(server.url)/set")
        request.environment = "develop"
        _ = try await caller.exchange(request)
        request.url.path = "/"
        _ = try await caller.exchange(request)
        request.environment = "release"
        _ = try await caller.exchange(request)
        #expect(server.requests.map { $0["Cookie"] } == [nil, "sid=1", nil])
    }

    @Test func `cookies of a response with a truncated body are stored`() async throws {
        let server = try ScriptedServer(answering: .claiming(length: 9, "cut", headers: [("Set-Cookie", "sid=1")]), .ok())
        let exchange = try await caller.get(server.url)
        #expect(exchange.error != nil)
        #expect(exchange.attempts.first?.setCookies.map(\.outcome) == [.stored])
    }

    @Test func `cookies of a challenge with credentials are stored`() async throws {
        let server = try ScriptedServer { request in
            request["Authorization"] != nil
                ? .ok("in")
                : .status(401, "", headers: [("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""), ("Set-Cookie", "round=1")])
        }
        let exchange = try await caller.get(server.url) { $0.credential = .digest(user: "u", password: "p") }
        #expect(exchange.attempts.first?.setCookies.map(\.name) == ["round"])
        _ = try await caller.get(server.url)
        #expect(server.requests.last?["Cookie"] == "round=1")
    }

    @Test func `S1.25 a response that is cached for one cookie is not served for another`() async throws {
        let server = try ScriptedServer { .ok($0["Cookie"] ?? "nobody") }
        let jar = CookieJar([Cookie(name: "who", value: "anna", domain: "127.0.0.1")])
        let folder = try TemporaryFolder()
        let client = Client(.init(spoolFolder: folder.path, cookies: CookieJars(["": jar])))
        var request = try Request.to(server.url)
        request.options.cacheLifetime = .seconds(60)
        let first = await client.exchange(request)
        jar.removeAll()
        let second = await client.exchange(request)
        #expect([first.text, second.text] == ["who=anna", "nobody"])
    }

    @Test func `a jar is read from a curl file, and written in the same format`() throws {
        let jar = CookieJar()
        let problems = jar.insert(netscape: Array("#HttpOnly_h.example\tFALSE\t/\tFALSE\t0\ta\tb\nnonsense\n".utf8))
        #expect(problems.map(\.line) == [2])
        #expect(jar.cookies(for: try HTTPURL(parsing: "http://h.example/")).map(\.value) == ["b"])
        #expect(String(decoding: jar.netscape, as: UTF8.self).hasSuffix("\n#HttpOnly_h.example\tFALSE\t/\tFALSE\t0\ta\tb\n"))
    }
}

extension ScriptedServer {
    fileprivate convenience init(answering first: HTTPAnswer, _ rest: HTTPAnswer...) throws {
        try self.init([.answering([first]), .answering(rest)])
    }
}
