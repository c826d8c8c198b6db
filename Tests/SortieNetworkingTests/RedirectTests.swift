import Support
import Testing

@testable import SortieNetworking

/// Tests redirects (RFC 9110 §15.4), which the client follows itself with one attempt each.
@Suite(.fewAtOnce)
struct RedirectTests {
    private let caller: Caller

    init() throws {
        caller = try Caller()
    }

    /// Redirects `/` to `location` and responds to other requests normally.
    private func server(_ status: Int, to location: String) throws -> ScriptedServer {
        try ScriptedServer { request in request.target == "/" ? .redirect(status, to: location) : .ok("there") }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a GET is repeated as GET`(_ status: Int) async throws {
        let server = try server(status, to: "/there")
        let exchange = try await caller.get("\(server.url)/")
        #expect(exchange.text == "there")
        #expect(server.requests.map { "\($0.method) \($0.target)" } == ["GET /", "GET /there"])
        #expect(exchange.attempts.map(\.status) == [status, 200])
        #expect(exchange.attempts.map(\.url.path) == ["/", "/there"])
    }

    @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func `a POST keeps method and body where the status requires it`(_ status: Int, _ method: String) async throws {
        let server = try server(status, to: "/there")
        let exchange = try await caller.exchange(
            .to("\(server.url)/", .post, [HeaderField("X-Keep", "1")], body: .text("data", contentType: "text/plain")))
        #expect(exchange.text == "there")
        let second = try #require(server.requests.last)
        #expect(second.method == method)
        #expect(second.bodyText == (method == "POST" ? "data" : ""))
        #expect(second["Content-Type"] == (method == "POST" ? "text/plain" : nil))
        #expect(second["X-Keep"] == "1")
        #expect(exchange.attempts.map(\.method.rawValue) == ["POST", method])
    }

    @Test(arguments: [(301, HTTPMethod.put), (302, .delete), (303, .head), (307, .patch)])
    func `other methods are kept where only POST changes`(_ status: Int, _ method: HTTPMethod) async throws {
        let server = try server(status, to: "/there")
        _ = try await caller.exchange(.to("\(server.url)/", method))
        #expect(server.requests.map(\.method) == [method.rawValue, method.rawValue])
    }

    @Test func `a 303 changes a PUT into a GET without body and length`() async throws {
        let server = try server(303, to: "/there")
        let headers: Headers = [HeaderField("Content-Length", "1"), HeaderField("Content-Encoding", "x")]
        let exchange = try await caller.exchange(.to("\(server.url)/", .put, headers, body: .text("x", contentType: "a/b")))
        #expect(exchange.text == "there")
        let second = try #require(server.requests.last)
        #expect(second.method == "GET")
        for name in ["Content-Length", "Content-Type", "Content-Encoding"] { #expect(second[name] == nil) }
    }

    @Test(arguments: [
        ("/x/y", "/x/y"), ("other", "/a/other"), ("../up?q", "/up?q"), ("?q=1", "/a/b?q=1"), ("./c;p", "/a/c;p"),
        ("/ü x", "/%C3%BC%20x"),
        ("/x#fragment", "/x"),
    ])
    func `a relative Location is resolved against the request URL`(_ location: String, _ target: String) async throws {
        let server = try ScriptedServer { $0.target == "/a/b?old" ? .redirect(302, to: location) : .ok("there") }
        let exchange = try await caller.get("\(server.url)/a/b?old")
        #expect(exchange.text == "there")
        #expect(server.requests.last?.target == target)
    }

    @Test(arguments: [true, false])
    func `a Location with a host is followed`(_ isAbsolute: Bool) async throws {
        let target = try ScriptedServer(answering: .ok("other server"))
        let server = try server(302, to: "\(isAbsolute ? "http:" : "")//\(target.authority)/x?y")
        #expect(try await caller.get("\(server.url)/").text == "other server")
        #expect(target.requests.first?.target == "/x?y")
        #expect(target.requests.first?["Host"] == target.authority)
    }

    private static let secrets: Headers = [
        HeaderField("Authorization", "Bearer secret"), HeaderField("Cookie", "a=secret"), HeaderField("X-Api-Key", "secret"),
        HeaderField("Host", "named.test"), HeaderField("X-Plain", "kept"),
    ]

    @Test func `another origin receives no credentials and its own Host field`() async throws {
        let target = try ScriptedServer(answering: .ok())
        let server = try server(307, to: target.url)
        var request = try Request.to("\(server.url)/", .get, Self.secrets)
        request.options.credential = .digest(user: "u", password: "p")
        let events = try await caller.events(request)
        #expect(events.end?.response?.status == 200)
        let sent = try #require(target.requests.first)
        #expect(!sent.headText.contains("secret"))
        #expect(sent["Authorization"] == nil)
        #expect(sent["Host"] == target.authority)
        #expect(sent["X-Plain"] == "kept")
        #expect(events.decisions(.redirect).first?.contains("without the credentials") == true)
    }

    @Test func `the same origin keeps credentials`() async throws {
        let server = try server(307, to: "/there")
        _ = try await caller.exchange(.to("\(server.url)/", .get, Self.secrets))
        #expect(server.requests.last?["Authorization"] == "Bearer secret")
        #expect(server.requests.last?["Cookie"] == "a=secret")
    }

    @Test func `addresses of the first origin are not used for another`() async throws {
        let target = try ScriptedServer(answering: .ok("right"))
        let server = try server(302, to: "http://127.0.0.1:\(target.port)/")
        let exchange = try await caller.exchange(
            .to("http://named.test:\(server.port)/") { $0.addresses = [IPAddress("127.0.0.1")].compactMap { $0 } })
        #expect(exchange.text == "right")
    }

    @Test func `redirects up to the limit are followed and no more`() async throws {
        let server = try ScriptedServer { .redirect(302, to: "/\((Int($0.target.dropFirst()) ?? 0) + 1)") }
        let exchange = try await caller.get("\(server.url)/0") { $0.maximumRedirects = 3 }
        #expect(exchange.error?.code == .tooManyRedirects)
        #expect(exchange.error?.remedy == .redirectLimit)
        #expect(server.requests.map(\.target) == ["/0", "/1", "/2", "/3"])
        #expect(exchange.attempts.count == 4)
    }

    @Test func `without redirects the redirect itself is the response, with its body`() async throws {
        let server = try ScriptedServer(
            answering: HTTPAnswer(status: 302, headers: [("Location", "/x")], body: Array("see x".utf8)))
        let exchange = try await caller.get(server.url) { $0.maximumRedirects = 0 }
        #expect(exchange.response?.status == 302)
        #expect(exchange.text == "see x")
        #expect(exchange.error == nil)
    }

    @Test func `a redirect loop is detected before the limit`() async throws {
        let server = try ScriptedServer { .redirect(302, to: $0.target == "/a" ? "/b" : "/a") }
        let exchange = try await caller.get("\(server.url)/a")
        #expect(exchange.error?.code == .tooManyRedirects)
        #expect(exchange.error?.message.contains("loop") == true)
        #expect(server.requests.count <= 3)
    }

    @Test(arguments: [
        "ftp://127.0.0.1/", "javascript:alert(1)", "http://", "http://a b/", "http://127.0.0.1:99999/", "file:///etc/passwd",
    ])
    func `an invalid Location is an error that quotes it`(_ location: String) async throws {
        let server = try server(302, to: location)
        let exchange = try await caller.get("\(server.url)/")
        #expect(exchange.error?.code == .badRedirect)
        #expect(exchange.error?.message.contains(location) == true)
        #expect(exchange.attempts.map(\.status) == [302])
    }

    @Test(arguments: [300, 304, 305, 306])
    func `other statuses with a Location are responses`(_ status: Int) async throws {
        let server = try server(status, to: "/there")
        #expect(try await caller.get("\(server.url)/").response?.status == status)
    }

    @Test func `a redirect status without a Location is a response with its body`() async throws {
        let server = try ScriptedServer(answering: .status(302, "nowhere"))
        let exchange = try await caller.get(server.url)
        #expect(exchange.response?.status == 302)
        #expect(exchange.text == "nowhere")
    }

    @Test func `an empty Location makes the response final, with its body`() async throws {
        let server = try ScriptedServer(answering: HTTPAnswer(status: 302, headers: [("Location", "")], body: Array("stay".utf8)))
        let events = try await caller.events(.to(server.url))
        #expect(events.end?.text == "stay")
        #expect(events.end?.error == nil)
        #expect(events.decisions(.redirect) == ["the 302 has no Location, so it is the final response"])
    }

    @Test(arguments: [["/there", "/other"], ["", "/there"]])
    func `the first of several Location fields with a value counts`(_ locations: [String]) async throws {
        let server = try ScriptedServer { request in
            request.target == "/" ? HTTPAnswer(status: 302, headers: locations.map { ("Location", $0) }) : .ok(request.target)
        }
        let exchange = try await caller.get("\(server.url)/")
        #expect(exchange.text == "/there")
        let notice = "the 302 has several Location fields; “/there” was followed, and not “/other”"
        #expect(exchange.notices == (locations.contains("/other") ? [notice] : []))
    }

    @Test(arguments: [10, 64 << 10])
    func `a small body of a redirect is read, so that its connection is reused`(_ size: Int) async throws {
        let answer = HTTPAnswer(status: 302, headers: [("Location", "/there")], body: [UInt8](repeating: 120, count: size))
        let deadline = ContinuousClock.now + .seconds(120)
        var server: ScriptedServer
        // A body that takes longer than half a second, as on a busy machine, is not read.
        repeat {
            server = try ScriptedServer { $0.target == "/" ? answer : .ok("small") }
            let events = try await caller.events(.to("\(server.url)/"))
            #expect(events.end?.text == "small")
            #expect(events.views.allSatisfy { $0.count <= 5 })
        } while server.acceptedConnections > 1 && ContinuousClock.now < deadline
        #expect(server.acceptedConnections == 1)
    }

    @Test(arguments: ["Content-Length: 3000000", "Transfer-Encoding: chunked", "Connection: close"])
    func `an endless body of a redirect is not read to its end`(_ framing: String) async throws {
        let chunk = String(repeating: "x", count: 4096)
        let server = try ScriptedServer([
            [
                .readRequest, .send("HTTP/1.1 302 Elsewhere\r\nLocation: /there\r\n\(framing)\r\n\r\n"),
                .sendForever(Array((framing.hasSuffix("chunked") ? "1000\r\n\(chunk)\r\n" : chunk).utf8)),
            ], .answering(.ok("there")),
        ])
        let exchange = try await caller.get(server.url)
        #expect(exchange.text == "there")
        #expect(exchange.attempts.map(\.status) == [302, 200])
        #expect(exchange.attempts.compactMap(\.error).isEmpty)
    }

    @Test func `a missing body of a redirect is not waited for`() async throws {
        let server = try ScriptedServer([
            [.readRequest, .send("HTTP/1.1 302 Elsewhere\r\nLocation: /there\r\nContent-Length: 10\r\n\r\n"), .holdOpen],
            .answering(.ok("there")),
        ])
        // A body that is waited for ends the call at the idle limit.
        let exchange = try await caller.exchange(.to(server.url), within: .seconds(300))
        #expect(exchange.text == "there")
    }

    @Test func `a redirect with a truncated body is followed`() async throws {
        let server = try ScriptedServer([
            [.readRequest, .send("HTTP/1.1 302 Elsewhere\r\nLocation: /there\r\nContent-Length: 10\r\n\r\nhalf")], .answering(.ok("there")),
        ])
        #expect(try await caller.get(server.url).text == "there")
    }

    @Test func `a redirect to another host uses its configured addresses, and a redirect back those of the first host`() async throws {
        let server = try ScriptedServer { request in
            switch (request["Host"]?.prefix { $0 != ":" }, request.target) {
            case ("a.invalid", "/"): .redirect(to: "http://b.invalid:\(request["Host"]?.split(separator: ":").last ?? "")/")
            case ("b.invalid", _): .redirect(to: "http://a.invalid:\(request["Host"]?.split(separator: ":").last ?? "")/end")
            default: .ok("end of \(request["Host"]?.prefix { $0 != ":" } ?? "")")
            }
        }
        let address = try #require(IPAddress("127.0.0.1"))
        let exchange = try await caller.exchange(
            .to("http://a.invalid:\(server.port)/") {
                $0.addresses = [address]
                $0.resolution.hosts["b.invalid"] = HostAddresses(fixed: [address])
            })
        #expect(exchange.text == "end of a.invalid")
        #expect(exchange.attempts.map(\.url.host) == ["a.invalid", "b.invalid", "a.invalid"])
    }

    @Test func `a redirect to another port of the same host keeps its addresses`() async throws {
        let target = try ScriptedServer(answering: .ok("there"))
        let server = try server(302, to: "http://a.invalid:\(target.port)/")
        let address = try #require(IPAddress("127.0.0.1"))
        #expect(try await caller.exchange(.to("http://a.invalid:\(server.port)/") { $0.addresses = [address] }).text == "there")
    }
}
