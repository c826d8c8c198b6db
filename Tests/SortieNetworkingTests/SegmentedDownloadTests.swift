import Foundation
import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests downloads over several connections: the file equals the server's, whatever response one of them gets (`ResumeRules.md` 5.7, 5.8).
@Suite(.fewAtOnce) struct SegmentedDownloadTests {
    static let file = ServedFile(12 << 20)
    static let other = ServedFile(12 << 20, seed: 9, etag: "\"v2\"")

    /// A first connection that sends the head and a few bytes, then waits at `gate` with the rest.
    private static func held(_ file: ServedFile, at gate: Gate) -> Script {
        let little = 100_000
        return Script([
            .readRequest, .send(file.whole.headBytes), .send(Array(file.bytes.prefix(little))), .wait(for: gate),
            .send(Array(file.bytes.dropFirst(little))),
            // The connection may be reused for another range, which this script does not answer.
            .closeGracefully,
        ])
    }

    /// A connection that sends the head and the first `count` bytes of the requested range, and then stops.
    private static func beginning(_ count: Int) -> Script {
        [
            .readRequest,
            .respond { request in
                let answer = file.answer(request)
                return answer.headBytes + answer.body.prefix(count)
            }, .expectClose,
        ]
    }

    /// Downloads with four connections; the first one continues when the others have sent their requests.
    ///
    /// - Parameter decision: A decision before which the first connection does not continue either.
    private func run(
        _ bench: DownloadBench, others: [Script], after decision: String? = nil, _ configure: @escaping @Sendable (inout Download) -> Void = { _ in }
    ) async throws -> (DownloadRun, ScriptedServer) {
        let gate = Gate()
        let server = try ScriptedServer([Self.held(Self.file, at: gate)] + others)
        let onEvent: @Sendable (DownloadEvent) -> Void = { event in
            guard let decision, case .decided(let decided) = event, decided.text.contains(decision) else { return }
            gate.open()
        }
        async let run = bench.run(server.url, onEvent: onEvent) {
            $0.connections = 4
            configure(&$0)
        }
        _ = try await server.waitForRequests(2)
        if decision == nil { gate.open() }
        return (try await run, server)
    }

    @Test func `four connections fetch a quarter each, with the same condition`() async throws {
        // Every connection waits with bytes of its segment until a progress event has four segments. A connection without this
        // could finish its segment before the others begin, and finished segments are merged.
        let gate = Gate()
        let little = 100_000
        let held: Step = .repeat([
            .readRequest, .respond { Array(Self.file.answer($0).bytes(for: $0).prefix(little)) }, .wait(for: gate),
            .respond { Array(Self.file.answer($0).bytes(for: $0).dropFirst(little)) },
        ])
        let server = try ScriptedServer(Script(held))
        let bench = try DownloadBench()
        let onEvent: @Sendable (DownloadEvent) -> Void = { event in
            if case .progressed(let progress) = event, progress.segments.count == 4 { gate.open() }
        }
        let run = try await bench.run(server.url, onEvent: onEvent) {
            $0.connections = 4
            $0.wantsDigest = true
        }
        #expect(run.result.error == nil)
        #expect(run.result.digest?.hexadecimal == Self.file.sha256)
        #expect(try bench.folder.read("out") == Self.file.bytes)
        let asked = server.requests.dropFirst()
        #expect(asked.count >= 3)
        #expect(asked.allSatisfy { $0["If-Range"] == "\"v1\"" && $0["Accept-Encoding"] == "identity" })
        #expect(run.restarts.isEmpty)
        #expect(try bench.folder.names.filter { $0 != "spool" } == ["out"])
        #expect(run.segments.contains { $0.count == 4 }, "progress has the segments of all connections")
        #expect(run.segments.allSatisfy { $0.isEmpty || $0.last?.end == Int64(Self.file.bytes.count) })
    }

    // MARK: Files that are not shared

