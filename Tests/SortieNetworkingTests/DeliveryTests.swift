import Support
import Testing

@testable import SortieNetworking

/// Tests that a request that may have been processed is never sent twice without notice (`EngineFacts.md`, headline 4).
@Suite(.fewAtOnce)
struct DeliveryTests {
    /// Responds to one request, reads the next one as specified by `then`, and closes; later connections respond.
    private func server(dyingAfter second: [Step]) throws -> ScriptedServer {
        try ScriptedServer([
            Script([.readRequest, .send(HTTPAnswer.ok("first"))] + second), .answering(.ok("later")),
        ])
    }

    private func warm(_ caller: Caller, _ server: ScriptedServer) async throws {
        #expect(try await caller.get(server.url).text == "first")
        #expect(server.openConnections == 1)
    }

    @Test(arguments: [HTTPMethod.post, .patch, HTTPMethod("FROB")].compactMap { $0 })
    func `a request with a body whose pooled connection dies is not sent again`(_ method: HTTPMethod) async throws {
        let server = try server(dyingAfter: [.readRequest])
        let caller = try Caller()
        try await warm(caller, server)
        let exchange = try await caller.exchange(.to(server.url, method, body: .text("pay 5", contentType: nil)))
        #expect(exchange.error?.code == .ambiguousDelivery)
        #expect(exchange.error?.hint != nil)
        #expect(server.requests.filter { $0.method == method.rawValue }.count == 1)
    }

    @Test func `a POST of a file whose pooled connection dies is not sent again`() async throws {
        let server = try server(dyingAfter: [.readRequest])
        let caller = try Caller()
        try await warm(caller, server)
        let path = try caller.folder.write("body", "from a file")
        let exchange = try await caller.exchange(.to(server.url, .post, body: .file(path: path, contentType: nil)))
        #expect(exchange.error?.code == .ambiguousDelivery)
        #expect(server.requests.filter { $0.method == "POST" }.count == 1)
    }

    @Test func `a POST whose pooled connection is reset is not sent again`() async throws {
        let server = try server(dyingAfter: [.readRequest, .reset])
        let caller = try Caller()
        try await warm(caller, server)
        let exchange = try await caller.exchange(.to(server.url, .post, body: .text("x", contentType: nil)))
        #expect(exchange.error != nil)
        #expect(server.requests.filter { $0.method == "POST" }.count == 1)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `a POST that cannot be rewound is sent once, on a new connection`(_ kind: Int) async throws {
        let server = try server(dyingAfter: [.readRequest])
        let caller = try Caller()
        try await warm(caller, server)
        let empty = try caller.folder.write("empty", "")
        let bodies: [RequestBody] = [
            .none, .bytes([], contentType: nil), .file(path: empty, contentType: nil),
            .multipart([.init(name: "a", content: .bytes([49]))]),
        ]
        let exchange = try await caller.exchange(.to(server.url, .post, body: bodies[kind]))
        #expect(exchange.text == "later")
        #expect(exchange.attempts.last?.isConnectionReused == false)
        let posts = server.requests.filter { $0.method == "POST" }
        #expect(posts.map(\.connection) == [1])
    }

    @Test(arguments: [HTTPMethod.get, .head, .delete, .options])
    func `an idempotent request is sent again when its pooled connection dies`(_ method: HTTPMethod) async throws {
        let server = try server(dyingAfter: [.readRequest])
        let caller = try Caller()
        try await warm(caller, server)
        let exchange = try await caller.exchange(.to(server.url, method))
        #expect(exchange.response?.status == 200)
        #expect(server.requests.count == 3)
    }

    @Test func `a PUT is sent again with the complete body`() async throws {
        let server = try server(dyingAfter: [.readRequest])
        let caller = try Caller()
        try await warm(caller, server)
        let exchange = try await caller.exchange(.to(server.url, .put, body: .text("whole", contentType: nil)))
        #expect(exchange.text == "later")
        #expect(server.requests.map(\.bodyText) == ["", "whole", "whole"])
    }

    @Test func `a POST on a connection that was closed while idle uses another one`() async throws {
        let server = try server(dyingAfter: [])
        let caller = try Caller()
        #expect(try await caller.get(server.url).text == "first")
        try await server.waitForConnections(open: 0)
        let exchange = try await caller.exchange(.to(server.url, .post, body: .text("once", contentType: nil)))
        #expect(exchange.text == "later")
        #expect(server.requests.filter { $0.method == "POST" }.count == 1)
    }

