import Support
import Testing

@testable import SortieNetworking

/// Tests parsing of response headers, over real connections.
@Suite(.fewAtOnce)
struct HeaderReadingTests {
    private func response(_ text: String) async throws -> Response {
        try await response(Array(text.utf8))
    }

    private func response(_ bytes: [UInt8]) async throws -> Response {
        let server = try ScriptedServer(Script(.readRequest, .send(bytes)))
        let exchange = try await Caller().get(server.url)
        #expect(exchange.error == nil)
        return try #require(exchange.response)
    }

    @Test func `status, reason and version equal those of the status line`() async throws {
        let response = try await response("HTTP/1.1 299 Quite  Fine \r\nContent-Length: 0\r\n\r\n")
        #expect(response.status == 299)
        #expect(response.reason.hasPrefix("Quite  Fine"))
        #expect(response.httpVersion == "1.1")
    }

    @Test func `a status line without a reason is accepted`() async throws {
        let response = try await response("HTTP/1.1 204\r\n\r\n")
        #expect(response.status == 204)
        #expect(response.reason.isEmpty)
    }

    @Test func `fields keep order, spelling, duplicates and empty values`() async throws {
        let response = try await response(
            "HTTP/1.1 200 OK\r\nb: 1\r\nSet-Cookie: x=1\r\nA:2\r\nset-cookie:  y=2 \t\r\nEmpty:\r\nContent-Length: 0\r\n\r\n")
        let expected = [
            HeaderField("b", "1"), HeaderField("Set-Cookie", "x=1"), HeaderField("A", "2"), HeaderField("set-cookie", "y=2"),
            HeaderField("Empty", ""), HeaderField("Content-Length", "0"),
        ]
        #expect(response.headers.fields == expected)
        #expect(response.headers.values(of: "SET-COOKIE") == ["x=1", "y=2"])
    }

    @Test func `bytes that are not UTF-8 are decoded as Latin-1`() async throws {
        let head = Array("HTTP/1.1 200 OK\r\nX-Name: caf".utf8) + [0xe9] + Array("\r\nX-Utf: ü\r\nContent-Length: 0\r\n\r\n".utf8)
        let response = try await response(head)
        #expect(response.headers["X-Name"] == "café")
        #expect(response.headers["X-Utf"] == "ü")
    }

    @Test func `an entity tag that is not UTF-8 is displayed in Latin-1, as other fields are`() async throws {
        let head = Array("HTTP/1.1 200 OK\r\nETag: \"caf".utf8) + [0xe9] + Array("\"\r\nContent-Length: 0\r\n\r\n".utf8)
        let headers = try await response(head).headers
        #expect(Redaction.standard.masked(headers)["ETag"] == "\"café\"")
    }

    @Test func `a cookie and a redirect send back the bytes that were received, also where they are not UTF-8`() async throws {
        let head = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nSet-Cookie: a=".utf8 + [0xe9, 0xff] + "\r\nLocation: /b?".utf8 + [0xe9, 0xff]
        let server = try ScriptedServer(
            Script(.readRequest, .send(head + "\r\n\r\n".utf8), .readRequest, .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))))
        #expect(try await Caller().get(server.url).response?.status == 200)
        let last = try #require(server.requests.last)
        #expect(last.target == "/b?%E9%FF")
        #expect(last.head.split(separator: 0x0a).contains("Cookie: a=".utf8 + [0xe9, 0xff, 0x0d]))
    }

    @Test func `a folded line continues the previous field, also with a colon in it`() async throws {
        let response = try await response(
            "HTTP/1.1 200 OK\r\nX-Fold: one\r\n two\r\n\tthree: 3\r\nX-Next: n\r\nContent-Length: 0\r\n\r\n")
        #expect(response.headers["X-Fold"] == "one two three: 3")
        #expect(response.headers["X-Next"] == "n")
        #expect(response.headers.fields.count == 3)
    }

    @Test func `lines that end in LF only are accepted`() async throws {
        let response = try await response("HTTP/1.1 200 OK\nX: y\nContent-Length: 2\n\nok")
        #expect(response.headers["X"] == "y")
        #expect(response.body.all == Array("ok".utf8))
    }

    @Test func `informational responses precede the response and leave no fields in it`() async throws {
        let response = try await response(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        )
        #expect(response.status == 200)
        #expect(response.headers["Link"] == nil)
        #expect(response.body.all == Array("ok".utf8))
    }

    @Test func `trailers are separate from the header fields`() async throws {
        let response = try await response(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 42\r\nX-Sum: 43\r\n\r\n"
        )
        #expect(response.trailers.values(of: "X-Sum") == ["42", "43"])
        #expect(response.headers["X-Sum"] == nil)
        #expect(response.body.all == Array("ok".utf8))
    }

    @Test func `chunks with extensions and upper-case sizes are joined`() async throws {
        let response = try await response(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nA;x=\"y\"\r\n0123456789\r\n0003\r\nabc\r\n0\r\n\r\n")
        #expect(response.body.all == Array("0123456789abc".utf8))
    }

    @Test func `an HTTP 1.0 response ends with the connection`() async throws {
        let response = try await response("HTTP/1.0 200 OK\r\nX: y\r\n\r\nuntil the end")
        #expect(response.httpVersion == "1.0")
        #expect(response.body.all == Array("until the end".utf8))
        #expect(response.truncation == nil)
    }

    @Test(arguments: ["204 No Content", "304 Not Modified"])
    func `a response without a body by its status ends immediately`(_ status: String) async throws {
        let server = try ScriptedServer([.readRequest, .send("HTTP/1.1 \(status)\r\nContent-Length: 5\r\n\r\n"), .holdOpen])
        let exchange = try await Caller().get(server.url)
        #expect(exchange.error == nil)
        #expect(exchange.response?.body.isEmpty == true)
    }

    @Test(arguments: [0, 1, 2, 3, 7, 64])
    func `a response is parsed in pieces of any size`(_ chunk: Int) async throws {
        let text = "HTTP/1.1 200 OK\r\nX-A: b\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: u\r\n\r\n"
        let server = try ScriptedServer([
            .readRequest, chunk == 0 ? .send(text) : .sendSlowly(text, chunk: chunk, every: .milliseconds(1)),
        ])
        let exchange = try await Caller().get(server.url)
        #expect(exchange.text == "abc")
        #expect(exchange.response?.headers["X-A"] == "b")
        #expect(exchange.response?.trailers["T"] == "u")
    }

    @Test func `received bytes and remote address are reported`() async throws {
        let server = try ScriptedServer(answering: .ok("12345"))
        let exchange = try await Caller().get(server.url)
        #expect(exchange.response?.wireBytes == 5)
        #expect(exchange.response?.remoteAddress == server.authority)
        #expect(exchange.attempts.first?.address == "127.0.0.1")
    }
}
