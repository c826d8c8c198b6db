import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests content codings: decoded, limited after decoding, and rejected when the body does not match the header.
@Suite(.fewAtOnce)
struct DecodingTests {
    private let caller: Caller

    init() throws {
        caller = try Caller()
    }

    /// `bytes` compressed by a program.
    private func compressed(_ bytes: [UInt8], _ program: String, _ arguments: [String]) async throws -> [UInt8] {
        let path = try caller.folder.write("plain-\(UUID().uuidString)", bytes)
        let run = try await ProcessRun.run(program, arguments + [path])
        #expect(run.succeeded, "\(run.errorOutput)")
        return run.outputBytes
    }

    private func answer(_ body: [UInt8], encoding: String) throws -> ScriptedServer {
        try ScriptedServer(answering: .ok(bytes: body, headers: [("Content-Encoding", encoding)]))
    }

    private static let text = Array(String(repeating: "decoded text ", count: 500).utf8)

    @Test(arguments: ["gzip", "x-gzip", "GZIP"])
    func `gzip is decoded and the number of received bytes is reported`(_ encoding: String) async throws {
        let body = try await compressed(Self.text, "/usr/bin/gzip", ["-c"])
        let server = try answer(body, encoding: encoding)
        let exchange = try await caller.get(server.url)
        #expect(exchange.response?.body.all == Self.text)
        #expect(exchange.response?.wireBytes == Int64(body.count))
        #expect(exchange.response?.headers["Content-Encoding"] == encoding)
        #expect(server.requests.first?["Accept-Encoding"] == ContentCoding.offer)
    }

