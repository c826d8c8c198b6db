import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests uploads of files: progress, cancellation, and repeated sending (S2.38).
@Suite(.fewAtOnce)
struct UploadTests {
    private let caller: Caller
    private let folder: TemporaryFolder

    init() throws {
        caller = try Caller()
        folder = try TemporaryFolder()
    }

    /// A file of this size; a large one is sparse.
    private func file(_ count: Int, _ name: String = "f.bin") throws -> String {
        let path = try folder.write(name, "")
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: UInt64(count))
        return path
    }

    private func upload(_ path: String, to url: String, _ method: HTTPMethod = .put, retries: Int = 0) throws -> Request {
        var request = try Request.to(url, method, body: .file(path: path, contentType: nil))
        if retries > 0 { request.options.retry = RetryPolicy(limit: retries) }
        return request
    }

    // MARK: Progress

    @Test func `S2.38 progress pauses while the server does not read, and ends with the total`() async throws {
        let total = 64 << 20
        let gate = Gate()
        let server = try ScriptedServer([.readHead, .readBytes(1 << 20), .wait(for: gate), .readBody, .send(HTTPAnswer.ok())])
        let call = caller.begin(try upload(try file(total), to: server.url))
        try await gate.waitUntilReached()
        try await call.wait(for: "progress") { if case .progressed(let progress) = $0 { progress.sent > 1 << 20 } else { false } }
        let held = call.events.current.progress.map(\.sent).max() ?? 0
        // The buffers of both kernels are smaller than that.
        #expect(held < Int64(total) - (16 << 20))
        gate.open()
        let progress = try await call.end().progress
        #expect(progress.map(\.sent) == progress.map(\.sent).sorted())
        #expect(progress.last?.sent == Int64(total))
        #expect(progress.allSatisfy { $0.sentTotal == Int64(total) })
    }

    @Test func `progress counts the bytes that the server acknowledged, not those in the kernel's buffer`() async throws {
        let (total, gate) = (1_000_000, Gate())
        // The bytes that the server reads together with the header, and those in its kernel's buffer, are acknowledged: less than half of the
        // body.
        let server = try ScriptedServer(receiveBuffer: 65_536, [[.readHead, .wait(for: gate), .readBody, .send(HTTPAnswer.ok())]])
        let call = caller.begin(try upload(try file(total), to: server.url))
        try await gate.waitUntilReached()
        try await call.wait(for: "progress") { if case .progressed(let progress) = $0 { progress.sent > 0 } else { false } }
        #expect(call.events.current.progress.allSatisfy { $0.sent < Int64(total / 2) })
        gate.open()
        let events = try await call.end()
        #expect(events.progress.last?.sent == Int64(total))
        #expect(events.end?.sentBodyBytes == Int64(total))
    }

    @Test func `a body in the kernel's buffer that arrives slowly is not idle`() async throws {
        let body = try file(1_000_000)
        try await growing(from: .seconds(2)) { limit -> Void? in
            let server = try ScriptedServer(
                receiveBuffer: 65_536,
                [[.readHead, .repeat([.readBytes(40_000), .pause(limit / 10)], times: 25), .send(HTTPAnswer.ok("all"))]])
            var request = try upload(body, to: server.url)
            request.options.timeouts.idle = limit
            let exchange = try await caller.exchange(request)
            // The server read nothing for the limit.
            if exchange.error?.timeLimit == .idle { return nil }
            #expect(exchange.error == nil)
            #expect(exchange.text == "all")
            #expect(exchange.timing.total > limit / .seconds(1) * 2)
            return ()
        }
    }

    @Test func `S2.38 the total of a multipart body is known, and progress ends with it`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let parts = [
            RequestBody.Part(name: "a", content: .file(path: try file(3_000_000)), fileName: "a"),
            RequestBody.Part(name: "b", content: .file(path: try file(0, "empty")), fileName: "b"),
        ]
        let events = try await caller.events(.to(server.url, .post, body: .multipart(parts)))
        let sent = try #require(server.requests.first).body.count
        #expect(sent > 3_000_000)
        #expect(events.progress.last?.sent == Int64(sent))
        #expect(events.progress.last?.sentTotal == Int64(sent))
        #expect(events.end?.sentBodyBytes == Int64(sent))
    }

    @Test func `a pipe is sent in chunks while it fills, and has no total`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let call = caller.begin(try upload(path, to: server.url))
        let writer = Thread {
            guard let handle = FileHandle(forWritingAtPath: path) else { return }
            for byte in UInt8(0)..<100 { handle.write(Data(repeating: byte, count: 10_000)) }
            try? handle.close()
        }
        writer.start()
        let events = try await call.end()
        let request = try #require(server.requests.first)
        #expect(request["Transfer-Encoding"] == "chunked")
        #expect(request["Content-Length"] == nil)
        #expect(request.body == (0..<100).flatMap { [UInt8](repeating: $0, count: 10_000) })
        #expect(events.progress.allSatisfy { $0.sentTotal == nil })
        #expect(events.progress.last?.sent == 1_000_000)
        #expect(events.end?.sentBodyBytes == 1_000_000)
    }

    @Test func `a rate limit applies to files and parts`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let path = try file(200_000)
        for body in [RequestBody.file(path: path, contentType: nil), .multipart([.init(name: "f", content: .file(path: path), fileName: "f")])] {
            var request = try Request.to(server.url, .post, body: body)
            request.options.maximumUploadRate = 400_000
            let exchange = try await caller.exchange(request)
            #expect(exchange.error == nil)
            // The first and the last tenth of a second are not limited.
            #expect(exchange.timing.total >= 0.3)
        }
        #expect(server.requests.map(\.isComplete) == [true, true])
    }

    // MARK: Sizes

    @Test func `an empty file is sent as an empty body`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let exchange = try await caller.exchange(try upload(try file(0), to: server.url))
        #expect(exchange.error == nil)
        #expect(server.requests.first?["Content-Length"] == "0")
    }

    @Test func `a file beyond 4 GiB is announced in full`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([.readHead, .wait(for: gate)])
        let call = caller.begin(try upload(try file(5 << 30), to: server.url))
        try await gate.waitUntilReached()
        #expect(server.requests.first?["Content-Length"] == "5368709120")
        await call.cancel()
        #expect(try await call.end().end?.error?.code == .cancelled)
        gate.open()
    }

    // MARK: Cancellation and errors

    @Test func `S2.20 a missing file and a folder fail before anything is sent`() async throws {
        let server = try ScriptedServer(answering: .ok())
        for path in [folder.path("nowhere"), folder.path] {
            let exchange = try await caller.exchange(try upload(path, to: server.url))
            #expect(exchange.error?.code == .fileUnreadable)
            #expect(exchange.error?.message.contains(path) == true)
            let part = RequestBody.Part(name: "f", content: .file(path: path))
            #expect(try await caller.exchange(.to(server.url, .post, body: .multipart([part]))).error?.code == .fileUnreadable)
        }
        #expect(server.acceptedConnections == 0)
    }

    @Test(arguments: [40 << 20, 10 << 20])
    func `a file that changes its length while it is sent fails, and its server receives no complete one`(_ size: Int) async throws {
        let gate = Gate()
        let server = try ScriptedServer([.readHead, .readBytes(1 << 20), .wait(for: gate), .readBody])
        let path = try file(32 << 20)
        let call = caller.begin(try upload(path, to: server.url))
        try await gate.waitUntilReached()
        try #require(FileHandle(forWritingAtPath: path)).truncate(atOffset: UInt64(size))
        gate.open()
        let error = try #require(try await call.end().end?.error)
        #expect(error.code == .fileUnreadable)
        #expect(error.message.contains("changed while it was sent"))
        try await server.waitForConnections(open: 0)
        #expect(server.requests.first?.isComplete == false)
    }

    @Test func `cancelling closes the connection in the middle of the body`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([.readHead, .readBytes(1 << 20), .wait(for: gate), .expectClose])
        let call = caller.begin(try upload(try file(64 << 20), to: server.url))
        try await gate.waitUntilReached()
        await call.cancel()
        gate.open()
        #expect(try await call.end().end?.error?.code == .cancelled)
        try await server.waitForConnections(open: 0)
    }

    @Test func `a server that closes the connection gives connectionLost`() async throws {
        let server = try ScriptedServer([.readHead, .readBytes(1 << 20), .reset])
        let exchange = try await caller.exchange(try upload(try file(64 << 20), to: server.url))
        #expect(exchange.error?.code == .connectionLost)
    }

    @Test func `a server that stops reading ends at the idle limit`() async throws {
        let server = try ScriptedServer([.readHead, .readBytes(1 << 20), .holdOpen])
        var request = try upload(try file(64 << 20), to: server.url)
        request.options.timeouts.idle = .milliseconds(500)
        #expect(try await caller.exchange(request).error?.code == .timedOut)
    }

    // MARK: Expect: 100-continue

    @Test func `a large body waits for 100 Continue, and a small one does not`() async throws {
        let server = try ScriptedServer(Script(.repeat([.readRequestSendingContinue, .send(HTTPAnswer.ok())])))
        for size in [2 << 20, 1000] { #expect(try await caller.exchange(try upload(try file(size), to: server.url)).error == nil) }
        #expect(server.requests.map { $0["Expect"] } == ["100-continue", nil])
        #expect(server.requests.map(\.body.count) == [2 << 20, 1000])
    }

    @Test func `a body is sent without Expect after a server has refused it, unless the caller has set the field`() async throws {
        let server = try ScriptedServer { $0["Expect"] == nil ? .ok("stored") : .status(417) }
        var request = try upload(try file(2 << 20), to: server.url, .post)
        let exchange = try await caller.exchange(request)
        #expect(exchange.text == "stored" && exchange.attempts.compactMap(\.response?.status) == [417, 200])
        #expect(server.requests.map { $0["Expect"] } == ["100-continue", nil] && server.requests.last?.body.count == 2 << 20)
        request.headers["Expect"] = "100-continue"
        #expect(try await caller.exchange(request).response?.status == 417)
    }

    @Test func `a refused Expect on a connection that stays open costs one more request, without the field`() async throws {
        let refusing = Script(.readHead, .send(.status(417)), .readRequest, .send(.ok("again")))
        let server = try ScriptedServer([refusing, .answering(.ok("stored"))])
        let exchange = try await caller.exchange(try upload(try file(2 << 20), to: server.url, .post))
        #expect(exchange.text == "stored" && exchange.attempts.compactMap(\.response?.status) == [417, 200])
        #expect(server.requests.map { $0["Expect"] } == ["100-continue", nil])
    }

    @Test func `a server that never sends 100 Continue receives the body nevertheless`() async throws {
        let server = try ScriptedServer(answering: .ok("thanks"))
        let exchange = try await caller.exchange(try upload(try file(2 << 20), to: server.url))
        #expect(exchange.text == "thanks")
        #expect(server.requests.first?.body.count == 2 << 20)
    }

    @Test(arguments: [401, 413, 500])
    func `a response before the body is the result, and nothing of the body is sent`(_ status: Int) async throws {
        let server = try ScriptedServer([.readHead, .send(HTTPAnswer.status(status, "no"))])
        let patience = Double(TransferRequest.patienceForContinue) / 1000
        var exchange: Exchange
        var rounds = 0
        repeat {
            exchange = try await caller.exchange(try upload(try file(64 << 20), to: server.url, .post))
            #expect(exchange.error == nil)
            #expect(exchange.response?.status == status)
            #expect(exchange.text == "no")
            rounds += 1
            // Where the response comes later, on a busy machine, the body is sent.
        } while exchange.timing.firstByte - exchange.timing.requestStart >= patience && rounds < 50
        #expect(exchange.sentBodyBytes == 0)
    }

    @Test func `a response in the middle of the body is the result`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([
            .readHead, .readBytes(1 << 20), .send("HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno"), .wait(for: gate),
        ])
        let exchange = try await caller.exchange(try upload(try file(64 << 20), to: server.url, .post))
        gate.open()
        #expect(exchange.error == nil)
        #expect(exchange.text == "no")
        #expect(exchange.sentBodyBytes < 64 << 20)
    }

    // MARK: Repeated sending

    @Test func `an interrupted PUT is sent again from its first byte`() async throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = try folder.write("again.bin", bytes)
        let server = try ScriptedServer([Script([.readHead, .readBytes(1 << 20), .reset]), .answering(.ok("done"))])
        let exchange = try await caller.exchange(try upload(path, to: server.url, retries: 1))
        #expect(exchange.text == "done")
        #expect(exchange.attempts.count == 2)
        #expect(server.requests.last?.body == bytes)
    }

    @Test func `a POST that was partly sent is not sent again`() async throws {
        let server = try ScriptedServer([Script([.readHead, .readBytes(1 << 20), .reset]), .answering(.ok("twice"))])
        let exchange = try await caller.exchange(try upload(try file(64 << 20), to: server.url, .post, retries: 1))
        #expect(exchange.error?.code == .connectionLost)
        #expect(server.acceptedConnections == 1)
    }

    @Test func `a file that changed between two attempts is not sent`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([.readRequest, .wait(for: gate), .send(HTTPAnswer.status(503)), .readRequest, .send(HTTPAnswer.ok())])
        let path = try folder.write("f", "first")
        let call = caller.begin(try upload(path, to: server.url, retries: 1))
        try await gate.waitUntilReached()
        try #require(FileHandle(forWritingAtPath: path)).truncate(atOffset: 1)
        gate.open()
        let end = try #require(try await call.end().end)
        #expect(end.error?.message.contains("changed while it was sent") == true)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [307, 308, 303])
    func `307 and 308 send the file again, 303 does not`(_ status: Int) async throws {
        let server = try ScriptedServer { $0.target == "/" ? .redirect(status, to: "/there") : .ok("there") }
        let path = try folder.write("f", "content")
        let exchange = try await caller.exchange(try upload(path, to: server.url + "/", .post))
        #expect(exchange.text == "there")
        #expect(server.requests.map(\.bodyText) == ["content", status == 303 ? "" : "content"])
        #expect(server.requests.last?.method == (status == 303 ? "GET" : "POST"))
    }

    @Test func `the content of a pipe cannot follow a redirect, and this is reported`() async throws {
        let server = try ScriptedServer { $0.target == "/" ? .redirect(307, to: "/there") : .ok("there") }
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let call = caller.begin(try upload(path, to: server.url + "/", .post))
        Thread {
            guard let handle = FileHandle(forWritingAtPath: path) else { return }
            handle.write(Data("once".utf8))
            try? handle.close()
        }.start()
        let error = try #require(try await call.end().end?.error)
        #expect(error.code == .fileUnreadable)
        #expect(error.message.contains("was already read"))
    }

    // MARK: Files without a known length

    @Test(arguments: ["/proc/version", "/proc/self/status", "/sys/kernel/mm/transparent_hugepage/enabled"])
    func `a file that the kernel generates is sent to its end`(_ path: String) async throws {
        guard let expected = FileManager.default.contents(atPath: path), !expected.isEmpty else { return }
        let server = try ScriptedServer(answering: .ok())
        let exchange = try await caller.exchange(try upload(path, to: server.url))
        #expect(exchange.error == nil)
        let request = try #require(server.requests.first)
        #expect(request["Transfer-Encoding"] == "chunked")
        #expect(!request.body.isEmpty)
        if path == "/proc/version" { #expect(request.body == Array(expected)) }
    }

    @Test func `a file that the kernel generates can be sent again`() async throws {
        let server = try ScriptedServer { $0.target == "/" ? .redirect(307, to: "/there") : .ok() }
        let exchange = try await caller.exchange(try upload("/proc/version", to: server.url + "/"))
        #expect(exchange.error == nil)
        #expect(server.requests.map(\.body.isEmpty) == [false, false])
        #expect(server.requests.first?.body == server.requests.last?.body)
    }

    @Test func `an empty file has the length 0`() async throws {
        let server = try ScriptedServer(answering: .ok())
        _ = try await caller.exchange(try upload(try file(0), to: server.url))
        #expect(server.requests.first?["Content-Length"] == "0")
    }
}
