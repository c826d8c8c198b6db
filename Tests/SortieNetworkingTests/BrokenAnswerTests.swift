import Support
import Testing

@testable import SortieNetworking

/// Tests truncated, malformed and non-HTTP responses: the error code is correct, and the bytes before the error are kept.
@Suite(.fewAtOnce)
struct BrokenAnswerTests {
    private let caller: Caller

    init() throws {
        caller = try Caller()
    }

    /// Reads one request on each connection, then performs these steps.
    private func answer(_ steps: Step..., configure: (inout RequestOptions) -> Void = { _ in }) async throws -> Exchange {
        let server = try ScriptedServer(Script([.readRequest] + steps))
        return try await caller.get(server.url, configure)
    }

    @Test func `a body shorter than its Content-Length is truncated, and the received part is kept`() async throws {
        let exchange = try await answer(.send(HTTPAnswer.claiming(length: 10, "half")))
        #expect(exchange.error?.code == .truncatedBody)
        #expect(exchange.text == "half")
        #expect(exchange.response?.status == 200)
        #expect(exchange.response?.truncation != nil)
    }

    @Test func `a large truncated body is kept to the last byte`() async throws {
        let body = [UInt8](repeating: 7, count: (5 << 20) + 3)
        let exchange = try await answer(.send(HTTPAnswer(body: body, framing: .claimedLength(6 << 20))))
        #expect(exchange.error?.code == .truncatedBody)
        #expect(exchange.response?.body.all == body)
    }

    @Test func `bytes after the Content-Length are not part of the body`() async throws {
        let exchange = try await answer(.send(HTTPAnswer.claiming(length: 4, "bodyGARBAGE")))
        #expect(exchange.text == "body")
    }

