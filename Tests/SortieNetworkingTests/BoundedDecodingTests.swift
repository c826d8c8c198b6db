import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests bodies that decode to a thousand times their size and more: exactly, in bounded memory, and without delaying other requests.
@Suite(.fewAtOnce)
struct BoundedDecodingTests {
    private let caller: Caller

    init() throws {
        caller = try Caller()
    }

    /// 64 MiB of zeros in 53 bytes (RFC 7932).
    static let brotli: [UInt8] = [
        207, 255, 255, 127, 248, 39, 0, 226, 177, 64, 32, 247, 254, 159, 255, 255, 255, 240, 79, 0, 196, 97, 1, 128, 238, 253, 63, 255, 255, 255, 225,
        159, 0, 136, 195, 34, 0, 221, 251, 255, 252, 255, 255, 199, 63, 1, 16, 135, 5, 0, 186, 247, 255,
    ]

    /// `megabytes` of zeros, compressed by a program.
    private func zeros(_ megabytes: Int, _ program: String, _ arguments: String...) async throws -> [UInt8] {
        let path = try caller.folder.write("zeros-\(UUID().uuidString)", "")
        try #require(FileHandle(forWritingAtPath: path)).truncate(atOffset: UInt64(megabytes) << 20)
        return try await ProcessRun.run(program, arguments + [path]).outputBytes
    }

    private func expectZeros(_ exchange: Exchange, megabytes: Int, _ name: Comment) {
        #expect(exchange.error == nil, name)
        #expect(exchange.response?.body.count == megabytes << 20, name)
        #expect(exchange.response?.body.bytes(in: (megabytes << 20) - 100..<megabytes << 20) == [UInt8](repeating: 0, count: 100), name)
    }

    @Test func `64 MiB decoded from a few bytes are received completely, with every coding and repeatedly`() async throws {
        var bodies = ["br": Self.brotli, "gzip": try await zeros(64, "/usr/bin/gzip", "-9c")]
        if FileManager.default.isExecutableFile(atPath: "/usr/bin/zstd") { bodies["zstd"] = try await zeros(64, "/usr/bin/zstd", "-cq") }
        for (encoding, body) in bodies {
            let server = try ScriptedServer(answering: .ok(bytes: body, headers: [("Content-Encoding", encoding)]))
            for _ in 0..<3 { expectZeros(try await caller.get(server.url), megabytes: 64, "\(encoding)") }
        }
    }

    @Test func `the memory for decoding does not grow with the body`() async {
        await #expect(processExitsWith: .success) {
            let tests = try BoundedDecodingTests()
            let server = try ScriptedServer(
                answering: .ok(bytes: Self.brotli, headers: [("Content-Encoding", "br")]))
            _ = try await tests.caller.get(server.url) { $0.maximumBodyBytes = 2 << 20 }
            let before = try ProcessUsage.memory("VmHWM")
            let exchange = try await tests.caller.get(server.url)
            #expect(exchange.response?.body.count == 64 << 20)
            let grown = try ProcessUsage.memory("VmHWM") - before
            // At most 4 MiB wait for the disk; brotli's window has 16 MiB.
            #expect(grown < 40 << 20, "\(grown >> 10) KiB")
        }
    }

    @Test func `a body decoded in steps survives a suspension, and its end is that of the call`() async throws {
        let server = try ScriptedServer(answering: .ok(bytes: Self.brotli, headers: [("Content-Encoding", "br")]))
        let call = caller.begin(try .to(server.url))
        try await call.wait(for: "a part of the body") { if case .grew = $0 { true } else { false } }
        caller.client.suspend(call.id)
        try await call.wait(for: "the suspension or the end") {
            if case .finished = $0 { true } else { caller.client.state(of: call.id) != .running }
        }
        caller.client.resume(call.id)
        expectZeros(try #require(try await call.end().end), megabytes: 64, "br")
    }

    @Test func `a response with a time limit is truncated at the limit during decoding`() async throws {
        try await growing(from: .milliseconds(1500)) { limit -> Void? in
            let received = Watched<ContinuousClock.Instant?>(nil)
            let answer = HTTPAnswer.ok(bytes: Self.brotli, headers: [("Content-Encoding", "br")])
            let server = try ScriptedServer([.readRequest, .noteTime(in: received), .send(answer), .expectClose])
            let caller = try Caller()
            // One and a half megabytes within the limit.
            let rate = Int64(1_500_000 / (limit / .seconds(1)))
            caller.client.use(conditions: [try HTTPURL(parsing: server.url).origin: NetworkConditions(rate: rate)])
            let began = ContinuousClock.now
            let exchange = try await caller.get(server.url) { $0.timeouts = Timeouts(connect: .seconds(300), idle: limit * 2 / 3, total: limit) }
            // The client must have time to decode a part of the response. Where the response is late, the idle limit ends the call.
            guard let moment = received.current, began.duration(to: moment) < limit / 2 else { return nil }
            #expect(exchange.error?.message == "no complete response within \(limit.spoken)")
            #expect((exchange.response?.body.count ?? 0) > 200_000)
            return ()
        }
    }

    @Test(.enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
    func `over HTTP 2 such a body is received completely beside other streams of its connection`() async throws {
        var options = Nginx.Options()
        options.directives = "location = /files/zeros { gzip off; add_header Content-Encoding gzip; }"
        // More than the limit of bytes in memory that wait to be decoded.
        let noise = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
        let plain = [UInt8](repeating: 0, count: 32 << 20) + noise + [UInt8](repeating: 0, count: 32 << 20)
        let path = try caller.folder.write("plain", plain)
        let body = try await ProcessRun.run("/usr/bin/gzip", ["-1c", path]).outputBytes
        let nginx = try Nginx.start(files: ["zeros": body, "small.txt": Array("small".utf8)], options)
        func request(_ path: String) throws -> Request {
            try .to(nginx.httpsURL + path) { $0.trust.certificateAuthorityFile = nginx.certificateAuthority }
        }
        let (large, small) = (try request("/files/zeros"), try request("/files/small.txt"))
        let exchanges = try await withThrowingTaskGroup(of: Exchange.self) { group in
            for index in 0..<12 { group.addTask { try await caller.exchange(index % 4 == 0 ? large : small) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for exchange in exchanges {
            #expect(exchange.error == nil)
            #expect(exchange.response?.httpVersion == "2")
        }
        let sizes = exchanges.compactMap { $0.response?.body.count }.sorted()
        #expect(sizes == [Int](repeating: 5, count: 9) + [Int](repeating: plain.count, count: 3))
        #expect(exchanges.filter { ($0.response?.body.count ?? 0) > 5 }.allSatisfy { $0.response?.body.bytes(in: 32 << 20..<35 << 20) == noise })
    }
}
