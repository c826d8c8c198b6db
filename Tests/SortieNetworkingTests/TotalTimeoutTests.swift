import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests the total timeout of transfers: an explicit one limits the complete transfer, the default does not apply.
@Suite(.fewAtOnce) struct TotalTimeoutTests {
    private static let file = ServedFile(300_000)

    /// The total timeout that applies to a call, without a minute of waiting.
    private func limit(_ request: Request, intoFile: Bool = false) -> Duration? {
        var makeSink: (@Sendable (HTTPURL) -> any BodySink)?
        if intoFile { makeSink = { _ in BodyBuffer(folder: "/", limit: nil) } }
        return Call(id: RequestID(high: 0, low: 1), request: request, makeSink: makeSink, observer: nil).totalLimit
    }

    @Test func `the default limits data requests, and neither uploads nor downloads into files`() throws {
        var request = Request(url: try HTTPURL(parsing: "http://a.test/"))
        #expect(limit(request) == .seconds(60))
        #expect(limit(request, intoFile: true) == nil)
        request.body = .file(path: "/f", contentType: nil)
        #expect(limit(request) == nil)
        request.options.timeouts.total = .seconds(60)
        #expect(limit(request) == .seconds(60))
        #expect(limit(request, intoFile: true) == .seconds(60))
    }

    @Test func `an explicit total limits an upload`() async throws {
        let server = try ScriptedServer([.readHead, .repeat([.send("HTTP/1.1 103 Early Hints\r\n\r\n"), .pause(.milliseconds(20))])])
        let caller = try Caller()
        try caller.folder.write("f", [UInt8](repeating: 7, count: 1000))
        var request = try Request.to(server.url, .put, body: .file(path: caller.folder.path("f"), contentType: nil))
        request.options.timeouts.total = .milliseconds(300)
        let error = try #require(try await caller.exchange(request).error)
        #expect(error.timeLimit == .total)
        #expect(error.message == "no complete response within 300 ms")
    }

    @Test func `an explicit total limits the complete download, with all of its attempts`() async throws {
        try await growing(from: .seconds(2)) { limit -> Void? in
            // Each connection sends a few bytes after those that are compared, so that no attempt reaches its own limit; the limit has time for two
            // hundred of them at most.
            let part = Script([
                .readRequest,
                .respond { request in
                    let first = ServedFile.first(request) ?? 0
                    let answer = first == 0 ? Self.file.whole : Self.file.part(from: first)
                    return answer.headBytes + Self.file.bytes[first..<min(first + 5000, Self.file.bytes.count)]
                }, .pause(limit / 200), .closeGracefully,
            ])
            let server = try ScriptedServer(part)
            let run = try await DownloadBench().run(server.url) {
                $0.request.options.timeouts.total = limit
                $0.retryLimit = 1000
            }
            let error = try #require(run.result.error)
            #expect(error.timeLimit == .total)
            #expect(error.message == "the download was not complete within \(limit.spoken)")
            // Two attempts have ended when the third one has begun.
            guard server.requests.count > 2 else { return nil }
            #expect(run.result.exchange.attempts.count > 1)
            #expect(run.result.state == .failed(error, isResumable: true))
            return ()
        }
    }

    @Test func `an explicit total also ends the delay before another attempt`() async throws {
        try await growing(from: .milliseconds(500)) { limit -> Void? in
            let server = try ScriptedServer([Self.file.broken(after: 100_000), Self.file.honest])
            let run = try await DownloadBench().run(server.url) {
                $0.request.options.timeouts.total = limit
                $0.retryPause = .seconds(3600)
            }
            #expect(run.result.error?.timeLimit == .total)
            // The delay must have begun within the limit.
            guard run.states.contains(where: { if case .waiting = $0 { true } else { false } }) else { return nil }
            #expect(run.result.exchange.attempts.count == 1)
            return ()
        }
    }

    @Test func `bytes received before the total limit are kept, and the next download continues there`() async throws {
        try await growing(from: .milliseconds(700)) { limit -> Void? in
            let bench = try DownloadBench()
            let server = try ScriptedServer([
                [.readRequest, .send(Self.file.whole.headBytes), .send(Array(Self.file.bytes.prefix(200_000))), .expectClose], Self.file.honest,
            ])
            let first = try await bench.run(server.url) { $0.request.options.timeouts.total = limit }
            #expect(first.result.error?.timeLimit == .total)
            // The bytes must have been received within the limit.
            guard first.events.contains(where: Self.hasPart) else { return nil }
            let second = try await bench.run(server.url)
            #expect(second.result.error == nil)
            #expect(second.result.resumedAt == 200_000)
            #expect(try bench.folder.read("out") == Self.file.bytes)
            return ()
        }
    }

    /// Whether the event reports that the first 200,000 bytes have been received.
    private static func hasPart(_ event: DownloadEvent) -> Bool {
        if case .progressed(let progress) = event { progress.received == 200_000 } else { false }
    }

    @Test func `the total of a download does not run while it is paused`() async throws {
        try await growing(from: .seconds(2)) { limit -> Void? in
            let bench = try DownloadBench()
            let server = try ScriptedServer([
                [.readRequest, .send(Self.file.whole.headBytes), .send(Array(Self.file.bytes.prefix(200_000))), .expectClose], Self.file.honest,
            ])
            // Longer than the limit.
            let slow = try ScriptedServer([.readRequest, .pause(limit * 5 / 4), .send(HTTPAnswer.ok())])
            let began = ContinuousClock.now
            let running = bench.downloads.start(try bench.download(server.url) { $0.request.options.timeouts.total = limit })
            let watched = Watched<[DownloadEvent]>([])
            let reader = Task { for await event in running.events { watched.change { $0.append(event) } } }
            try await watched.wait("bytes", within: .seconds(300), describe: { "\($0.count)" }) { events in
                events.contains(where: Self.hasPart) || events.contains(where: Self.isEnd) ? () : nil
            }
            running.pause()
            try await watched.wait("the pause", within: .seconds(300), describe: { "\($0.count)" }) { events in
                events.contains(.changed(.paused)) || events.contains(where: Self.isEnd) ? () : nil
            }
            let paused = ContinuousClock.now
            #expect(try await Caller().get(slow.url).response?.status == 200)
            let resumed = ContinuousClock.now
            running.resume()
            let error = await running.result.error
            await reader.value
            // Without the pause, the download may last as long as its limit.
            guard began.duration(to: paused) + resumed.duration(to: .now) < limit else { return nil }
            #expect(error == nil)
            #expect(watched.current.contains(.changed(.paused)))
            return ()
        }
    }

    private static func isEnd(_ event: DownloadEvent) -> Bool {
        if case .finished = event { true } else { false }
    }

    @Test func `a download uses the retry limit of its request`() throws {
        var request = try Request.to("http://a.test/")
        #expect(Download(request, to: .folder(".")).retryLimit == 5)
        request.options.retry = RetryPolicy(limit: 2)
        #expect(Download(request, to: .folder(".")).retryLimit == 2)
        request.options.retry = RetryPolicy(parksWhenOffline: true)
        #expect(Download(request, to: .folder(".")).retryLimit == 5)
    }
}
