import Support
import Testing

@testable import SortieNetworking

/// Tests pausing, and operations on a paused download.
@Suite(.fewAtOnce) struct DownloadControlTests {
    static let file = ServedFile(300_000)

    /// A first connection that stops after 200,000 bytes, then a correct server.
    private func server() throws -> ScriptedServer {
        try ScriptedServer([
            Script(.readRequest, .send(Self.file.whole.headBytes), .send(Array(Self.file.bytes.prefix(200_000))), .expectClose), Self.file.honest,
        ])
    }

    /// Starts a download and waits until 200,000 bytes have arrived; its events are read to their end.
    private func begin(_ bench: DownloadBench, _ server: ScriptedServer) async throws -> (DownloadTask, Watched<[DownloadEvent]>) {
        let running = bench.downloads.start(try bench.download(server.url))
        let seen = Watched<[DownloadEvent]>([])
        Task { for await event in running.events { seen.change { $0.append(event) } } }
        try await seen.wait("bytes", within: .seconds(300), describe: { "\($0.count)" }) { events in
            events.contains { if case .progressed(let progress) = $0 { progress.received == 200_000 } else { false } } ? () : nil
        }
        return (running, seen)
    }

    private func wait(for state: TransferState, in events: Watched<[DownloadEvent]>) async throws {
        try await events.wait("\(state)", within: .seconds(300), describe: { "\($0.count)" }) { $0.contains(.changed(state)) ? () : nil }
    }

    private func end(of running: DownloadTask) async throws -> DownloadResult {
        try await withDeadline(.seconds(300), "the download to end") { await running.result }
    }

    @Test func `a wait that is ended before it begins does not begin`() async throws {
        let control = DownloadControl()
        control.prepareWait()
        control.wake()
        try await withDeadline(.seconds(300), "the wait to end") { await control.wait(while: .run, until: .max) }
    }

    @Test(arguments: 1...3) func `S2.34 resuming immediately after a pause continues the download and does not cancel it`(times: Int) async throws {
        let bench = try DownloadBench()
        let server = try server()
        let (running, _) = try await begin(bench, server)
        for _ in 0..<times {
            running.pause()
            running.resume()
        }
        let result = try await end(of: running)
        #expect(result.state == .done)
        #expect(try bench.folder.read("out") == Self.file.bytes)
        #expect(server.requests.last?["Range"] == "bytes=195904-", "of what was here, only the bytes to compare are asked for again")
    }

    @Test func `a download that is to wait for a place saves its bytes, and continues when it is to run`() async throws {
        let bench = try DownloadBench()
        let server = try server()
        let (running, events) = try await begin(bench, server)
        running.follow(.wait)
        try await wait(for: .paused, in: events)
        running.follow(.run)
        #expect(try await end(of: running).state == .done)
        #expect(try bench.folder.read("out") == Self.file.bytes)
        withExtendedLifetime(server) {}
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `any sequence of pauses that ends with resuming ends with the complete file`(seed: UInt64) async throws {
        let file = ServedFile(3_000_000, seed: seed)
        let bench = try DownloadBench()
        let server = try ScriptedServer(file.honest)
        let running = bench.downloads.start(
            try bench.download(server.url) {
                $0.rateLimit = 6_000_000
                $0.connections = seed.isMultiple(of: 2) ? 4 : 1
            })
        var state = seed
        for await event in running.events {
            guard case .changed(let now) = event, now != .done else { continue }
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // The first few state changes cause another pause.
            if state >> 33 & 3 != 0, running.state != .paused { running.pause() }
            running.resume()
        }
        #expect(try await end(of: running).state == .done, "seed \(seed)")
        #expect(try bench.folder.read("out") == file.bytes, "seed \(seed)")
    }

    @Test func `resuming immediately after a pause continues several connections`() async throws {
        let file = ServedFile(12 << 20)
        let bench = try DownloadBench()
        let beginning: Script = [
            .readRequest,
            .respond { request in
                let answer = file.answer(request)
                return answer.headBytes + answer.body.prefix(300_000)
            }, .expectClose,
        ]
        let server = try ScriptedServer([beginning, beginning, beginning, beginning, file.honest])
        let running = bench.downloads.start(try bench.download(server.url) { $0.connections = 4 })
        _ = try await server.waitForRequests(4)
        running.pause()
        running.resume()
        #expect(try await end(of: running).state == .done)
        #expect(try bench.folder.read("out") == file.bytes)
    }

    @Test func `S1.12 cancelAll ends a paused download, and the part is kept`() async throws {
        let bench = try DownloadBench()
        let (running, events) = try await begin(bench, try server())
        running.pause()
        try await wait(for: .paused, in: events)
        bench.client.cancelAll()
        #expect(try await end(of: running).state == .cancelled(keepsPart: true))
        #expect(try bench.folder.names.filter { $0 != "spool" } == ["out.part", "out.part.json"])
    }

    @Test func `a paused download is cancelled by its identity`() async throws {
        let bench = try DownloadBench()
        let (running, events) = try await begin(bench, try server())
        running.pause()
        try await wait(for: .paused, in: events)
        bench.client.cancel(running.id)
        #expect(try await end(of: running).state == .cancelled(keepsPart: true))
    }

    @Test func `cancelAll ends a download that waits for its next attempt`() async throws {
        let bench = try DownloadBench()
        let server = try ScriptedServer(answering: HTTPAnswer(status: 503, reason: "Later", headers: [("Retry-After", "600")]))
        let running = bench.downloads.start(try bench.download(server.url))
        for await event in running.events {
            if case .changed(.waiting) = event { bench.client.cancelAll() }
        }
        #expect(try await end(of: running).state == .cancelled(keepsPart: true))
    }

    @Test func `waitUntilIdle waits for a paused download`() async throws {
        let bench = try DownloadBench()
        let server = try server()
        let (running, events) = try await begin(bench, server)
        running.pause()
        try await wait(for: .paused, in: events)
        let stateWhenIdle = Watched<TransferState?>(nil)
        let (begun, began) = AsyncStream<Void>.makeStream()
        Task { [client = bench.client] in
            began.finish()
            await client.waitUntilIdle()
            stateWhenIdle.change { $0 = running.state }
        }
        for await _ in begun {}
        // The end of another call does not make the client idle either.
        let other = try ScriptedServer(answering: .ok("x"))
        _ = try await bench.client.send(Request(url: try HTTPURL(parsing: other.url)))
        running.resume()
        let state = try await stateWhenIdle.wait("the client to be idle", within: .seconds(300)) { $0 }
        #expect(state == .done)
        #expect(try await end(of: running).state == .done)
        #expect(server.requests.last?["Range"] == "bytes=195904-")
    }
}