    @Test func `a POST on a new connection that dies is not sent again`() async throws {
        let server = try ScriptedServer([[.readRequest], .answering(.ok())])
        let exchange = try await Caller().exchange(.to(server.url, .post, body: .text("x", contentType: nil)))
        #expect(exchange.error?.code == .emptyResponse)
        #expect(server.requests.count == 1)
    }

    @Test func `connections are reused, and the attempt reports it`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let caller = try Caller()
        let first = try await caller.get(server.url)
        let second = try await caller.exchange(.to(server.url, .post, body: .text("x", contentType: nil)))
        #expect(first.attempts.map(\.isConnectionReused) == [false])
        #expect(second.attempts.map(\.isConnectionReused) == [true])
        #expect(server.acceptedConnections == 1)
    }

    private static func payment(to server: ScriptedServer) throws -> Request {
        var request = try Request.to(server.url, .post, body: .text("pay 5", contentType: nil))
        request.options.version = .http2
        return request
    }

    /// A server of HTTP/2 that processes no request of its first connection, and responds on the second one.
    private static func refusingOnce() throws -> ScriptedServer {
        let refusal = [HTTP2Frame(.settings), .goAway(last: 0)].bytes
        let response = [HTTP2Frame(.settings), .response(length: 2), HTTP2Frame(.data, flags: 1, stream: 1, Array("ok".utf8))].bytes
        return try ScriptedServer([[.readHTTP2Request, .send(refusal), .expectClose], [.readHTTP2Request, .send(response), .expectClose]])
    }

    /// REFUSED_STREAM, and HTTP_1_1_REQUIRED, after which libcurl sends the request by HTTP/1.1 (RFC 9113 §7).
    @Test(arguments: [7, 13] as [UInt32])
    func `no second response is added to a part of a response whose stream is refused`(_ code: UInt32) async throws {
        let part = [HTTP2Frame(.settings), .response(length: nil), HTTP2Frame(.data, stream: 1, Array("abc".utf8))].bytes
        let refusal = HTTP2Frame(.reset, stream: 1, HTTP2Frame.bytes(of: code)).bytes
        for steps in [[Step.sendBytes(part + refusal)], [.sendBytes(part), .pause(.milliseconds(5)), .sendBytes(refusal)]] {
            let server = try ScriptedServer([Script([.readHTTP2Request] + steps + [.expectClose]), .answering { .ok($0.target) }])
            let exchange = try await Caller().get(server.url) { $0.version = .http2 }
            // libcurl sends the request again where it has passed nothing on.
            #expect(exchange.error != nil || exchange.text == "/", "\(String(describing: exchange.text))")
        }
    }

    @Test(arguments: [HTTP2Frame(.settings).bytes, [0x15, 3, 3, 0, 2, 2, 40], Array("SSH-2.0-x\r\n".utf8)])
    func `a server of another protocol than HTTP 1 gives an error that names what the port may have`(_ bytes: [UInt8]) async throws {
        let server = try ScriptedServer(Script(.readRequest, .sendBytes(bytes), .closeGracefully))
        let error = try #require(try await Caller().get(server.url).error)
        #expect(error.code == .badResponse && error.message.hasSuffix("did not send a response of HTTP/1.1"), "\(error)")
        #expect(error.hint?.contains("https://") == true && error.hint?.contains("HTTP/2") == true, "\(error)")
    }

    /// A server of HTTP/2 that responds to a header and resets the stream at once, before it has read a body that is larger than its window, and reads
    /// the whole body of the second connection.
    private static func answeringEarlyOnce() throws -> ScriptedServer {
        let early = HTTP2Frame(.headers, flags: 5, stream: 1, [0x88])
        let refusal = [HTTP2Frame(.settings), early, HTTP2Frame(.reset, stream: 1, HTTP2Frame.bytes(of: 0))].bytes
        let window = [HTTP2Frame.setting(4, 1 << 20), HTTP2Frame(.windowUpdate, HTTP2Frame.bytes(of: 1 << 20))].bytes
        let response = [HTTP2Frame.response(length: 2), HTTP2Frame(.data, flags: 1, stream: 1, Array("ok".utf8))].bytes
        return try ScriptedServer([
            [.readHTTP2Request, .send(refusal), .expectClose], [.readHTTP2Request, .send(window), .send(response), .expectClose],
        ])
    }

    private static func large(_ method: HTTPMethod, to server: ScriptedServer) throws -> Request {
        var request = try Request.to(server.url, method, body: .bytes(Array(repeating: 120, count: 200_000), contentType: nil))
        request.options.version = .http2
        return request
    }

    @Test func `a PUT is sent again where libcurl has discarded the response to its header`() async throws {
        let server = try Self.answeringEarlyOnce()
        let exchange = try await Caller().exchange(Self.large(.put, to: server))
        #expect(exchange.text == "ok", "\(String(describing: exchange.error))")
        #expect(exchange.attempts.count == 2)
    }

    @Test func `a POST whose response libcurl has discarded is not sent again, and its error says what happened`() async throws {
        let server = try Self.answeringEarlyOnce()
        let exchange = try await Caller().exchange(Self.large(.post, to: server))
        let message = exchange.error?.message ?? "no error"
        #expect(message.contains("ended the stream before it had read the whole body"), "\(message)")
        #expect(server.acceptedConnections == 1)
    }

    @Test func `a POST that a server of HTTP 2 does not process, as its GOAWAY says, is sent again with its body`() async throws {
        let server = try Self.refusingOnce()
        let events = try await Caller().events(Self.payment(to: server))
        #expect(events.end?.text == "ok", "\(String(describing: events.end?.error))")
        #expect(events.end?.attempts.count == 2 && server.acceptedConnections == 2)
        #expect(events.decisions(.retry).contains { $0.hasPrefix("sent again, because ") && $0.contains("before it processed the request") })
    }

    @Test func `a GET whose connection is ended by a GOAWAY is sent again, also where nothing observes the call`() async throws {
        let server = try Self.refusingOnce()
        let exchange = try await Caller().get(server.url) { $0.version = .http2 }
        #expect(exchange.text == "ok", "\(String(describing: exchange.error))")
        #expect(exchange.attempts.count == 2 && server.acceptedConnections == 2)
    }

    @Test func `a GET that libcurl gives up after six streams that the server refused is sent again`() async throws {
        let refusal = [HTTP2Frame(.settings), HTTP2Frame(.reset, stream: 1, HTTP2Frame.bytes(of: 7))].bytes
        let response = [HTTP2Frame(.settings), .response(length: 2), HTTP2Frame(.data, flags: 1, stream: 1, Array("ok".utf8))].bytes
        let refusing = Script(.readHTTP2Request, .send(refusal), .expectClose)
        let server = try ScriptedServer(Array(repeating: refusing, count: 6) + [[.readHTTP2Request, .send(response), .expectClose]])
        let exchange = try await Caller().get(server.url) { $0.version = .http2 }
        #expect(exchange.text == "ok", "\(String(describing: exchange.error))")
        // libcurl sends it six times in the first attempt.
        #expect(exchange.attempts.count == 2 && server.acceptedConnections == 7)
        #expect(exchange.attempts.first?.error?.underlying?.contains("Connection died, tried 5 times") == true)
    }

    @Test func `a POST that no connection of a server of HTTP 2 processes ends with an error that says so`() async throws {
        let refusal = [HTTP2Frame(.settings), .goAway(last: 0)].bytes
        let server = try ScriptedServer(Script(.readHTTP2Request, .send(refusal), .expectClose))
        let exchange = try await Caller().exchange(Self.payment(to: server))
        #expect(exchange.error?.code == .connectionLost && exchange.error?.message.contains("before it processed the request") == true)
        #expect(exchange.attempts.count == 6)
    }

    @Test func `a POST that a server of HTTP 2 may have processed before its GOAWAY is not sent again`() async throws {
        let frames = [HTTP2Frame(.settings), .goAway(last: 1)].bytes
        let server = try ScriptedServer(Script(.readHTTP2Request, .send(frames)))
        let exchange = try await Caller().exchange(Self.payment(to: server))
        #expect(exchange.error != nil && exchange.attempts.count == 1 && server.acceptedConnections == 1)
    }

    @Test(
        arguments: [
            ("Using Stream ID: 7 (easy handle 0x55d0)\n", HTTP2Stream.Notice.opens(7)), ("[HTTP/2] [31] OPENED stream for https://a/\n", .opens(31)),
            ("recveived GOAWAY, error=0, last_stream=19\n", .processes(upTo: 19)),
            ("received GOAWAY, error=11, last_stream=2147483647\n", .processes(upTo: 2_147_483_647)),
            ("[HTTP/2] [31] [:method: POST]\n", nil), ("received GOAWAY", nil), ("Using Stream ID: ", nil), ("", nil),
        ] as [(String, HTTP2Stream.Notice?)])
    func `the debug text of libcurl names streams`(line: String, notice: HTTP2Stream.Notice?) {
        #expect(Array(line.utf8).withUnsafeBytes { HTTP2Stream.Notice($0) } == notice)
    }
}