    @Test(arguments: [
        ("3\r\nabc\r\nZZ\r\n", NetworkError.Code.badResponse), ("3\r\nabc\r\n", .truncatedBody), ("3\r\nabcdef\r\n", .badResponse),
        ("3\r\nabc\r\nffffffffffffffffff\r\n", .badResponse),
    ])
    func `an invalid or missing chunk is an error, and the chunks before it are kept`(_ chunks: String, _ code: NetworkError.Code) async throws {
        let exchange = try await answer(.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks))
        let error = try #require(exchange.error)
        #expect(error.code == code, "\(error)")
        #expect(exchange.text?.hasPrefix("abc") == true)
        #expect(exchange.response?.truncation == error.message)
    }

    @Test func `a reset in the body gives connectionLost and keeps the received part`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), .wait(for: gate), .reset,
        ])
        let call = caller.begin(try .to(server.url))
        try await call.wait(for: "the body to grow") { if case .grew = $0 { true } else { false } }
        gate.open()
        let end = try #require(try await call.end().end)
        #expect(end.error?.code == .connectionLost)
        #expect(end.text == "half")
    }

    @Test func `a connection that closes without a byte gives emptyResponse`() async throws {
        let exchange = try await answer()
        #expect(exchange.error?.code == .emptyResponse)
        #expect(exchange.response == nil)
    }

    @Test func `a connection that is reset without a byte gives connectionLost`() async throws {
        let exchange = try await answer(.reset)
        #expect(exchange.error?.code == .connectionLost)
        #expect(exchange.response == nil)
    }

    @Test(arguments: [
        "HTTP/1.1 200", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nX-Half", "HTTP/1.1 200 OK\r\nX: y\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n",
        "HTTP/1.1 204 No Content\r\n", "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic\r\n", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n",
    ])
    func `a header in which the connection ends is no response`(_ text: String) async throws {
        let exchange = try await answer(.send(text))
        #expect(exchange.error?.code == .emptyResponse, "\(String(describing: exchange.error))")
        #expect(exchange.response == nil)
    }

    @Test(arguments: [("HTTP/1.1 100 Continue\r\n\r\n", "100 Continue"), ("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", "103 Early Hints")])
    func `a connection that ends after an informational response is an error that names it`(text: String, name: String) async throws {
        let exchange = try await answer(.send(text))
        #expect(exchange.error?.code == .emptyResponse)
        #expect(
            exchange.error?.message.hasSuffix("closed the connection after \(name) without a final response") == true,
            "\(String(describing: exchange.error))")
    }

    @Test func `a redirect and a cookie in a header in which the connection ends are not used`() async throws {
        let server = try ScriptedServer(Script(.readRequest, .send("HTTP/1.1 302 Found\r\nLocation: /next\r\nSet-Cookie: a=b; Path=/\r\n")))
        let exchange = try await caller.get(server.url)
        #expect(exchange.error?.message.hasSuffix("closed the connection in the header of its response") == true)
        #expect(server.requests.map(\.target) == ["/"])
        let next = try ScriptedServer(.answering(.ok()))
        _ = try await caller.get(next.url)
        #expect(next.requests.first?["Cookie"] == nil)
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH_9\r\n", "220 mail ready\r\n", "garbage", "<html></html>", "\u{0}\u{1}\u{2}", "HTTP/9.9 200 OK\r\n\r\n",
        "HTTP/1.1 abc OK\r\n\r\n", "ICY 200 OK\r\n\r\nmusic",
    ])
    func `a response that is not HTTP is an error without a response`(_ text: String) async throws {
        let exchange = try await answer(.send(text))
        #expect(exchange.error?.code == .badResponse)
        #expect(exchange.response == nil)
        #expect(exchange.error?.message.contains("HTTP") == true)
    }

    @Test func `an unrequested 101 is an error that says so`() async throws {
        let exchange = try await answer(
            .send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat/2\r\nConnection: Upgrade\r\n\r\n\u{81}\u{5}hello"), .holdOpen)
        #expect(exchange.error?.code == .badResponse)
        #expect(exchange.error?.message.contains("chat/2") == true)
        #expect(exchange.response?.status == 101)
        #expect(exchange.response?.headers["Upgrade"] == "chat/2")
    }

    @Test func `a requested 101 is the final response, and the connection is closed`() async throws {
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat/2\r\nConnection: Upgrade\r\n\r\nraw"), .expectClose,
        ])
        let events = try await caller.events(.to(server.url, .get, [HeaderField("Connection", "Upgrade"), HeaderField("Upgrade", "chat/2")]))
        #expect(events.end?.error == nil)
        #expect(events.end?.response?.status == 101)
        #expect(events.end?.text == "")
        #expect(events.decisions(.connection).contains { $0.contains("switched to chat/2 (101)") })
        try await server.waitForConnections(open: 0)
    }

    @Test(arguments: [" X: y\r\n", "\tX: y\r\nA: b\r\n"])
    func `a blank before the first field is rejected with the reason`(_ lines: String) async throws {
        let exchange = try await answer(.send("HTTP/1.1 200 OK\r\n\(lines)Content-Length: 2\r\n\r\nok"))
        #expect(exchange.error?.code == .badResponse)
        #expect(exchange.error?.message.contains("begins with a blank") == true)
        #expect(exchange.error?.message.contains("libcurl") == false)
    }

    @Test func `an endless header is aborted`() async throws {
        let exchange = try await answer(
            .send("HTTP/1.1 200 OK\r\n"), .sendForever(Array("X-Filler: \(String(repeating: "f", count: 1000))\r\n".utf8)))
        #expect(exchange.error?.code == .badResponse)
        #expect(exchange.error?.message.contains("header") == true)
    }

    @Test func `an endless header line is aborted`() async throws {
        let exchange = try await answer(.send("HTTP/1.1 200 OK\r\nX: "), .sendForever([UInt8](repeating: 97, count: 4096)))
        #expect(exchange.error?.code == .badResponse)
        #expect(exchange.error?.message.contains("header") == true)
    }

    @Test func `a header of 200 KiB in many lines is accepted`() async throws {
        let line = "X-Filler: \(String(repeating: "f", count: 1000))\r\n"
        let exchange = try await answer(
            .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n" + String(repeating: line, count: 200) + "\r\nok"))
        #expect(exchange.text == "ok")
        #expect(exchange.response?.headers.values(of: "X-Filler").count == 200)
    }

    @Test(arguments: [(3, 5), (5, 3)])
    func `two different Content-Length fields are refused`(_ first: Int, _ last: Int) async throws {
        let exchange = try await answer(.send("HTTP/1.1 200 OK\r\nContent-Length: \(first)\r\ncontent-length: \(last)\r\n\r\nabcde"))
        #expect(exchange.error?.code == .badResponse)
        #expect(exchange.error?.message == "the response has different lengths: Content-Length \(first) and \(last)")
        #expect(exchange.text ?? "" == "", "no byte of the body is used")
    }

    @Test(arguments: ["5, 6", "5,6", "6, 5", "5,\r\n 6", "5, 5, 6"])
    func `different lengths in one Content-Length field are refused`(_ value: String) async throws {
        let exchange = try await answer(.send("HTTP/1.1 200 OK\r\nContent-Length: \(value)\r\n\r\nabcdef"))
        #expect(exchange.error?.code == .badResponse)
        #expect(exchange.error?.message.hasPrefix("the response has different lengths: Content-Length ") == true)
        #expect(exchange.text ?? "" == "", "no byte of the body is used")
    }

    @Test(arguments: ["5\r\nContent-Length: 5", "5, 5", "5,", "5 , 5", "5\r\n "])
    func `equal lengths in one or several Content-Length fields are accepted`(_ value: String) async throws {
        let exchange = try await answer(.send("HTTP/1.1 200 OK\r\nContent-Length: \(value)\r\n\r\nabcde"))
        #expect(exchange.error == nil && exchange.text == "abcde", "\(String(describing: exchange.error))")
    }

    @Test func `the lengths of a chunked response do not count`() async throws {
        let fields = "Content-Length: 3\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n"
        let exchange = try await answer(.send("HTTP/1.1 200 OK\r\n\(fields)\r\n5\r\nabcde\r\n0\r\n\r\n"))
        #expect(exchange.error == nil && exchange.text == "abcde")
    }

    @Test(arguments: ["9223372036854775808", "99999999999999999999999999"])
    func `a body that is announced as larger than any is refused, although libcurl ignores its length`(_ length: String) async throws {
        let exchange = try await answer(.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nabcde"))
        #expect(exchange.error?.code == .bodyTooLarge)
        #expect(exchange.error?.message.contains(length) == true)
        #expect(exchange.text ?? "" == "", "no byte of the body is used")
    }

    @Test(arguments: ["0x5", "5abc", "5.5", "+5", "5 5", "5;x", "5, x", "5\r\n 6", "5\r\n\t6"])
    func `a length that is no number is refused, although libcurl uses its first digits`(_ length: String) async throws {
        let exchange = try await answer(.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nabcde"))
        #expect(exchange.error?.code == .badResponse && exchange.text ?? "" == "", "\(exchange.error?.message ?? "")")
    }

    @Test func `a text of libcurl about the addresses of a connection is not the reason of a failure`() {
        let text = "getpeername() failed with errno 107: Transport endpoint is not connected"
        #expect(NetworkError.words(text, else: "Failure when receiving data") == "Failure when receiving data")
        #expect(NetworkError.words("", else: "Failure when receiving data") == "Failure when receiving data")
        #expect(NetworkError.words("Recv failure: Connection reset by peer", else: "x") == "Recv failure: Connection reset by peer")
    }

    @Test(arguments: ["-5", "abc", "99999999999999999999999999"])
    func `an invalid Content-Length does not hang the call`(_ length: String) async throws {
        let exchange = try await answer(.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nabc"))
        #expect(exchange.error != nil || exchange.text == "abc")
    }

    @Test func `a body above the limit is aborted, and its beginning is kept`() async throws {
        let exchange = try await answer(.send("HTTP/1.1 200 OK\r\n\r\n"), .sendForever([UInt8](repeating: 120, count: 8192))) {
            $0.maximumBodyBytes = 100_000
        }
        #expect(exchange.error?.code == .bodyTooLarge)
        #expect(exchange.error?.remedy == .bodyLimit)
        #expect((1...100_000).contains(exchange.response?.body.count ?? 0))
        #expect(exchange.response?.truncation != nil)
    }

    @Test func `bytes that arrive on an idle connection are not the response of the next request`() async throws {
        let (before, after) = (Gate(), Gate())
        let stale = Script(.readRequest, .send(.ok("first")), .wait(for: before), .send(.ok("stale")), .wait(for: after))
        let server = try ScriptedServer([stale, .answering(.ok("second"))])
        #expect(try await caller.get(server.url).text == "first")
        before.open()
        try await after.waitUntilReached()
        // A POST, because libcurl may not send it again.
        #expect(try await caller.exchange(.to(server.url, .post, body: .text("x", contentType: nil))).text == "second")
    }

    @Test func `a body of exactly the limit is accepted`() async throws {
        let exchange = try await answer(.send(HTTPAnswer.ok("12345"))) { $0.maximumBodyBytes = 5 }
        #expect(exchange.text == "12345")
        #expect(exchange.error == nil)
    }

    @Test func `the response of a server that responds early and closes is received`() async throws {
        let server = try ScriptedServer([
            .readHead, .send("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig"),
        ])
        let body = RequestBody.bytes([UInt8](repeating: 1, count: 8 << 20), contentType: nil)
        let exchange = try await caller.exchange(.to(server.url, .post, body: body))
        #expect(exchange.response?.status == 413)
        #expect(exchange.text == "big")
    }
}
