import Support
import Testing

@testable import SortieNetworking

/// Tests that the request on the wire equals the specified one.
@Suite(.fewAtOnce)
struct WireTests {
    private let server: ScriptedServer
    private let caller: Caller

    init() throws {
        server = try ScriptedServer(answering: .ok())
        caller = try Caller()
    }

    /// Sends a request and returns what the server received.
    private func received(_ request: Request) async throws -> ReceivedRequest {
        let exchange = try await caller.exchange(request)
        #expect(exchange.error == nil)
        return try #require(server.requests.last)
    }

    @Test(arguments: HTTPMethod.common + [HTTPMethod("TRACE"), HTTPMethod("PROPFIND"), HTTPMethod("get")].compactMap { $0 })
    func `a method is sent unchanged and the response is received`(_ method: HTTPMethod) async throws {
        let request = try await received(.to("\(server.url)/m", method))
        #expect(request.method == method.rawValue)
        #expect(request.target == "/m")
        #expect(request.body.isEmpty)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch])
    func `an empty body of a method with a defined body has Content-Length 0`(_ method: HTTPMethod) async throws {
        let request = try await received(.to(server.url, method))
        #expect(request.values(of: "Content-Length") == ["0"])
        #expect(request["Content-Type"] == nil)
        #expect(request["Transfer-Encoding"] == nil)
    }

    @Test(arguments: [HTTPMethod.get, .delete, .options, .head])
    func `a method that usually has no body sends no Content-Length`(_ method: HTTPMethod) async throws {
        let request = try await received(.to(server.url, method))
        #expect(request["Content-Length"] == nil)
        #expect(request["Transfer-Encoding"] == nil)
    }

    @Test(arguments: HTTPMethod.common.filter { $0 != .head })
    func `any method except HEAD can have a body, with its length and without Expect`(_ method: HTTPMethod) async throws {
        let request = try await received(.to(server.url, method, body: .text("abc", contentType: "text/plain")))
        #expect(request.method == method.rawValue)
        #expect(request.bodyText == "abc")
        #expect(request.values(of: "Content-Length") == ["3"])
        #expect(request.values(of: "Content-Type") == ["text/plain"])
        #expect(request["Expect"] == nil)
    }

    @Test func `the response to a HEAD has no body, whatever its length`() async throws {
        let server = try ScriptedServer(answering: .claiming(length: 7, ""))
        let exchange = try await caller.exchange(.to(server.url, .head))
        #expect(exchange.error == nil)
        #expect(exchange.response?.headers["Content-Length"] == "7")
        #expect(exchange.response?.body.isEmpty == true)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .get])
    func `a body without a type has no Content-Type`(_ method: HTTPMethod) async throws {
        let request = try await received(.to(server.url, method, body: .bytes([0, 255, 13, 10], contentType: nil)))
        #expect(request["Content-Type"] == nil)
        #expect(request.body == [0, 255, 13, 10])
    }

    @Test func `a body of two megabytes waits for 100 Continue, and is received exactly`() async throws {
        let body = (0..<2_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let request = try await received(.to(server.url, .post, body: .bytes(body, contentType: nil)))
        #expect(request.body == body)
        #expect(request["Expect"] == "100-continue")
    }

    @Test func `S2.20 a file is sent unchanged`() async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let path = try caller.folder.write("file.bin", bytes)
        let request = try await received(.to(server.url, .put, body: .file(path: path, contentType: "application/x-test")))
        #expect(request.body == bytes)
        #expect(request["Content-Length"] == "300000")
        #expect(request["Content-Type"] == "application/x-test")
    }

    @Test func `fields keep order, spelling, duplicates and empty values`() async throws {
        let headers: Headers = [
            HeaderField("x-b", "2"), HeaderField("X-A", "1"), HeaderField("X-Empty", ""), HeaderField("x-b", "3"),
            HeaderField("X-Colon", "a: b;c"), HeaderField("X-Blank", "  "),
        ]
        let request = try await received(.to(server.url, .get, headers))
        let names = Set(headers.fields.map(\.name))
        let sent = request.headers.filter { names.contains($0.name) }
        #expect(sent.map(\.name) == headers.fields.map(\.name))
        #expect(sent.map(\.value) == ["2", "1", "", "3", "a: b;c", ""])
    }

    @Test func `a field of the user replaces the engine's own`() async throws {
        let headers: Headers = [
            HeaderField("User-Agent", "mine"), HeaderField("Accept", "a/b"), HeaderField("Host", "other.test"),
            HeaderField("Accept-Encoding", "identity"), HeaderField("Content-Type", "x/y"), HeaderField("Content-Length", "1"),
        ]
        let request = try await received(.to(server.url, .post, headers, body: .text("z", contentType: "text/plain")))
        for field in headers.fields { #expect(request.values(of: field.name) == [field.value]) }
    }

    @Test func `a field in UTF-8 is sent in UTF-8`() async throws {
        let request = try await received(.to(server.url, .get, [HeaderField("X-City", "Zürich 東京")]))
        #expect(request["X-City"] == "Zürich 東京")
    }

    @Test(arguments: [
        "/a%2Fb%2fc/%41?q=%7e~!$&'()*+,;=:@/?", "/?", "/?a=b&&c=&=d&a", "/~user/;p=1/a,b", "/%E6%9D%B1?x=%00%ff",
        "//double//slash",
        "/a?x=a%20b+c|d\\e^f`g{h}",
    ])
    func `path and query bytes are unchanged`(_ target: String) async throws {
        let url = try HTTPURL(parsing: server.url + target)
        let request = try await received(Request(url: url))
        #expect(request.target == url.requestTarget)
        #expect(!target.contains("%") || request.target.contains("%"))
    }

    @Test func `the request line and Host contain the origin with its port`() async throws {
        let request = try await received(.to("\(server.url)/x?y"))
        #expect(request.headText.hasPrefix("GET /x?y HTTP/1.1\r\n"))
        #expect(request.values(of: "Host") == [server.authority])
        #expect(request.values(of: "User-Agent") == [StandardFields().userAgent])
    }

    @Test func `an IPv6 address in the URL is connected to and is in Host with brackets`() async throws {
        let server = try ScriptedServer(address: "::1", answering: .ok("six"))
        let exchange = try await caller.get("http://[::1]:\(server.port)/")
        #expect(exchange.text == "six")
        #expect(exchange.response?.remoteAddress == "[::1]:\(server.port)")
        #expect(server.requests.first?["Host"] == "[::1]:\(server.port)")
    }

    @Test func `user and password of the URL are sent neither in the URL nor by default`() async throws {
        let request = try await received(.to("http://anna:secret@\(server.authority)/p"))
        #expect(request.target == "/p")
        #expect(!request.headText.contains("secret"))
        #expect(request["Authorization"] == nil)
    }

    @Test func `the exchange contains the sent fields when it is observed`() async throws {
        let events = try await caller.events(.to(server.url, .get, [HeaderField("X-Mine", "1")]))
        let sent = try #require(events.end?.sentHeaders)
        #expect(sent["X-Mine"] == "1")
        #expect(sent["Host"] == server.authority)
        let head = try #require(server.requests.first)
        #expect(sent.fields.map(\.name) == head.headers.map(\.name))
    }
}

extension ScriptedServer {
    fileprivate convenience init(address: String, answering answer: HTTPAnswer) throws {
        try self.init(address: address, .answering(answer))
    }
}