    /// The zlib stream of a gzip body without its header and trailer, because no program here writes zlib itself.
    private func deflated(_ gzip: [UInt8], _ plain: [UInt8]) -> [UInt8] {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in plain {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        let check = high << 16 | low
        return [0x78, 0x9c] + gzip.dropFirst(10).dropLast(8) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: check >> $0) }
    }

    @Test(arguments: [true, false])
    func `deflate is decoded, with and without its wrapping`(_ isWrapped: Bool) async throws {
        let gzip = try await compressed(Self.text, "/usr/bin/gzip", ["-cn"])
        let body = isWrapped ? deflated(gzip, Self.text) : Array(gzip.dropFirst(10).dropLast(8))
        let server = try answer(body, encoding: "deflate")
        #expect(try await caller.get(server.url).response?.body.all == Self.text)
    }

    private static let zstd = "/usr/bin/zstd"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: zstd), "no zstd on this machine"))
    func `zstd is decoded`() async throws {
        let server = try answer(try await compressed(Self.text, Self.zstd, ["-cq"]), encoding: "zstd")
        #expect(try await caller.get(server.url).response?.body.all == Self.text)
    }

    @Test func `brotli is decoded`() async throws {
        // One uncompressed meta-block and the empty last one (RFC 7932 §9.2): "hello brotli".
        let text = Array("hello brotli".utf8)
        let header = UInt32(text.count - 1) << 4 | 1 << 20
        let body = [header, header >> 8, header >> 16].map { UInt8(truncatingIfNeeded: $0) } + text + [3]
        let server = try answer(body, encoding: "br")
        #expect(try await caller.get(server.url).text == "hello brotli")
    }

    @Test func `without decoding the body is unchanged and no coding is requested`() async throws {
        let body = try await compressed(Self.text, "/usr/bin/gzip", ["-c"])
        let server = try answer(body, encoding: "gzip")
        let exchange = try await caller.get(server.url) { $0.decompresses = false }
        #expect(exchange.response?.body.all == body)
        #expect(server.requests.first?["Accept-Encoding"] == nil)
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd"])
    func `a body that is not encoded as its header specifies is an error`(_ encoding: String) async throws {
        let server = try answer(Array("plain text that nobody compressed".utf8), encoding: encoding)
        let exchange = try await caller.get(server.url)
        #expect(exchange.error?.code == .badEncoding)
        #expect(exchange.response?.status == 200)
    }

    /// Amazon S3 returns `aws-chunked` as specified by the upload, but does not encode the body with it.
    @Test(arguments: [
        ("aws-chunked", "its Content-Encoding aws-chunked is unknown"), ("gzip, rot13, br", "its Content-Encoding rot13 is unknown"),
        ("gzip, gzip, gzip, gzip, gzip, gzip", "its Content-Encoding lists 6 codings, and 5 are the most that are decoded"),
    ])
    func `a body with an unsupported coding is delivered unchanged, with a notice`(_ encoding: String, reason: String) async throws {
        let server = try answer(Array("{\"a\":1}".utf8), encoding: encoding)
        let events = try await caller.events(.to(server.url))
        let exchange = try #require(events.end)
        #expect(exchange.error == nil)
        #expect(exchange.text == "{\"a\":1}")
        #expect(exchange.response?.undecodedNotice == "the body is delivered undecoded, because \(reason)")
        #expect(events.decisions(.body) == ["the body is delivered undecoded, because \(reason)"])
    }

    @Test func `a range of an encoded body is delivered unchanged`() async throws {
        let server = try ScriptedServer(
            answering: HTTPAnswer(status: 206, reason: "Partial", headers: [("Content-Encoding", "gzip")], body: Array("middle".utf8)))
        let exchange = try await caller.get(server.url)
        #expect(exchange.error == nil)
        #expect(exchange.text == "middle")
        #expect(exchange.response?.undecodedNotice?.contains("a range") == true)
    }

    @Test(arguments: ["identity", "identity, gzip", "gzip;q=1", " , GZIP ,"])
    func `the field is parsed as a list`(_ encoding: String) async throws {
        let body = encoding == "identity" ? Self.text : try await compressed(Self.text, "/usr/bin/gzip", ["-c"])
        let server = try answer(body, encoding: encoding)
        let exchange = try await caller.get(server.url)
        #expect(exchange.response?.body.all == Self.text)
        #expect(exchange.response?.undecodedNotice == nil)
    }

    @Test func `several codings are decoded from the last to the first`() async throws {
        var body = try await compressed(Self.text, "/usr/bin/gzip", ["-c"])
        body = try await compressed(body, "/usr/bin/gzip", ["-c"])
        body = try await compressed(body, "/usr/bin/gzip", ["-c"])
        let zlib = deflated(try await compressed(body, "/usr/bin/gzip", ["-cn"]), body)
        let server = try answer(zlib, encoding: "gzip, gzip, gzip, deflate")
        #expect(try await caller.get(server.url).response?.body.all == Self.text)
    }

    @Test(arguments: [true, false])
    func `a transfer coding is decoded with and without content codings`(_ decompresses: Bool) async throws {
        let gzip = try await compressed(Self.text, "/usr/bin/gzip", ["-c"])
        let server = try ScriptedServer(
            answering: HTTPAnswer(headers: [("Transfer-Encoding", "gzip")], body: gzip, framing: .chunked(size: 20, trailers: [])))
        let exchange = try await caller.get(server.url) { $0.decompresses = decompresses }
        guard Libcurl.isVersion7 else {
            #expect(exchange.error?.message.contains("transfer coding that this libcurl does not accept") == true)
            return
        }
        #expect(exchange.error == nil)
        #expect(exchange.response?.body.all == Self.text)
    }

    @Test func `gzip with several members is decoded to its end`() async throws {
        let first = try await compressed(Self.text, "/usr/bin/gzip", ["-c"])
        let second = try await compressed(Array("and more".utf8), "/usr/bin/gzip", ["-c"])
        let server = try answer(first + second + [0, 0], encoding: "gzip")
        let exchange = try await caller.get(server.url)
        #expect(exchange.error == nil)
        #expect(exchange.response?.body.all == Self.text + Array("and more".utf8))
    }

    @Test func `an empty body is empty, whatever its header`() async throws {
        let server = try answer([], encoding: "gzip")
        let exchange = try await caller.get(server.url)
        #expect(exchange.error == nil)
        #expect(exchange.response?.body.isEmpty == true)
    }

    /// Content-Length, or the last chunk, marks the body as complete, but the coding does not.
    @Test(arguments: [HTTPAnswer.Framing.length, .chunked(size: 1000, trailers: []), .untilClose])
    func `compressed data that ends too early is an error despite complete framing`(_ framing: HTTPAnswer.Framing) async throws {
        let plain = Self.halvable(600_000)
        let gzip = try await compressed(plain, "/usr/bin/gzip", ["-cn"])
        var bodies = ["gzip": gzip, "deflate": Array(gzip.dropFirst(10).dropLast(8))]
        if FileManager.default.isExecutableFile(atPath: Self.zstd) { bodies["zstd"] = try await compressed(plain, Self.zstd, ["-cq"]) }
        for (encoding, body) in bodies {
            let half = Array(body.prefix(body.count / 2))
            let server = try ScriptedServer([
                .readRequest, .send(HTTPAnswer(headers: [("Content-Encoding", encoding)], body: half, framing: framing)),
            ])
            let exchange = try await caller.get(server.url)
            #expect(exchange.error?.code == .truncatedBody, "\(encoding)")
            #expect(exchange.error?.message == "the body ended before the end of its \(encoding) data")
            let kept = try #require(exchange.response?.body.all)
            #expect(!kept.isEmpty && plain.starts(with: kept), "\(encoding)")
        }
    }

    /// Bytes of four random bits each, from a fixed seed: every part compresses to half, so that half of the compressed data contains half of the
    /// bytes.
    private static func halvable(_ count: Int) -> [UInt8] {
        var state: UInt64 = 13
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 60) | 0x60
        }
    }

    @Test func `damaged data is an error, and the bytes decoded before it are kept`() async throws {
        let plain = Self.halvable(400_000)
        var body = try await compressed(plain, "/usr/bin/gzip", ["-cn"])
        for index in 0..<64 { body[body.count / 2 + index] = 0xff }
        let server = try answer(body, encoding: "gzip")
        let exchange = try await caller.get(server.url)
        #expect(exchange.error?.code == .badEncoding)
        #expect(exchange.error?.message.hasPrefix("the body is not valid gzip, although its header declares it: ") == true)
        let kept = try #require(exchange.response?.body)
        #expect(kept.count > 50_000)
        #expect(plain.starts(with: kept.prefix(50_000)))
    }

    @Test func `a truncated gzip body is an error, and the decoded part is kept`() async throws {
        let plain = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let body = try await compressed(plain, "/usr/bin/gzip", ["-c"])
        let half = Array(body.prefix(body.count / 2))
        let server = try ScriptedServer([
            .readRequest,
            .send(HTTPAnswer(headers: [("Content-Encoding", "gzip")], body: half, framing: .claimedLength(body.count))),
        ])
        let exchange = try await caller.get(server.url)
        #expect(exchange.error?.code == .truncatedBody)
        let kept = try #require(exchange.response?.body.all)
        #expect(!kept.isEmpty && plain.starts(with: kept))
    }

    @Test func `a decompression bomb is aborted at the limit on decoded bytes`() async throws {
        let bomb = try await compressed([UInt8](repeating: 0, count: 64 << 20), "/usr/bin/gzip", ["-9c"])
        #expect(bomb.count < 100_000)
        let server = try answer(bomb, encoding: "gzip")
        let exchange = try await caller.get(server.url) { $0.maximumBodyBytes = 2 << 20 }
        #expect(exchange.error?.code == .bodyTooLarge)
        #expect((exchange.response?.body.count ?? .max) <= 2 << 20)
    }

    @Test func `an unencoded response of nginx and a compressed one have the same body`() async throws {
        let nginx = try Nginx.start(files: ["a.txt": Self.text])
        let plain = try await caller.get("\(nginx.httpURL)/files/a.txt") { $0.decompresses = false }
        let decoded = try await caller.get("\(nginx.httpURL)/files/a.txt")
        #expect(plain.response?.body.all == Self.text)
        #expect(decoded.response?.body.all == Self.text)
        #expect(decoded.response?.headers["Content-Encoding"] == "gzip")
        #expect((decoded.response?.wireBytes ?? .max) < 1000)
    }
}
