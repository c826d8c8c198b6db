import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests how unsafe requests invalidate cached responses (RFC 9111 §4.4), and POST requests that are cached (S1.23, S1.25).
@Suite(.fewAtOnce)
struct CacheInvalidationTests {
    private let caller: Caller
    private let server: ScriptedServer

    /// Creates a resource whose body counts the writes to it.
    init() throws {
        caller = try Caller()
        let writes = Mutex(0)
        server = try ScriptedServer { request in
            if request.method == "GET" || request.method == "HEAD" { return .ok("version \(writes.withLock { $0 })") }
            if request.target == "/refused" { return .status(403, "no") }
            let count = writes.withLock { count in
                count += 1
                return count
            }
            switch request.target {
            case "/list": return HTTPAnswer(status: 201, headers: [("Location", "/item")], body: [])
            case "/edit": return .ok("").with("Content-Location", "/item")
            case "/go": return .redirect(303, to: "/item")
            case "/elsewhere": return HTTPAnswer(status: 201, headers: [("Location", "http://other.invalid/item")], body: [])
            default: return .ok("write \(count) of \(request.bodyText)")
            }
        }
    }

    private func get(_ path: String) async throws -> Exchange {
        try await caller.get(server.url + path) { $0.cacheLifetime = .seconds(60) }
    }

    private func write(_ method: HTTPMethod, _ path: String) async throws {
        _ = try await caller.exchange(.to(server.url + path, method, body: .text("x", contentType: nil)))
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete])
    func `a successful write invalidates the cached response of its URL`(_ method: HTTPMethod) async throws {
        #expect(try await get("/item").text == "version 0")
        #expect(try await get("/item").response?.isFromCache == true)
        try await write(method, "/item")
        let after = try await get("/item")
        #expect(after.response?.isFromCache == false)
        #expect(after.text == "version 1")
    }

    @Test func `an unknown method invalidates, and OPTIONS does not`() async throws {
        _ = try await get("/item")
        _ = try await caller.exchange(.to("\(server.url)/item", try #require(HTTPMethod("PURGE"))))
        #expect(try await get("/item").response?.isFromCache == false)
        _ = try await caller.exchange(.to("\(server.url)/item", .options))
        #expect(try await get("/item").response?.isFromCache == true)
    }

    @Test(arguments: ["/list", "/edit", "/go"])
    func `URLs in Location and Content-Location with the same origin are invalidated`(_ path: String) async throws {
        _ = try await get("/item")
        try await write(.post, path)
        #expect(try await get("/item").response?.isFromCache == false)
    }

    @Test(arguments: ["/refused", "/elsewhere", "/other"])
    func `a rejected write and a write to another URL keep the cached response`(_ path: String) async throws {
        _ = try await get("/item")
        _ = try await get("/refused")
        try await write(.post, path)
        #expect(try await get("/item").response?.isFromCache == true)
        #expect(try await get("/refused").response?.isFromCache == true)
    }

    @Test func `a response that a write overtakes is not cached`() async throws {
        let gate = Gate()
        let slow = try ScriptedServer([
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nol"), .wait(for: gate), .send("d")],
            .answering { $0.method == "POST" ? .ok("") : .ok("new") },
        ])
        let call = caller.begin(try .to(slow.url) { $0.cacheLifetime = .seconds(60) })
        try await call.wait(for: "the response to begin") { if case .responded = $0 { true } else { false } }
        _ = try await caller.exchange(.to(slow.url, .post))
        gate.open()
        #expect(try await call.end().end?.text == "old")
        #expect(try await caller.get(slow.url) { $0.cacheLifetime = .seconds(60) }.text == "new")
    }

    @Test func `S1.25 a POST with a cache setting is cached by URL and body, and invalidates nothing`() async throws {
        func ask(_ body: String, _ type: String = "text/plain") async throws -> Exchange {
            var request = try Request.to("\(server.url)/search", .post, body: .text(body, contentType: type))
            request.options.cacheLifetime = .seconds(60)
            request.options.cachedMethods.insert(.post)
            return try await caller.exchange(request)
        }
        #expect(try await ask("a").text == "write 1 of a")
        #expect(try await ask("b").text == "write 2 of b")
        #expect(try await ask("a").text == "write 1 of a")
        #expect(try await ask("a", "text/html").text == "write 3 of a")
        #expect(server.requests.count == 3)
    }

    @Test func `a POST without a cache setting is never cached`() async throws {
        func ask() async throws -> Exchange {
            var request = try Request.to("\(server.url)/search", .post, body: .text("a", contentType: nil))
            request.options.cacheLifetime = .seconds(60)
            return try await caller.exchange(request)
        }
        #expect(try await ask().text == "write 1 of a")
        #expect(try await ask().text == "write 2 of a")
    }
}
