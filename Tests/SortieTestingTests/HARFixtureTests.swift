import FoundationEssentials
import HistoryModel
import SortieHTTP
import SortieTesting
import Support
import Testing

/// Tests recorded HTTP Archives as fixtures of a stub transport.
@Suite struct HARFixtureTests {
    private let stub = StubTransport()
    private let folder: TemporaryFolder
    private let client: Client

    init() throws {
        folder = try TemporaryFolder()
        client = Client(.init(spoolFolder: folder.path, transport: stub))
    }

    private func exchange(_ url: String, _ method: HTTPMethod = .get) async throws -> Exchange {
        let request = Request(method: method, url: try HTTPURL(parsing: url))
        return try await withDeadline(.seconds(300), "the call to end") { [client] in await client.exchange(request) }
    }

    /// An archive as browsers write it: decoded bodies beside the fields of the encoded ones.
    private static let archive = #"""
        {"log": {"version": "1.2", "creator": {"name": "browser", "version": "1"}, "entries": [
          {"request": {"method": "GET", "url": "https://shop.example/orders?page=1"}, "response": {"status": 200, "statusText": "OK",
            "headers": [{"name": ":status", "value": "200"}, {"name": "Content-Type", "value": "application/json"},
              {"name": "Content-Encoding", "value": "gzip"}, {"name": "Content-Length", "value": "3"}],
            "content": {"size": 10, "mimeType": "application/json", "text": "[{\"id\":7}]"}}},
          {"request": {"method": "GET", "url": "https://shop.example/orders?page=1"}, "response": {"status": 503, "headers": [], "content": {}}},
          {"request": {"method": "GET", "url": "https://shop.example/logo"}, "response": {"status": 200, "headers": [],
            "content": {"size": 3, "text": "AAEC", "encoding": "base64"}}},
          {"request": {"method": "POST", "url": "https://shop.example/orders"}, "response": {"status": 0, "headers": [], "content": {}}}
        ]}}
        """#

    @Test func `the entries of one URL are a sequence, and bodies are decoded`() async throws {
        try stub.replay(har: Array(Self.archive.utf8))
        let first = try await exchange("https://shop.example/orders?page=1")
        #expect(first.response?.text == #"[{"id":7}]"# && first.response?.headers["Content-Type"] == "application/json")
        #expect(first.response?.headers["Content-Encoding"] == nil && first.response?.headers["Content-Length"] == "10")
        #expect(try await exchange("https://shop.example/orders?page=1").response?.status == 503)
        #expect(try await exchange("https://shop.example/logo").response.map { $0.body.bytes(in: 0..<3) } == [0, 1, 2])
        #expect(try await exchange("https://shop.example/orders", .post).error?.code == .connectionLost)
        try stub.verify()
    }

    @Test func `the host is compared unless any host is allowed`() async throws {
        let path = try folder.write("orders.har", Self.archive)
        try stub.replay(har: path)
        #expect(try await exchange("http://127.0.0.1:8080/logo").error?.code == .internalFailure)
        try stub.replay(har: path, anyHost: true)
        #expect(try await exchange("http://127.0.0.1:8080/logo").response?.status == 200)
    }

    @Test func `an archive that Sortie recorded is replayed, also a failed attempt with its error`() async throws {
        stub.on(.get, "/a", StubResponse(status: 201, headers: [HeaderField("X-A", "b")], body: [0, 255]))
        stub.on(.get, "/b", .failure(.tlsFailed, "no handshake"))
        let exchanges = [try await exchange("https://shop.example/a"), try await exchange("https://shop.example/b")]
        let entries = exchanges.flatMap { HAR.entries(of: $0, redaction: .standard).map(\.text) }
        let replayed = StubTransport()
        try replayed.replay(har: Array("\(HAR.head(version: "1"))\(entries.joined(separator: ","))\(HAR.tail)".utf8))
        let other = Client(.init(spoolFolder: folder.path, transport: replayed))
        let response = try await other.send(Request(url: HTTPURL(parsing: "https://shop.example/a")))
        #expect(response.status == 201 && response.headers["X-A"] == "b" && response.body.bytes(in: 0..<2) == [0, 255])
        let failed = await other.exchange(Request(url: try HTTPURL(parsing: "https://shop.example/b")))
        #expect(failed.error?.code == .tlsFailed && failed.error?.message == "no handshake")
    }

    @Test(arguments: [
        ("{", "orders is not JSON"), ("{}", "orders is not an HTTP Archive: log.entries is missing"),
        (#"{"log":{"entries":[{}]}}"#, "orders: log.entries[0].request.method is missing or is no method"),
        (#"{"log":{"entries":[{"request":{"method":"GET","url":"ftp://a"}}]}}"#, "orders: log.entries[0].request.url"),
        (
            #"{"log":{"entries":[{"request":{"method":"GET","url":"http://a"},"response":{}}]}}"#,
            "orders: log.entries[0].response.status is missing or is no number"
        ),
    ]) func `an invalid archive is refused with the place of the problem`(text: String, message: String) {
        let problem = #expect(throws: StubProblem.self) { try stub.replay(har: Array(text.utf8), name: "orders") }
        #expect(problem?.description.hasPrefix(message) == true)
    }

    @Test func `a missing archive is reported with its path`() {
        let path = folder.path("missing.har")
        let problem = #expect(throws: StubProblem.self) { try stub.replay(har: path) }
        #expect(problem?.description.hasPrefix("\(path) cannot be read") == true)
    }
}