    @Test(arguments: ["weak tag", "no tag", "small", "no ranges", "one connection"])
    func `one connection is used where several would not be reliable`(why: String) async throws {
        var file = Self.file
        switch why {
        case "weak tag": file.etag = "W/\"v1\""
        case "no tag": file.etag = nil
        case "small": file.bytes = Array(file.bytes.prefix(8 << 20 - 1))
        case "no ranges": file.fields = [("Accept-Ranges", "none")]
        default: break
        }
        let served = file
        let bench = try DownloadBench()
        let server = try ScriptedServer(served.honest)
        let run = try await bench.run(server.url) { $0.connections = why == "one connection" ? 1 : 4 }
        #expect(run.result.error == nil)
        #expect(server.requests.count == 1)
        #expect(try bench.folder.read("out") == served.bytes)
    }

    // MARK: Inconsistent responses

    /// The response to one of the additional connections.
    struct Disagreement: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: @Sendable (ReceivedRequest) -> HTTPAnswer

        init(_ name: String, _ answer: @escaping @Sendable (ReceivedRequest) -> HTTPAnswer) {
            testDescription = name
            self.answer = answer
        }
    }

    static let disagreements: [Disagreement] = [
        Disagreement("the whole") { _ in file.whole },
        Disagreement("another file whole") { _ in other.whole },
        Disagreement("a part of another file") { request in
            let range = ServedFile.range(request)
            return other.part(from: range?.first ?? 0, to: range?.end)
        },
        Disagreement("another total") { request in
            let (first, end) = (ServedFile.first(request) ?? 0, ServedFile.range(request)?.end ?? file.bytes.count)
            return file.part(from: first, to: end, contentRange: "bytes \(first)-\(end - 1)/99999999")
        },
        Disagreement("a part without a tag") { request in
            var answer = file.answer(request)
            answer.headers.removeAll { $0.0 == "ETag" }
            return answer
        },
        Disagreement("416") { _ in HTTPAnswer(status: 416, reason: "No", headers: [("Content-Range", "bytes */5")]) },
        Disagreement("412") { _ in HTTPAnswer(status: 412, reason: "No") },
        Disagreement("an earlier part") { request in file.part(from: (ServedFile.first(request) ?? 1) - 1, to: ServedFile.range(request)?.end) },
        Disagreement("an encoded part") { file.answer($0).with("Content-Encoding", "gzip") },
    ]

    @Test(arguments: disagreements) func `an inconsistent response leaves one connection and no mixture`(disagreement: Disagreement) async throws {
        let bench = try DownloadBench()
        let others = [Script([.readRequest, .respond { disagreement.answer($0).bytes }]), Self.file.honest]
        let (run, _) = try await run(bench, others: others, after: "one connection continues alone")
        #expect(run.result.error == nil)
        #expect(try bench.folder.read("out") == Self.file.bytes)
        #expect(run.decisions.contains("one connection continues alone"), "\(run.decisions)")
        #expect(run.result.restarts == 0, "the first connection's file is still one")
    }

    @Test func `bytes of another place under the requested range are noticed where segments meet`() async throws {
        // The headers are right, but every range has bytes from the beginning of the file. Each waits with a part of them until a progress event has
        // bytes of the second segment, because finished segments are merged.
        let gate = Gate()
        let little = 100_000
        let bytes: @Sendable (ReceivedRequest) -> [UInt8] = { request in
            var answer = Self.file.answer(request)
            if request["Range"] != nil { answer.body = Array(Self.file.bytes.prefix(answer.body.count)) }
            return Array(answer.bytes(for: request))
        }
        let lying = Script([
            .readRequest, .respond { Array(bytes($0).prefix(little)) }, .wait(for: gate), .respond { Array(bytes($0).dropFirst(little)) },
            .closeGracefully,
        ])
        let server = try ScriptedServer([Self.held(Self.file, at: gate), lying])
        let bench = try DownloadBench()
        let onEvent: @Sendable (DownloadEvent) -> Void = { event in
            // The segment after that of the first connection has bytes.
            if case .progressed(let progress) = event, progress.segments.dropFirst().first.map({ $0.received > 0 }) == true { gate.open() }
        }
        let run = try await bench.run(server.url, onEvent: onEvent) { $0.connections = 4 }
        #expect(run.result.error == nil && run.result.restarts == 0)
        #expect(run.decisions.contains("requests the whole file, and compares it"), "\(run.decisions)")
        #expect(server.requests.last?["Range"] == nil)
        #expect(try bench.folder.read("out") == Self.file.bytes)
    }

    @Test func `a file that changes during the download is the old one or the new one`() async throws {
        // The first connection breaks after all others received the new file, which is then requested.
        let bench = try DownloadBench()
        let gate = Gate()
        let server = try ScriptedServer([
            Script([
                .readRequest, .send(Self.file.whole.headBytes), .send(Array(Self.file.bytes.prefix(100_000))), .wait(for: gate), .reset,
            ]), Self.other.honest,
        ])
        async let run = bench.run(server.url) { $0.connections = 4 }
        _ = try await server.waitForRequests(2)
        gate.open()
        let result = try await run
        #expect(result.result.error == nil)
        #expect(result.restarts == [.changed])
        #expect(try bench.folder.read("out") == Self.other.bytes)
    }

    // MARK: Connections that fail

    @Test(arguments: ["short", "reset", "at once", "503", "404"]) func `a failed connection is retried or replaced by the others`(how: String)
        async throws
    {
        let half: @Sendable (ReceivedRequest) -> [UInt8] = { request in
            let answer = Self.file.answer(request)
            return answer.headBytes + answer.body.prefix(answer.body.count / 2)
        }
        let script: Script =
            switch how {
            case "short": Script(.readRequest, .respond(half), .closeGracefully)
            case "reset": Script(.readRequest, .respond(half), .pause(.milliseconds(20)), .reset)
            case "at once": Script(.readRequest, .closeGracefully)
            case "503": .answering([.status(503, "busy")])
            default: .answering([.status(404, "no")])
            }
        let bench = try DownloadBench()
        let (run, _) = try await run(bench, others: [script, Self.file.honest])
        #expect(run.result.error == nil)
        #expect(try bench.folder.read("out") == Self.file.bytes)
        #expect(run.restarts.isEmpty)
        #expect(!run.decisions.contains("alone"), "\(run.decisions)")
    }

    @Test func `a server that accepts only one connection gets no further requests`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([Self.held(Self.file, at: gate), .answering(.status(429, "one is enough"))])
        let bench = try DownloadBench()
        let running = bench.downloads.start(try bench.download(server.url) { $0.connections = 4 })
        var ended = 0
        for await event in running.events {
            guard case .decided(let decision) = event, decision.text.contains("ends: the server responded with 429") else { continue }
            ended += 1
            if ended == 3 { gate.open() }
        }
        #expect(await running.result.error == nil)
        #expect(try bench.folder.read("out") == Self.file.bytes)
        #expect(server.requests.count == 4)
    }

    @Test func `the other connections take over from a stalled one`() async throws {
        let bench = try DownloadBench()
        let (run, _) = try await run(bench, others: [Self.beginning(1000), Self.file.honest])
        #expect(run.result.error == nil)
        #expect(try bench.folder.read("out") == Self.file.bytes)
    }

    @Test func `a first connection that breaks continues at its offset, beside the others`() async throws {
        let bench = try DownloadBench()
        let gate = Gate()
        let server = try ScriptedServer([
            Script([
                .readRequest, .send(Self.file.whole.headBytes), .send(Array(Self.file.bytes.prefix(500_000))), .wait(for: gate), .reset,
            ]), Self.file.honest,
        ])
        async let run = bench.run(server.url) { $0.connections = 4 }
        _ = try await server.waitForRequests(4)
        gate.open()
        #expect(try await run.result.error == nil)
        #expect(try bench.folder.read("out") == Self.file.bytes)
    }

    // MARK: Pause, cancel, resume

    @Test(arguments: [(4, 1), (4, 4), (1, 4)])
    func `bytes of several connections are continued by one, and the other way round`(first: Int, second: Int) async throws {
        let home = try TemporaryFolder()
        let some = Self.beginning(1_000_000)
        let server = try ScriptedServer(Array(repeating: some, count: first) + [Self.file.honest])
        let bench = try DownloadBench()
        let running = bench.downloads.start(try bench.download(server.url, to: .file(home.path("f"))) { $0.connections = first })
        let wanted = Int64(first * 1_000_000)
        for await event in running.events {
            if case .progressed(let progress) = event, progress.received == wanted { running.cancel(keepsPart: true) }
        }
        #expect(await running.result.state == .cancelled(keepsPart: true))
        #expect(await running.result.bytes == wanted)
        let before = server.requests.count
        let run = try await DownloadBench().run(server.url, to: .file(home.path("f"))) { $0.connections = second }
        #expect(run.result.error == nil)
        #expect(run.result.resumedAt == wanted)
        #expect(try home.read("f") == Self.file.bytes)
        #expect(server.requests[before...].allSatisfy { $0["If-Range"] == "\"v1\"" && $0["Range"] != nil })
    }

    @Test func `segments of an earlier program that the server rejects cause a restart, not endless requests`() async throws {
        let home = try TemporaryFolder()
        let some = Self.beginning(1_000_000)
        // The file changes, and the server does not support If-Range, so a part of the new file arrives.
        let careless = Script.answering { request in
            guard request["Range"] != nil else { return Self.other.whole }
            return Self.other.part(from: ServedFile.first(request) ?? 0)
        }
        let server = try ScriptedServer(Array(repeating: some, count: 4) + [careless])
        let bench = try DownloadBench()
        let running = bench.downloads.start(try bench.download(server.url, to: .file(home.path("f"))) { $0.connections = 4 })
        for await event in running.events {
            if case .progressed(let progress) = event, progress.received == 4_000_000 { running.cancel(keepsPart: true) }
        }
        let before = server.requests.count
        let run = try await DownloadBench().run(server.url, to: .file(home.path("f"))) { $0.connections = 1 }
        #expect(run.result.error == nil)
        #expect(try home.read("f") == Self.other.bytes)
        #expect(server.requests.count - before <= 4)
    }

    @Test(arguments: [1, 4]) func `a changed file is noticed where a segment meets the next one`(connections: Int) async throws {
        let home = try TemporaryFolder()
        let some = Self.beginning(1_000_000)
        // The server lies about its tag: the bytes around the second segment's first one differ, and those before the rest of each segment do not.
        let served = Served(Self.file)
        let server = try ScriptedServer(Array(repeating: some, count: 4) + [.answering { request in served.current.answer(request) }])
        let bench = try DownloadBench()
        let running = bench.downloads.start(try bench.download(server.url, to: .file(home.path("f"))) { $0.connections = 4 })
        for await event in running.events {
            if case .progressed(let progress) = event, progress.received == 4_000_000 { running.cancel(keepsPart: true) }
        }
        let manifest = try #require(DownloadManifest(reading: try home.read("f.part.json")))
        let starts = manifest.segments.map { Int($0.stretch.start) }
        #expect(starts.count == 4)
        var changed = Self.file
        for index in starts[1] - 10_000..<starts[1] + 10_000 { changed.bytes[index] ^= 1 }
        served.current = changed
        let run = try await DownloadBench().run(server.url, to: .file(home.path("f"))) { $0.connections = connections }
        #expect(run.result.error == nil)
        #expect(try home.read("f") == changed.bytes)
        #expect(run.decisions.contains("bytes that were received twice differ"), "\(run.decisions)")
    }

    /// The file that a server has now.
    private final class Served: Sendable {
        private let file: Mutex<ServedFile>
        var current: ServedFile {
            get { file.withLock { $0 } }
            set { file.withLock { $0 = newValue } }
        }

        init(_ file: ServedFile) { self.file = Mutex(file) }
    }

    @Test func `a pause closes all connections, and resuming continues all segments`() async throws {
        let some = Self.beginning(1_000_000)
        let server = try ScriptedServer([some, some, some, some, Self.file.honest])
        let bench = try DownloadBench()
        let running = bench.downloads.start(try bench.download(server.url) { $0.connections = 4 })
        let watched = Watched<[DownloadEvent]>([])
        let reader = Task { for await event in running.events { watched.change { $0.append(event) } } }
        try await watched.wait("bytes", within: .seconds(300), describe: { "\($0.count)" }) {
            $0.contains { if case .progressed(let progress) = $0 { progress.received == 4_000_000 } else { false } } ? () : nil
        }
        running.pause()
        try await watched.wait("the pause", within: .seconds(300), describe: { "\($0.count)" }) { $0.contains(.changed(.paused)) ? () : nil }
        try await server.waitForConnections(open: 0)
        running.resume()
        #expect(await running.result.error == nil)
        #expect(try bench.folder.read("out") == Self.file.bytes)
        await reader.value
    }

    @Test func `a modified segment restarts the download`() async throws {
        let home = try TemporaryFolder()
        let some = Self.beginning(1_000_000)
        let server = try ScriptedServer([some, some, some, some, Self.file.honest])
        let bench = try DownloadBench()
        let running = bench.downloads.start(try bench.download(server.url, to: .file(home.path("f"))) { $0.connections = 4 })
        for await event in running.events {
            if case .progressed(let progress) = event, progress.received == 4_000_000 { running.cancel(keepsPart: true) }
        }
        let manifest = try #require(DownloadManifest(reading: try home.read("f.part.json")))
        let last = try #require(manifest.segments.last)
        var bytes = try home.read("f.part")
        bytes[Int(last.stretch.position) - 1] ^= 1
        try home.write("f.part", bytes)
        let run = try await DownloadBench().run(server.url, to: .file(home.path("f")))
        #expect(run.result.resumedAt == 0)
        #expect(try home.read("f") == Self.file.bytes)
    }

    // MARK: Addresses and limits

    @Test func `the connections use all addresses of the host`() async throws {
        let gate = Gate()
        let (first, second) = try onOnePort(ScriptedServer(address: "127.0.0.1", Self.held(Self.file, at: gate))) {
            try ScriptedServer(address: "127.0.0.2", port: $0, Self.file.honest)
        }
        let bench = try DownloadBench()
        async let run = bench.run("http://files.test:\(first.port)/f") {
            $0.connections = 2
            $0.request.options.addresses = [IPAddress("127.0.0.1"), IPAddress("127.0.0.2")].compactMap(\.self)
        }
        _ = try await second.waitForRequests(1)
        gate.open()
        #expect(try await run.result.error == nil)
        #expect(try bench.folder.read("out") == Self.file.bytes)
        #expect(first.requests.allSatisfy { $0["Host"]?.hasPrefix("files.test") == true })
    }

    @Test func `a full disk ends all connections, and the download is resumed when there is space again`() async throws {
        let home = try TemporaryFolder()
        let count = Mutex(0)
        let bench = try DownloadBench(probe: { step in
            guard step == .wrote else { return 0 }
            return count.withLock { count in
                count += 1
                return count > 12 ? ENOSPC : 0
            }
        })
        let server = try ScriptedServer(Self.file.honest)
        let run = try await bench.run(server.url, to: .file(home.path("f"))) { $0.connections = 4 }
        #expect(run.code == .storage)
        let again = try await DownloadBench().run(server.url, to: .file(home.path("f"))) { $0.connections = 4 }
        #expect(again.result.error == nil)
        #expect(try home.read("f") == Self.file.bytes)
    }

    // MARK: Everything at once

    @Test(arguments: UInt64(0)..<12) func `with any behaviour of the server the file is correct or missing`(seed: UInt64) async throws {
        let random = Mutex(SeededGenerator(seed: seed))
        let moody = Script([
            .readRequest,
            .respond { request in
                let answer = Self.file.answer(request)
                return random.withLock { random in
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0: return Self.file.whole.bytes
                    case 1: return HTTPAnswer.status(503, "busy").bytes
                    case 2: return Self.other.answer(request).bytes
                    default: return answer.headBytes + answer.body.prefix(Int.random(in: 0...answer.body.count, using: &random))
                    }
                }
            }, .closeGracefully,
        ])
        let bench = try DownloadBench()
        let server = try ScriptedServer(moody)
        let run = try await bench.run(server.url) {
            $0.connections = 4
            $0.retryLimit = 40
        }
        if run.result.error == nil {
            let bytes = try bench.folder.read("out")
            #expect(bytes == Self.file.bytes || bytes == Self.other.bytes)
        } else {
            #expect(!(try bench.folder.names.contains("out")), "\(run.result.state)")
        }
    }
}

extension DownloadRun {
    /// The segments in each progress event.
    var segments: [[DownloadSegment]] { events.compactMap { if case .progressed(let progress) = $0 { progress.segments } else { nil } } }
}
