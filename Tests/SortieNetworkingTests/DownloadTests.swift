import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests names, collisions, digests, pauses, and two downloads of one file.
@Suite(.fewAtOnce) struct DownloadTests {
    static let file = ServedFile(300_000)

    private func names(_ folder: TemporaryFolder) throws -> [String] { try folder.names.filter { $0 != "spool" } }

    // MARK: Names (S0.11, S2.37, S4.2)

    @Test func `S0.11 in a folder the file name comes from the server, then from the URL`() async throws {
        let bench = try DownloadBench()
        let named = Self.file.whole.with("Content-Disposition", "attachment; filename=\"x\"; filename*=UTF-8''%E6%8A%A5%E5%91%8A.bin")
        let first = try ScriptedServer(answering: named)
        let run = try await bench.run(first.url + "/a", to: .folder(bench.folder.path))
        #expect(run.result.file == bench.folder.path("报告.bin"))
        #expect(try bench.folder.read("报告.bin") == Self.file.bytes)
        let second = try ScriptedServer(Self.file.honest)
        _ = try await bench.run(second.url + "/dir/b%20c.iso?x=1", to: .file(bench.folder.path))
        #expect(try names(bench.folder) == ["b c.iso", "报告.bin"])
    }

    @Test func `S2.37 a file without a name gets that of the language of the request`() async throws {
        let bench = try DownloadBench()
        let server = try ScriptedServer(Self.file.honest)
        #expect(try await bench.run(server.url + "/", to: .folder(bench.folder.path)).result.file == bench.folder.path("download"))
        let worded = try await bench.run(server.url + "/?b", to: .folder(bench.folder.path)) { $0.request.options.texts = .simplifiedChinese }
        #expect(worded.result.file == bench.folder.path("未命名文件"))
    }

    @Test func `S2.37 a name that leads elsewhere stays in the folder`() async throws {
        let bench = try DownloadBench()
        let hostile = Self.file.whole.with("Content-Disposition", "attachment; filename=\"../../../../tmp/evil\"")
        let server = try ScriptedServer(answering: hostile)
        _ = try await bench.run(server.url + "/a", to: .folder(bench.folder.path))
        #expect(try names(bench.folder) == ["evil"])
    }

    @Test func `S2.37 the server's name is kept across programs`() async throws {
        let home = try TemporaryFolder()
        let named = Self.file.whole.with("Content-Disposition", "attachment; filename=named.bin")
        let server = try ScriptedServer([
            Script([.readRequest, .send(named.headBytes), .send(Array(Self.file.bytes.prefix(200_000))), .closeGracefully]), Self.file.honest,
        ])
        let first = try await DownloadBench().run(server.url + "/a", to: .folder(home.path)) { $0.retryLimit = 0 }
        #expect(first.result.error != nil)
        let second = try await DownloadBench().run(server.url + "/a", to: .folder(home.path))
        #expect(second.result.resumedAt == 200_000)
        #expect(try home.names == ["named.bin"])
    }

    @Test(arguments: Download.Collision.allCases) func `S2.37 an existing file is replaced, kept, or an error`(collision: Download.Collision)
        async throws
    {
        let bench = try DownloadBench()
        try bench.folder.write("out", "old")
        let server = try ScriptedServer(Self.file.honest)
        let run = try await bench.run(server.url + "/out", to: .file(bench.place)) { $0.collision = collision }
        switch collision {
        case .replace: #expect(try bench.folder.read("out") == Self.file.bytes)
        case .keepBoth:
            #expect(try bench.folder.read("out") == Array("old".utf8))
            #expect(try bench.folder.read("out (1)") == Self.file.bytes)
            #expect(run.result.file == bench.folder.path("out (1)"))
        case .fail:
            #expect(run.code == .storage)
            #expect(server.requests.isEmpty, "it is known before anything is sent")
            #expect(try names(bench.folder) == ["out"])
        }
    }

    @Test func `a retry policy of the request leaves requesting the missing bytes to the download`() async throws {
        let bench = try DownloadBench()
        let server = try ScriptedServer([Self.file.broken(after: 10_000), Self.file.honest])
        _ = try await bench.run(server.url + "/out") { $0.request.options.retry = RetryPolicy(limit: 3) }
        #expect(try bench.folder.read("out") == Self.file.bytes)
        #expect(server.requests.map { $0["Range"] } == [nil, "bytes=5904-"])
    }

