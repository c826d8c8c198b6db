import SortieClassic
import SortieTesting
import Support
import Testing

/// Tests downloads with the stub transport: ranges, interruptions, and changed files.
@Suite struct StubDownloadTests {
    private let stub = StubTransport()
    private let folder: TemporaryFolder
    private let client: Client
    private let bytes = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    init() throws {
        folder = try TemporaryFolder()
        client = Client(.init(spoolFolder: folder.path("spool"), transport: stub))
    }

    private func download(_ configure: (inout Download) -> Void = { _ in }) async throws -> DownloadResult {
        var download = Download(Request(url: try HTTPURL(parsing: "https://files.example/big.iso")), to: .file(folder.path("out")))
        download.retryPause = .milliseconds(1)
        configure(&download)
        let running = client.downloads.start(download)
        return try await withDeadline(.seconds(300), "the download to end") { await running.result }
    }

    @Test func `a download that breaks off continues with the missing bytes`() async throws {
        let file = StubFile(bytes)
        stub.on(.get, "/big.iso", replies: { file.response(to: $0).failing(.connectionLost, afterBytes: 150_000) }, { file.response(to: $0) })
        let result = try await download()
        #expect(result.error == nil)
        #expect(try folder.read("out") == bytes)
        #expect(stub.requests.map { $0["Range"] } == [nil, "bytes=145904-"])
        #expect(stub.requests.last?["If-Range"] == "\"stub\"")
    }

    @Test func `a file that changed is fetched again from its first byte`() async throws {
        let (old, new) = (StubFile(Array(bytes.reversed()), entityTag: "\"v1\""), StubFile(bytes, entityTag: "\"v2\""))
        stub.on(.get, "/big.iso", replies: { old.response(to: $0).failing(.connectionLost, afterBytes: 150_000) }, { new.response(to: $0) })
        let result = try await download()
        #expect(result.error == nil && result.restarts == 1)
        #expect(try folder.read("out") == bytes)
    }

    @Test func `a large file is fetched over several connections`() async throws {
        let large = (0..<9 << 20).map { UInt8(truncatingIfNeeded: $0 >> 10) }
        let file = StubFile(large)
        stub.on(.get, "/big.iso") { request in
            var response = file.response(to: request)
            // Few chunks, because each one waits for the tests of other suites.
            response.chunkSize = 1 << 20
            return response
        }
        let result = try await download { $0.connections = 3 }
        #expect(result.error == nil && result.bytes == 9 << 20)
        #expect(try folder.read("out") == large)
    }

    @Test func `the callbacks of a download report its end`() async throws {
        stub.on(.get, "/big.iso") { [bytes] in StubFile(bytes).response(to: $0) }
        let results = Watched<[Int64]>([])
        var callbacks = DownloadCallbacks()
        callbacks.success = { result in results.change { $0.append(result.bytes) } }
        let download = Download(Request(url: try HTTPURL(parsing: "https://files.example/big.iso")), to: .file(folder.path("out")))
        _ = client.downloads.start(download, callbacks: callbacks)
        #expect(try await results.wait("the callback", within: .seconds(300)) { $0.first } == 400_000)
    }

    @Test func `a redirect of a download is followed`() async throws {
        let file = StubFile(bytes)
        stub.on(.get, "/big.iso", .redirect(to: "https://mirror.example/files/big.iso"))
        stub.on(.get, "https://mirror.example/**") { file.response(to: $0) }
        #expect(try await download().error == nil)
        #expect(try folder.read("out") == bytes)
    }

    @Test func `a failure that is not worth another attempt ends the download`() async throws {
        stub.on(.get, "/big.iso", .status(404))
        #expect(try await download().error?.code == .status)
        #expect(stub.requests.count == 1)
    }

    @Test(arguments: [
        ("bytes=0-3", 206, "bytes 0-3/10", "0123"), ("bytes=8-", 206, "bytes 8-9/10", "89"), ("bytes=-2", 206, "bytes 8-9/10", "89"),
        ("bytes=5-99", 206, "bytes 5-9/10", "56789"), ("bytes=10-", 416, "bytes */10", ""), ("bytes=3-2", 200, nil, "0123456789"),
        ("items=0-1", 200, nil, "0123456789"),
    ]) func `a file is served by the range of the request`(range: String, status: Int, place: String?, body: String) async throws {
        let file = StubFile(Array("0123456789".utf8))
        stub.on(.get, "/file") { file.response(to: $0) }
        var request = Request(url: try HTTPURL(parsing: "https://files.example/file"))
        request.headers["Range"] = range
        let response = try await client.send(request)
        #expect(response.status == status && response.headers["Content-Range"] == place && response.text == body)
    }
}
