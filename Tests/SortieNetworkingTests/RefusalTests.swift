import Support
import Testing

@testable import SortieNetworking

/// Tests that invalid requests are rejected before anything reaches the server.
@Suite(.fewAtOnce)
struct RefusalTests {
    private let server: ScriptedServer
    private let caller: Caller

    init() throws {
        server = try ScriptedServer(answering: .ok())
        caller = try Caller()
    }

    private func refusal(_ request: Request) async throws -> NetworkError {
        let exchange = try await caller.exchange(request)
        #expect(server.acceptedConnections == 0)
        #expect(exchange.response == nil)
        return try #require(exchange.error)
    }

    @Test func `time limits without time, paths that are no sockets, a user with a colon, and an empty token are rejected`() async throws {
        let changes: [(text: String, change: (inout RequestOptions) -> Void)] = [
            ("timeouts.connect is 0 s", { $0.timeouts.connect = .zero }), ("timeouts.idle is", { $0.timeouts.idle = .seconds(-1) }),
            ("cannot be the path of a Unix socket", { $0.unixSocket = "/" + String(repeating: "a", count: 107) }),
            ("cannot be the path of a Unix socket", { $0.unixSocket = "/tmp/a\0b" }),
            ("contains a colon", { $0.credential = .basic(user: "a:b", password: "c") }),
            ("the bearer token is empty", { $0.credential = .bearer(token: "") }),
        ]
        for (text, change) in changes {
            let error = try await refusal(.to(server.url, change))
            #expect(error.code == .invalidOption && error.message.contains(text), "\(error)")
        }
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\u{0}b", "\n"])
    func `a value that would start another field is rejected`(_ value: String) async throws {
        let error = try await refusal(.to(server.url, .get, [HeaderField("X-Value", value)]))
        #expect(error.code == .invalidHeader)
        #expect(error.message.contains("X-Value"))
    }

    @Test(arguments: ["", "a b", "a:", "a\r\nb", "ä", "a;", "(x)", "a\u{0}"])
    func `an invalid field name is rejected`(_ name: String) async throws {
        #expect(try await refusal(.to(server.url, .get, [HeaderField(name, "1")])).code == .invalidHeader)
    }

    @Test(arguments: ["GET /x", "A\r\nB", "", "GÉT", "a:b"])
    func `an invalid method is rejected`(_ text: String) {
        #expect(HTTPMethod(text) == nil)
    }

    @Test(arguments: ["0", "2", "4", "-1", "abc", "3, 3", "+3", "03"])
    func `a wrong Content-Length is rejected`(_ length: String) async throws {
        let request = try Request.to(
            server.url, .post, [HeaderField("Content-Length", length)], body: .text("abc", contentType: nil))
        let error = try await refusal(request)
        #expect(error.code == .invalidHeader)
        #expect(error.hint != nil)
    }

    @Test func `a Content-Length of a file must be its length`() async throws {
        let path = try caller.folder.write("body.txt", "abc")
        let server = try ScriptedServer(answering: .ok())
        func send(_ length: String) async throws -> Exchange {
            try await caller.exchange(
                .to(server.url, .post, [HeaderField("Content-Length", length)], body: .file(path: path, contentType: nil)))
        }
        #expect(try await send("4").error?.code == .invalidHeader)
        #expect(try await send("3").error == nil)
        #expect(server.requests.map { $0.values(of: "Content-Length") } == [["3"]])
    }

    @Test(arguments: ["Content-Length", "transfer-encoding"])
    func `a field about the end of the body cannot be removed`(_ name: String) async throws {
        var request = try Request.to("http://127.0.0.1:1/", .post, body: .text("abc", contentType: nil))
        request.options.removedFields = [name.lowercased()]
        #expect(try await caller.exchange(request).error?.code == .invalidHeader)
    }

    @Test func `the type of a multipart body, which has its boundary, cannot be removed`() async throws {
        var request = try Request.to("http://127.0.0.1:1/", .post, body: .multipart([.init(name: "a", content: .bytes([]))]))
        request.headers["Content-Type"] = ""
        #expect(try await refusal(request).code == .invalidHeader)
        request.headers["Content-Type"] = nil
        request.options.removedFields = ["content-type"]
        #expect(try await refusal(request).code == .invalidHeader)
    }

    @Test func `two Content-Length fields are rejected, even when both are right`() async throws {
        let headers: Headers = [HeaderField("Content-Length", "3"), HeaderField("content-length", "3")]
        #expect(try await refusal(.to(server.url, .post, headers, body: .text("abc", contentType: nil))).code == .invalidHeader)
    }

    @Test(arguments: ["chunked", "identity", "gzip, chunked", ""])
    func `Transfer-Encoding is rejected`(_ value: String) async throws {
        let request = try Request.to(server.url, .post, [HeaderField("transfer-encoding", value)])
        #expect(try await refusal(request).code == .invalidHeader)
    }

    @Test func `CONNECT is rejected`() async throws {
        let method = try #require(HTTPMethod("CONNECT"))
        #expect(try await refusal(.to(server.url, method)).code == .invalidMethod)
    }

    @Test(arguments: [.text("a", contentType: nil), RequestBody.multipart([.init(name: "a", content: .bytes([49]))])])
    func `a HEAD with a body is rejected, because libcurl cannot send one`(_ body: RequestBody) async throws {
        #expect(try await refusal(.to(server.url, .head, body: body)).code == .invalidMethod)
    }

    @Test(arguments: ["/no/such/file", "/"])
    func `S2.20 a body from an unreadable file is rejected`(_ path: String) async throws {
        let error = try await refusal(.to(server.url, .post, body: .file(path: path, contentType: nil)))
        #expect(error.code == .fileUnreadable)
        #expect(error.message.contains(path))
    }

    @Test(arguments: ["", "sha256//", "sha256//abc=", "abc", "sha1//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="])
    func `a malformed pin is rejected`(_ pin: String) async throws {
        var request = try Request.to("https://127.0.0.1:\(server.port)/")
        request.options.trust.pins = [pin]
        #expect(try await refusal(request).code == .invalidOption)
    }

    @Test func `a missing certificate file is rejected`() async throws {
        var request = try Request.to("https://127.0.0.1:\(server.port)/")
        request.options.trust.certificateAuthorityFile = "/no/such/ca.pem"
        #expect(try await refusal(request).code == .fileUnreadable)
    }
}