    @Test func `the existing file is not changed until the new one is complete`() async throws {
        let bench = try DownloadBench()
        try bench.folder.write("out", "old")
        let server = try ScriptedServer([Self.file.broken(after: 1000)])
        let run = try await bench.run(server.url) { $0.retryLimit = 0 }
        #expect(run.result.error != nil)
        #expect(try bench.folder.read("out") == Array("old".utf8))
    }

    @Test func `a missing folder and a path that is not a file are reported before anything is sent`() async throws {
        let server = try ScriptedServer(Self.file.honest)
        for place in ["/nowhere/at/all/f", "/dev/null", "/proc/f"] {
            let run = try await DownloadBench().run(server.url, to: .file(place))
            #expect(run.code == .storage, "\(place)")
            #expect(run.result.error?.message.contains("/") == true)
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `a pipe in place of the part is reported and stays`() async throws {
        let bench = try DownloadBench()
        let server = try ScriptedServer(Self.file.honest)
        #expect(mkfifo(bench.folder.path("out.part"), 0o600) == 0)
        let run = try await bench.run(server.url)
        #expect(run.code == .storage && run.result.error?.message.contains("is not a regular file") == true, "\(run.result)")
        #expect(server.requests.isEmpty)
    }

    @Test func `two downloads of different URLs into one folder do not conflict`() async throws {
        let bench = try DownloadBench()
        let gate = Gate()
        let held = try ScriptedServer([.readRequest, .send(Self.file.whole.headBytes), .wait(for: gate), .send(Self.file.bytes)])
        let first = bench.downloads.start(try bench.download(held.url + "/same", to: .folder(bench.folder.path)))
        try await gate.waitUntilReached()
        let other = ServedFile(100_000, seed: 4)
        let server = try ScriptedServer(other.honest)
        let second = try await bench.run(server.url + "/same", to: .folder(bench.folder.path))
        #expect(second.result.error == nil)
        gate.open()
        #expect(await first.result.error == nil)
        #expect(try bench.folder.read("same") == other.bytes)
        #expect(try bench.folder.read("same (1)") == Self.file.bytes, "a name that nobody chose replaces nothing")
    }

    // MARK: Digests

    @Test func `the specified digest is compared, also for a file of two parts`() async throws {
        let bench = try DownloadBench()
        let server = try ScriptedServer([Self.file.broken(after: 100_000), Self.file.honest])
        let run = try await bench.run(server.url) { $0.expectedDigest = FileDigest(hexadecimal: Self.file.sha256) }
        #expect(run.result.error == nil)
        #expect(run.result.digest?.hexadecimal == Self.file.sha256)
    }

    @Test func `a wrong digest ends the download, and no file is left`() async throws {
        let bench = try DownloadBench()
        let server = try ScriptedServer(Self.file.honest)
        let run = try await bench.run(server.url) { $0.expectedDigest = FileDigest(hexadecimal: String(repeating: "0", count: 64)) }
        #expect(run.code == .digestMismatch)
        #expect(server.requests.count == 1)
        #expect(try names(bench.folder).isEmpty)
    }

    @Test func `the server's digest is compared; a mixture of two files that only the digest detects restarts the download`() async throws {
        // Same tag, same length, other bytes before those that are compared: only the digest reveals the change.
        let digest = { (file: ServedFile) in "sha-256=:\(Data(HashFunction.sha256.digest(of: file.bytes)).base64EncodedString()):" }
        var lying = Self.file
        for index in 10_000..<50_000 { lying.bytes[index] ^= 1 }
        lying.fields.append(("Repr-Digest", digest(lying)))
        var first = Self.file
        first.fields.append(("Repr-Digest", digest(lying)))
        let (before, after) = (first, lying)
        let bench = try DownloadBench()
        let server = try ScriptedServer([before.broken(after: 100_000), after.honest])
        let run = try await bench.run(server.url)
        #expect(run.result.error == nil)
        #expect(run.restarts == [.digest])
        #expect(try bench.folder.read("out") == after.bytes)
    }

    // MARK: Pause, cancel, supersede

    @Test func `S2.34 a pause closes the connection and resuming continues at the same offset`() async throws {
        let server = try ScriptedServer([
            Script(.readRequest, .send(Self.file.whole.headBytes), .send(Array(Self.file.bytes.prefix(200_000))), .expectClose), Self.file.honest,
        ])
        let bench = try DownloadBench()
        let running = bench.downloads.start(try bench.download(server.url))
        let watched = Watched<[DownloadEvent]>([])
        let reader = Task { for await event in running.events { watched.change { $0.append(event) } } }
        try await watched.wait("bytes", within: .seconds(300), describe: { "\($0.count)" }) {
            $0.contains { if case .progressed(let progress) = $0 { progress.received == 200_000 } else { false } } ? () : nil
        }
        running.pause()
        try await watched.wait("the pause", within: .seconds(300), describe: { "\($0.count)" }) { $0.contains(.changed(.paused)) ? () : nil }
        try await server.waitForConnections(open: 0)
        #expect(try names(bench.folder) == ["out.part", "out.part.json"])
        running.resume()
        #expect(await running.result.error == nil)
        #expect(server.requests.last?["Range"] == "bytes=195904-")
        #expect(try bench.folder.read("out") == Self.file.bytes)
        await reader.value
    }

    @Test(arguments: [true, false]) func `cancelling keeps the part, or deletes it`(keepsPart: Bool) async throws {
        let server = try ScriptedServer([.readRequest, .send(Self.file.whole.headBytes), .send(Array(Self.file.bytes.prefix(200_000))), .expectClose])
        let bench = try DownloadBench()
        let running = bench.downloads.start(try bench.download(server.url))
        for await event in running.events {
            if case .progressed(let progress) = event, progress.received == 200_000 { running.cancel(keepsPart: keepsPart) }
        }
        #expect(await running.result.state == .cancelled(keepsPart: keepsPart))
        #expect(try names(bench.folder) == (keepsPart ? ["out.part", "out.part.json"] : []))
    }

    @Test func `a download cancelled before its start leaves no file`() async throws {
        // A server that does not respond, so that the download is not complete before it is cancelled.
        let server = try ScriptedServer([.readRequest, .holdOpen])
        let bench = try DownloadBench()
        let running = bench.downloads.start(try bench.download(server.url))
        running.cancel()
        #expect(await running.result.state == .cancelled(keepsPart: true))
        #expect(!(try names(bench.folder).contains("out")))
    }

    @Test func `S2.35 a second download of the same file supersedes the first and continues`() async throws {
        let server = try ScriptedServer([
            Script(.readRequest, .send(Self.file.whole.headBytes), .send(Array(Self.file.bytes.prefix(200_000))), .expectClose), Self.file.honest,
        ])
        let bench = try DownloadBench()
        let first = bench.downloads.start(try bench.download(server.url))
        for await event in first.events {
            if case .progressed(let progress) = event, progress.received == 200_000 { break }
        }
        let second = bench.downloads.start(try bench.download(server.url))
        #expect(await first.result.state == .superseded)
        #expect(await first.result.error?.code == .superseded)
        let result = await second.result
        #expect(result.error == nil)
        #expect(result.resumedAt == 200_000)
        #expect(try bench.folder.read("out") == Self.file.bytes)
    }

    @Test func `S2.36 superseding a download without data starts from the beginning`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([Script(.readRequest, .wait(for: gate)), Self.file.honest])
        let bench = try DownloadBench()
        let first = bench.downloads.start(try bench.download(server.url))
        try await gate.waitUntilReached()
        let second = bench.downloads.start(try bench.download(server.url))
        #expect(await first.result.state == .superseded)
        #expect(await second.result.error == nil)
        #expect(try bench.folder.read("out") == Self.file.bytes)
        gate.open()
    }

    @Test func `a part that another process writes is not changed`() async throws {
        let bench = try DownloadBench()
        let server = try ScriptedServer(Self.file.honest)
        let part = try PartFile.open(bench.place + ".part", creates: true) { _ in 0 }
        let run = try await bench.run(server.url)
        #expect(run.code == .storage)
        #expect(run.result.error?.message.contains("another download") == true)
        #expect(server.requests.isEmpty)
        withExtendedLifetime(part) {}
    }

    // MARK: Attempts

    @Test func `only attempts without progress count`() async throws {
        let patient = ServedFile(50_000)
        // Twenty connections of 2,000 bytes each: more than the limit, but each one makes progress.
        let scripts = (0..<20).map { step -> Script in
            // A resumed request begins a little before the missing bytes.
            let start = max(0, step * 2000 - 4096)
            let answer = step == 0 ? patient.whole : patient.part(from: start)
            return Script([.readRequest, .send(answer.headBytes), .send(Array(patient.bytes[start..<(step + 1) * 2000])), .closeGracefully])
        }
        let bench = try DownloadBench()
        let server = try ScriptedServer(scripts + [patient.honest])
        let run = try await bench.run(server.url) { $0.retryLimit = 2 }
        #expect(run.result.error == nil)
        #expect(try bench.folder.read("out") == patient.bytes)

        let dead = try ScriptedServer([patient.broken(after: 2000), Script(.readRequest, .closeGracefully)])
        let end = try await DownloadBench().run(dead.url) { $0.retryLimit = 2 }
        #expect(end.code == .emptyResponse)
        #expect(dead.requests.count == 3)
    }

    @Test func `a host that was never reached is not retried`() async throws {
        let port = try DeadPort(.refusing)
        let run = try await DownloadBench().run(port.url)
        #expect(run.code == .connectionRefused)
        #expect(run.result.exchange.attempts.count == 1)
        #expect(!run.states.contains { if case .waiting = $0 { true } else { false } })
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nX-A: a\u{0}b\r\nContent-Length: 1\r\n\r\nx", "SSH-2.0-OpenSSH_9\r\n"])
    func `a first response that is not HTTP is not requested again, and the error has the reason`(text: String) async throws {
        let server = try ScriptedServer(Script(.readRequest, .send(text), .shutdownWrite, .expectClose))
        let run = try await DownloadBench().run(server.url)
        #expect(run.code == .badResponse && run.result.exchange.attempts.count == 1)
    }

    @Test func `a response that is not HTTP is requested again after one that was`() async throws {
        let patient = Self.file
        let server = try ScriptedServer([
            patient.broken(after: 2000), Script(.readRequest, .send("HTTP/1.1 200 OK\r\nX-A: a\u{0}b\r\n\r\n"), .shutdownWrite, .expectClose),
            patient.honest,
        ])
        let bench = try DownloadBench()
        let run = try await bench.run(server.url)
        #expect(run.result.error == nil)
        #expect(try bench.folder.read("out") == patient.bytes)
    }

    @Test func `Retry-After is respected, and resuming does not wait for it`() async throws {
        let server = try ScriptedServer([
            .answering([HTTPAnswer(status: 503, reason: "Later", headers: [("Retry-After", "600")])]), Self.file.honest,
        ])
        let bench = try DownloadBench()
        let running = bench.downloads.start(try bench.download(server.url))
        for await event in running.events {
            if case .changed(.waiting(let seconds, _)) = event {
                #expect(seconds == 600)
                running.resume()
            }
        }
        #expect(await running.result.error == nil)
    }

    @Test func `a rate limit is enforced`() async throws {
        let bench = try DownloadBench()
        let start = ContinuousClock.now
        let server = try ScriptedServer(Self.file.honest)
        let run = try await bench.run(server.url) { $0.rateLimit = 600_000 }
        #expect(run.result.error == nil)
        // 300 kB at 600 kB/s take half a second, less the initial burst.
        #expect(ContinuousClock.now - start > .milliseconds(350))
        #expect(try bench.folder.read("out") == Self.file.bytes)
    }

    @Test func `a changed limit immediately resumes transfers that wait because of the previous one`() {
        let limiter = RateLimiter(limit: 1)
        let (first, second, resumed) = (Gate(), Gate(), Watched<[String]>([]))
        #expect(limiter.take(16_384, now: 1) != nil)
        limiter.note(first) { resumed.change { $0.append("first") } }
        limiter.note(second) { resumed.change { $0.append("second") } }
        limiter.note(second, goOn: nil)
        limiter.setLimit(nil)
        limiter.setLimit(1000)
        #expect(resumed.current == ["first"])
    }

    @Test func `a common limit is shared`() {
        let limiter = RateLimiter(limit: 1000)
        #expect(limiter.take(40, now: 0) == nil)
        #expect(limiter.take(60, now: 0) == 100_000_000)
        #expect(limiter.take(10, now: 200_000_000) == nil)
        limiter.setLimit(nil)
        #expect(limiter.take(1 << 30, now: 0) == nil)
    }
}
