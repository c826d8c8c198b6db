import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests every kind of response to a resumed download: the file equals the server's, or the failure is reported (`ResumeRules.md` 5.8).
@Suite(.fewAtOnce) struct DownloadMatrixTests {
    static let file = ServedFile(300_000)
    static let half = 150_000
    /// The first byte that a resumed download requests: the bytes before the missing ones are compared.
    static let asked = half - 4096

    /// The behaviour of a server after the first connection broke in the middle, and the expected result.
    struct Behaviour: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The connections after the first.
        let scripts: [Script]
        /// The required content of the file.
        var expected = file.bytes
        var restarts: [RestartReason] = []

        init(_ name: String, _ scripts: [Script], expected: [UInt8]? = nil, restarts: [RestartReason] = []) {
            testDescription = name
            self.scripts = scripts
            self.expected = expected ?? file.bytes
            self.restarts = restarts
        }
    }

    static let other = ServedFile(300_000, seed: 9, etag: "\"v2\"")
    /// Another file with the same tag and length.
    static let lying = ServedFile(300_000, seed: 7)
    static let shorter = ServedFile(200_000, seed: 8, etag: "\"v3\"")

    /// One response computed from the request, then a correct server.
    private static func once(_ answer: @escaping @Sendable (ReceivedRequest) -> HTTPAnswer) -> [Script] {
        [Script(.readRequest, .respond { answer($0).bytes }), file.honest]
    }

    /// The missing part without its last bytes, which its header announces.
    private static func short(by missing: Int = 5, framing: HTTPAnswer.Framing) -> HTTPAnswer {
        var answer = file.part(from: asked)
        answer.body.removeLast(missing)
        answer.framing = framing
        return answer
    }

    static let behaviours: [Behaviour] = [
        Behaviour("the exact part", [file.honest]),
        Behaviour("an earlier part", once { _ in file.part(from: asked - 1000) }),
        Behaviour("a later part", once { _ in file.part(from: asked + 1) }, restarts: [.laterStart]),
        Behaviour("a shorter part", once { _ in file.part(from: asked, to: half + 1000) }),
        Behaviour(
            "a part that does not say which",
            once { _ in
                var answer = file.part(from: asked)
                answer.headers.removeAll { $0.0 == "Content-Range" }
                return answer
            }, restarts: [.badRange]),
        Behaviour(
            "a multipart part", once { _ in file.part(from: asked).with("Content-Type", "multipart/byteranges; boundary=x") }, restarts: [.badRange]),
        Behaviour("an encoded part", once { _ in file.part(from: asked).with("Content-Encoding", "gzip") }, restarts: [.encoded]),
        Behaviour(
            "the whole, because it does not know If-Range with tags",
            [
                .answering { request in
                    request["If-Range"] == nil ? file.answer(request) : file.whole
                }
            ]),
        Behaviour("the whole, always", [.answering(ServedFile.wholeOnly(file))]),
        Behaviour("another file of the same length", [other.honest], expected: other.bytes, restarts: [.changed]),
        Behaviour("another file of another length", [shorter.honest], expected: shorter.bytes, restarts: [.changedLength]),
        Behaviour(
            "the same tag with other bytes, noticed by the length", [ServedFile(200_000, seed: 8).honest],
            expected: ServedFile(200_000, seed: 8).bytes, restarts: [.changedLength]),
        Behaviour("the same tag and length with other bytes", [lying.honest], expected: lying.bytes, restarts: [.overlapDiffers]),
        Behaviour(
            "bytes that are not those of the range",
            once { _ in
                var answer = file.part(from: asked)
                answer.body = Array(file.bytes.prefix(answer.body.count))
                return answer
            }),
        Behaviour(
            "a part without a tag, of another file",
            once { _ in
                var answer = lying.part(from: asked)
                answer.headers.removeAll { $0.0 == "ETag" }
                return answer
            }),
        Behaviour("a part of another file", once { _ in other.part(from: asked) }, restarts: [.changed]),
        Behaviour(
            "416 with another length", once { _ in HTTPAnswer(status: 416, reason: "No", headers: [("Content-Range", "bytes */5")]) },
            restarts: [.unsatisfiable]),
        Behaviour("304", once { _ in HTTPAnswer(status: 304, reason: "Same") }, restarts: [.conditionRefused]),
        Behaviour("412", once { _ in HTTPAnswer(status: 412, reason: "No") }, restarts: [.conditionRefused]),
        Behaviour("503, then the part", once { _ in HTTPAnswer(status: 503, reason: "Later", headers: [("Retry-After", "0")]) }),
        Behaviour("a redirect", once { _ in .redirect(307, to: "/elsewhere") }),
        Behaviour(
            "a part that breaks again",
            [
                Script([.readRequest, .send(file.part(from: asked).headBytes), .send(Array(file.bytes[asked..<half + 50_000])), .closeGracefully]),
                file.honest,
            ]),
        Behaviour(
            "a reset",
            [
                Script([.readRequest, .send(file.part(from: asked).headBytes), .reset]), file.honest,
            ]),
        Behaviour("silence, closed", [Script(.readRequest, .closeGracefully), file.honest]),
        Behaviour(
            "a chunked part",
            once { _ in
                var answer = file.part(from: asked)
                answer.framing = .chunked(size: 7000, trailers: [])
                return answer
            }),
        Behaviour("a chunked part that is shorter than it says", once { _ in short(framing: .chunked(size: 7000, trailers: [])) }),
        Behaviour("a part without a length that is shorter than it says", once { _ in short(framing: .untilClose) }),
        Behaviour("a part without a length that is empty", once { _ in short(by: half + 4096, framing: .untilClose) }),
        Behaviour(
            "a chunked part that is longer than it says",
            once { _ in
                var answer = file.part(from: asked)
                answer.body += [1, 2, 3]
                answer.framing = .chunked(size: 7000, trailers: [])
                return answer
            }, restarts: [.tooLong]),
    ]

    @Test(arguments: behaviours) func `S0.12 an interrupted download ends with the bytes of the server`(behaviour: Behaviour) async throws {
        let server = try ScriptedServer([Self.file.broken(after: Self.half)] + behaviour.scripts)
        let bench = try DownloadBench()
        let run = try await bench.run(server.url + "/file.bin")
        #expect(run.result.error == nil)
        #expect(try bench.folder.read("out") == behaviour.expected)
        #expect(run.restarts == behaviour.restarts)
        #expect(run.result.restarts == behaviour.restarts.count)
        #expect(try bench.folder.names.filter { $0 != "spool" } == ["out"], "nothing of ours stays behind")
        let resumed = server.requests.dropFirst().first
        #expect(resumed?["Range"] == "bytes=\(Self.asked)-")
        #expect(resumed?["If-Range"] == "\"v1\"")
        #expect(server.requests.allSatisfy { $0["Accept-Encoding"] == "identity" && $0.version == "HTTP/1.1" })
        #expect(run.events.count { if case .finished = $0 { true } else { false } } == 1)
    }

    @Test func `S2.33 a reset first connection is continued`() async throws {
        let server = try ScriptedServer([Self.file.broken(after: Self.half, reset: true), Self.file.honest])
        let bench = try DownloadBench()
        let run = try await bench.run(server.url)
        #expect(run.result.error == nil)
        #expect(try bench.folder.read("out") == Self.file.bytes)
    }

    @Test func `a part that a range contradicts is kept until the whole file arrives`() async throws {
        let server = try ScriptedServer([
            Self.file.broken(after: Self.half), Script(.readRequest, .respond { Self.lying.answer($0).bytes }),
            Script(.readRequest, .closeGracefully),
        ])
        let bench = try DownloadBench()
        let run = try await bench.run(server.url) { $0.retryLimit = 1 }
        #expect(run.code == .emptyResponse)
        #expect(try bench.folder.read("out.part") == Array(Self.file.bytes.prefix(Self.half)))
        #expect(server.requests.last?["Range"] == nil, "the whole file is requested and compared")
    }

    @Test func `a server whose ranges are always shorter than they say is asked as often as the retries permit`() async throws {
        let server = try ScriptedServer([
            Self.file.broken(after: Self.half),
            .answering { request in
                var answer = Self.file.answer(request)
                answer.body.removeLast(min(answer.body.count, 5000))
                answer.framing = .chunked(size: 7000, trailers: [])
                return answer
            },
        ])
        let bench = try DownloadBench()
        let run = try await bench.run(server.url) { $0.retryLimit = 2 }
        #expect(run.code == .truncatedBody, "\(String(describing: run.result.error))")
        #expect(run.result.error?.message.contains("the length of the range in its header") == true)
        // The first range has new bytes, so the failure after it counts as the first one.
        #expect(server.requests.count == 4)
    }

    @Test func `a page instead of the rest replaces nothing, and the part can be continued`() async throws {
        let page = HTTPAnswer(headers: [("Content-Type", "text/html")], body: Array("<html>please sign in</html>".utf8))
        let server = try ScriptedServer([Self.file.broken(after: Self.half), .answering([page]), Self.file.honest])
        let home = try TemporaryFolder()
        let first = try await DownloadBench().run(server.url, to: .file(home.path("f")))
        #expect(first.code == .badResponse)
        #expect(first.result.error?.message == "the server sent text/html instead of the file")
        #expect(first.result.exchange.response?.text == "<html>please sign in</html>")
        #expect(first.result.state == .failed(try #require(first.result.error), isResumable: true))
        #expect(try home.names == ["f.part", "f.part.json"])
        let second = try await DownloadBench().run(server.url, to: .file(home.path("f")))
        #expect(second.result.resumedAt == Int64(Self.half))
        #expect(try home.read("f") == Self.file.bytes)
    }

    @Test func `a part of which nothing is missing is compared and complete`() async throws {
        // The length is unknown, and the connection ends before the last chunk.
        var chunked = Self.file.whole
        chunked.framing = .chunked(size: 100_000, trailers: [])
        let server = try ScriptedServer([
            Script([.readRequest, .send(Array(chunked.bytes.dropLast(5))), .closeGracefully]), Self.file.honest,
        ])
        let bench = try DownloadBench()
        let run = try await bench.run(server.url)
        #expect(run.result.error == nil && run.restarts.isEmpty && !run.result.isLengthUnverified)
        #expect(server.requests.map { $0["Range"] } == [nil, "bytes=\(300_000 - 4096)-"])
        #expect(try bench.folder.read("out") == Self.file.bytes)
    }

    @Test func `a part that the server cannot continue is not called resumable, and the reason is named`() async throws {
        var useless = Self.file.part(from: 0)
        useless.headers.removeAll { $0.0 == "Content-Range" }
        let server = try ScriptedServer([
            Self.file.broken(after: Self.half), .answering([useless]), Self.file.broken(after: 100_000),
        ])
        let run = try await DownloadBench().run(server.url) { $0.retryLimit = 1 }
        guard case .failed(let error, let isResumable) = run.result.state else { return #expect(Bool(false), "\(run.result.state)") }
        #expect(!isResumable && !run.result.canResume)
        #expect(error.hint == "the connection is lost before the file is complete, and this server cannot send only the rest")
    }

    @Test func `a part without a validator is not called resumable after it is cancelled`() async throws {
        let plain = ServedFile(300_000, etag: nil)
        let server = try ScriptedServer([.readRequest, .send(plain.whole.headBytes), .send(Array(plain.bytes.prefix(1000))), .holdOpen])
        let bench = try DownloadBench()
        let running = bench.downloads.start(try bench.download(server.url))
        for await event in running.events {
            if case .progressed(let progress) = event, progress.received == 1000 { running.cancel() }
        }
        #expect(await running.result.state == .cancelled(keepsPart: true))
        #expect(await !running.result.canResume)
    }

    @Test func `a server that never serves the same file twice is given up`() async throws {
        let scripts = (0..<6).map { ServedFile(300_000, seed: UInt64($0), etag: "\"\($0)\"").broken(after: 200_000) }
        let server = try ScriptedServer(scripts)
        let bench = try DownloadBench()
        let run = try await bench.run(server.url)
        #expect(run.code == .badResponse)
        #expect(run.restarts.count == 2)
        #expect(try bench.folder.names.filter { $0 != "spool" }.isEmpty)
    }

    @Test func `a second 416 is a failure`() async throws {
        let server = try ScriptedServer([
            Self.file.broken(after: Self.half), .answering(HTTPAnswer(status: 416, reason: "No", headers: [("Content-Range", "bytes */5")])),
        ])
        let run = try await DownloadBench().run(server.url)
        #expect(run.code == .status)
        #expect(server.requests.count == 3)
    }

    @Test(arguments: [(401, true), (403, true), (404, true), (410, false)])
    func `an error status ends the download, and the part is kept unless the file is permanently removed`(status: Int, keepsPart: Bool) async throws {
        let server = try ScriptedServer([Self.file.broken(after: Self.half), .answering(.status(status, "no"))])
        let bench = try DownloadBench()
        let run = try await bench.run(server.url)
        #expect(run.code == .status)
        #expect(run.result.exchange.response?.status == status)
        #expect(try bench.folder.names.contains("out.part") == keepsPart)
        guard case .failed(_, let isResumable) = run.result.state else { return #expect(Bool(false), "\(run.result.state)") }
        #expect(isResumable == keepsPart)
    }

    @Test func `a 401 during the download renews the token, and the part is continued`() async throws {
        let server = try ScriptedServer([
            Self.file.broken(after: Self.half),
            .answering { $0["Authorization"] == "Bearer new" ? Self.file.answer($0) : .status(401, "expired") },
        ])
        let store = CredentialStore(token: .init("old")) { _ in .init("new") }
        let bench = try DownloadBench(plugins: [TokenPlugin(store)])
        let run = try await bench.run(server.url)
        #expect(run.result.error == nil)
        #expect(try bench.folder.read("out") == Self.file.bytes)
        #expect(run.restarts.isEmpty)
    }

    @Test func `a redirect to another host keeps the range and removes the credentials`() async throws {
        let target = try ScriptedServer([Self.file.broken(after: Self.half), Self.file.honest])
        let server = try ScriptedServer(answering: .redirect(302, to: target.url + "/x.bin"))
        let bench = try DownloadBench()
        let run = try await bench.run(server.url + "/start") { $0.request.headers.append("Authorization", "Bearer s") }
        #expect(run.result.error == nil)
        #expect(try bench.folder.read("out") == Self.file.bytes)
        #expect(target.requests.map { $0["Range"] } == [nil, "bytes=\(Self.asked)-"])
        #expect(target.requests.allSatisfy { $0["Authorization"] == nil })
    }

    // MARK: Weak and missing validators

    @Test func `without a validator an interrupted download restarts`() async throws {
        let plain = ServedFile(100_000, etag: nil)
        let server = try ScriptedServer([plain.broken(after: 60_000), plain.honest])
        let bench = try DownloadBench()
        let run = try await bench.run(server.url)
        #expect(try bench.folder.read("out") == plain.bytes)
        #expect(run.restarts == [.noValidator])
        #expect(server.requests.last?["Range"] == nil)
    }

    @Test func `by command it goes on without a validator, compares what came twice, and notices another file`() async throws {
        let plain = ServedFile(300_000, etag: nil)
        let server = try ScriptedServer([plain.broken(after: 200_000), plain.honest])
        let bench = try DownloadBench()
        let run = try await bench.run(server.url) { $0.allowsUnvalidated = true }
        #expect(try bench.folder.read("out") == plain.bytes)
        #expect(run.restarts.isEmpty)
        #expect(server.requests.last?["Range"] == "bytes=\(200_000 - 65_536)-")

        let changed = ServedFile(300_000, seed: 5, etag: nil)
        let second = try ScriptedServer([plain.broken(after: 200_000), changed.honest])
        let other = try DownloadBench()
        let mixed = try await other.run(second.url) { $0.allowsUnvalidated = true }
        #expect(mixed.restarts == [.overlapDiffers])
        #expect(try other.folder.read("out") == changed.bytes, "never a mixture")
    }

    @Test func `a date is a validator when it is old enough, and the overlap is compared`() async throws {
        var dated = ServedFile(300_000, etag: nil)
        dated.fields += [("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Date", "Sun, 06 Nov 1994 09:49:37 GMT")]
        let file = dated
        let server = try ScriptedServer([
            file.broken(after: 200_000),
            .answering { request in file.part(from: ServedFile.first(request) ?? 0) },
        ])
        let bench = try DownloadBench()
        let run = try await bench.run(server.url)
        #expect(run.restarts.isEmpty)
        #expect(try bench.folder.read("out") == file.bytes)
        #expect(server.requests.last?["If-Range"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        let attributes = try FileManager.default.attributesOfItem(atPath: bench.place)
        #expect((attributes[.modificationDate] as? Date)?.timeIntervalSince1970 == 784_111_777)
    }

    @Test func `a file with an unrequested content coding is kept as received and never continued`() async throws {
        let server = try ScriptedServer([
            Script([
                .readRequest, .send(Self.file.whole.with("Content-Encoding", "gzip").headBytes), .send(Array(Self.file.bytes.prefix(1000))),
                .closeGracefully,
            ]),
            Self.file.honest,
        ])
        let bench = try DownloadBench()
        let run = try await bench.run(server.url)
        #expect(run.restarts == [.encoded] && run.result.exchange.notices.isEmpty)
        #expect(try bench.folder.read("out") == Self.file.bytes)
    }

    // MARK: Lengths

    @Test func `a file without a length ends with its chunks, or with the connection`() async throws {
        var chunked = Self.file.whole
        chunked.framing = .chunked(size: 9000, trailers: [])
        let first = try DownloadBench()
        let server = try ScriptedServer(answering: chunked)
        let sure = try await first.run(server.url)
        #expect(try first.folder.read("out") == Self.file.bytes)
        #expect(!sure.result.isLengthUnverified && sure.result.exchange.notices.isEmpty)

        var open = Self.file.whole
        open.framing = .untilClose
        let second = try DownloadBench()
        let closing = try ScriptedServer(Script.answering([open]))
        let unsure = try await second.run(closing.url)
        #expect(try second.folder.read("out") == Self.file.bytes)
        #expect(unsure.result.isLengthUnverified)
        #expect(unsure.result.exchange.notices == ["the server sent no length, so it is unknown whether the file is complete"])
    }

    @Test func `a file that the server encodes nevertheless is saved as received, with a notice`() async throws {
        let bench = try DownloadBench()
        let server = try ScriptedServer(answering: Self.file.whole.with("Content-Encoding", "gzip"))
        let run = try await bench.run(server.url)
        #expect(try bench.folder.read("out") == Self.file.bytes)
        let notice = "the server encoded the file with gzip although the request excluded that; it is saved as received"
        #expect(run.result.error == nil && run.result.exchange.notices == [notice], "\(run.result.exchange.notices)")
    }

    @Test func `an interrupted chunked file is continued`() async throws {
        var chunked = Self.file.whole
        chunked.framing = .chunked(size: 9000, trailers: [])
        let server = try ScriptedServer([
            Script([.readRequest, .send(Array(chunked.bytes.prefix(100_000))), .closeGracefully]), Self.file.honest,
        ])
        let bench = try DownloadBench()
        let run = try await bench.run(server.url)
        #expect(run.restarts.isEmpty)
        #expect(try bench.folder.read("out") == Self.file.bytes)
    }

    @Test func `an empty file is downloaded`() async throws {
        let bench = try DownloadBench()
        let server = try ScriptedServer(answering: ServedFile(0).whole)
        let run = try await bench.run(server.url)
        #expect(run.result.error == nil)
        #expect(try bench.folder.read("out").isEmpty)
    }
}

extension ServedFile {
    /// A server that does not support ranges, and does not announce that.
    static func wholeOnly(_ file: ServedFile) -> HTTPAnswer {
        var answer = file.whole
        answer.headers.removeAll { $0.0 == "Accept-Ranges" }
        return answer
    }
}

// MARK: Changed files, and servers that break again and again

extension DownloadMatrixTests {
    @Test func `a changed weak tag is detected although the overlap is equal`() async throws {
        var first = ServedFile(300_000, etag: "W/\"1\"")
        first.fields = [("Accept-Ranges", "bytes")]
        var second = first
        second.etag = "W/\"2\""
        // The file differs only after the break, so that the overlap does not reveal the change.
        for index in 250_000..<300_000 { second.bytes[index] ^= 1 }
        let after = second
        let server = try ScriptedServer([first.broken(after: 200_000), .answering { after.answer($0) }])
        let bench = try DownloadBench()
        let run = try await bench.run(server.url) { $0.allowsUnvalidated = true }
        #expect(run.result.error == nil)
        #expect(run.restarts == [.changed])
        #expect(try bench.folder.read("out") == after.bytes)
    }

    /// Breaks after different numbers of bytes, the last of them small.
    private static func breaking(_ answer: HTTPAnswer, _ counts: [Int]) -> [Script] {
        counts.map { Script([.readRequest, .send(answer.headBytes), .send(Array(answer.body.prefix($0))), .closeGracefully]) }
    }

    /// The numbers of bytes that an unreliable server sends before it breaks, alternately more and less than the last time.
    private static let breaks = (0..<40).map { $0.isMultiple(of: 2) ? 20_000 + $0 * 100 : 60_000 + $0 * 100 }

    @Test func `a server that ignores ranges and breaks at random does not get endless requests`() async throws {
        // A part without Content-Range makes the client send no further ranges to this server.
        var useless = Self.file.part(from: 0)
        useless.headers.removeAll { $0.0 == "Content-Range" }
        let endless = Self.breaking(Self.file.whole, Self.breaks)
        let server = try ScriptedServer([Self.file.broken(after: 50_000), .answering([useless])] + endless)
        let run = try await DownloadBench().run(server.url) { $0.retryLimit = 3 }
        #expect(run.result.error != nil)
        #expect(server.requests.count < 15)
    }

    @Test func `a server without ranges and validators causes at most two restarts`() async throws {
        var nameless = ServedFile(300_000, etag: nil)
        nameless.fields = [("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Date", "Mon, 07 Nov 1994 08:49:37 GMT")]
        let server = try ScriptedServer(Self.breaking(nameless.whole, Self.breaks))
        let bench = try DownloadBench()
        let run = try await bench.run(server.url) { $0.retryLimit = 3 }
        #expect(run.result.restarts == Download.mostRestarts)
        #expect(run.result.error?.message.contains("sends only the whole file") == true)
        #expect(run.result.error?.hint?.contains("the connection is lost") == true)
        #expect(server.requests.count == Download.mostRestarts + 2)
    }

    @Test func `a server without ranges that sends more each time ends with the complete file`() async throws {
        var useless = Self.file.part(from: 0)
        useless.headers.removeAll { $0.0 == "Content-Range" }
        let steps = Self.breaking(Self.file.whole, (1...12).map { $0 * 24_000 })
        let server = try ScriptedServer([Self.file.broken(after: 50_000), .answering([useless])] + steps + [.answering(Self.file.whole)])
        let bench = try DownloadBench()
        let run = try await bench.run(server.url) { $0.retryLimit = 3 }
        #expect(run.result.error == nil)
        #expect(run.restarts == [.badRange], "what is here is compared and stays")
        #expect(try bench.folder.read("out") == Self.file.bytes)
    }
}
