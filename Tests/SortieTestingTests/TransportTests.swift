import SortieTesting
import Support
import Testing

/// Tests the seam between a client and a transport: the end of an attempt, backpressure, suspension and time limits.
@Suite struct TransportTests {
    /// A transport of one closure.
    private struct Made: Transport {
        let work: @Sendable (TransportRequest, TransportResponseWriter) async throws -> Void

        func perform(_ request: TransportRequest, response: TransportResponseWriter) async throws { try await work(request, response) }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func client(_ work: @escaping @Sendable (TransportRequest, TransportResponseWriter) async throws -> Void) -> Client {
        Client(.init(spoolFolder: folder.path, transport: Made(work: work)))
    }

    private func request(_ configure: (inout RequestOptions) -> Void = { _ in }) throws -> Request {
        var request = Request(url: try HTTPURL(parsing: "https://shop.invalid/orders"))
        // The tests of all suites share two threads, so that one may wait for a long time.
        request.options.timeouts.idle = .seconds(300)
        configure(&request.options)
        return request
    }

    private func exchange(
        _ request: Request, _ work: @escaping @Sendable (TransportRequest, TransportResponseWriter) async throws -> Void
    ) async throws -> Exchange {
        try await withDeadline(.seconds(300), "the call to end") { [client = client(work)] in await client.exchange(request) }
    }

    // MARK: The end of an attempt

    private struct Broken: Error {}

    @Test func `an error of another type becomes an internal failure that names the transport`() async throws {
        let error = try await exchange(request()) { _, _ in throw Broken() }.error
        #expect(error?.code == .internalFailure && error?.message == "the transport Made failed: Broken()")
    }

    @Test func `a transport that returns without a response fails the attempt`() async throws {
        #expect(try await exchange(request()) { _, _ in }.error?.code == .emptyResponse)
    }

    @Test func `a body that is shorter than declared is an error`() async throws {
        let exchange = try await exchange(request()) { _, response in
            try await response.begin(Response(status: 200, headers: [HeaderField("Content-Length", "10")]))
            try await response.write(Array("0123".utf8))
        }
        #expect(exchange.error?.code == .truncatedBody)
    }

    @Test(arguments: [HeaderField("X", "a\r\nY: b"), HeaderField("X Y", "a"), HeaderField("", "a")])
    func `an invalid field is refused, whatever the transport makes of the error`(field: HeaderField) async throws {
        let exchange = try await exchange(request()) { _, response in
            do { try await response.begin(Response(status: 200, headers: [field])) } catch {}
        }
        #expect(exchange.error?.code == .badResponse)
    }

    @Test func `a body before the head, and a second head, are errors`() async throws {
        #expect(try await exchange(request()) { try await $1.write([1]) }.error?.code == .badResponse)
        let twice = try await exchange(request()) { _, response in
            try await response.begin(Response(status: 200))
            try await response.begin(Response(status: 200))
        }
        #expect(twice.error?.code == .badResponse)
    }

    @Test func `a body beyond the limit of the request ends the attempt`() async throws {
        let exchange = try await exchange(request { $0.maximumBodyBytes = 1000 }) { _, response in
            try await response.begin(Response(status: 200))
            while true { try await response.write([UInt8](repeating: 0, count: 600)) }
        }
        #expect(exchange.error?.code == .bodyTooLarge)
    }

    @Test func `a large body reaches the disk and comes back unchanged`() async throws {
        let chunk = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let exchange = try await exchange(request()) { _, response in
            try await response.begin(Response(status: 200))
            for _ in 0..<30 { try await response.write(chunk) }
        }
        let body = try #require(exchange.response?.body)
        #expect(body.count == 3_000_000)
        #expect((0..<30).allSatisfy { body.bytes(in: $0 * 100_000..<($0 + 1) * 100_000) == chunk })
    }

    // MARK: Cancellation and time limits

    @Test func `a transport that ignores its cancellation does not hold the call, and writes nothing afterwards`() async throws {
        let (started, ended) = (Watched(false), Watched(false))
        let late = Watched<NetworkError?>(nil)
        let client = client { _, response in
            try await response.begin(Response(status: 200))
            started.change { $0 = true }
            let end = Task.detached { try await ended.wait("the end of the call", within: .seconds(300)) { $0 ? () : nil } }
            _ = await end.result
            do throws(NetworkError) { try await response.write([1]) } catch { late.change { $0 = error } }
        }
        let running = client.start(try request())
        try await started.wait("the transport to start", within: .seconds(300)) { $0 ? () : nil }
        running.cancel()
        let exchange = try await withDeadline(.seconds(300), "the call to end") { await running.exchange }
        #expect(exchange.error?.code == .cancelled)
        ended.change { $0 = true }
        #expect(try await late.wait("the late write", within: .seconds(300)) { $0 }.code == .cancelled)
    }

    @Test func `a transport without an end meets the total time limit`() async throws {
        let exchange = try await exchange(request { $0.timeouts.total = .milliseconds(20) }) { _, _ in try await Task.sleep(for: .seconds(3600)) }
        #expect(exchange.error?.code == .timedOut && exchange.error?.timeLimit == .total)
    }

    @Test func `a transport that writes nothing meets the idle time limit`() async throws {
        let exchange = try await exchange(request { $0.timeouts.idle = .milliseconds(20) }) { _, response in
            try await response.begin(Response(status: 200))
            try await Task.sleep(for: .seconds(3600))
        }
        #expect(exchange.error?.code == .timedOut && exchange.error?.timeLimit == .idle)
        #expect(exchange.response?.status == 200)
    }

    @Test func `a suspended call accepts no bytes until it is resumed`() async throws {
        let (began, isSuspended) = (Watched(false), Watched(false))
        let client = client { _, response in
            try await response.begin(Response(status: 200))
            began.change { $0 = true }
            try await isSuspended.wait("the suspension", within: .seconds(300)) { $0 ? () : nil }
            try await response.write(Array("late".utf8))
        }
        let events = Watched<[String]>([])
        let id = client.makeID()
        let call = try request()
        async let ended = client.exchange(call, id: id) { event in
            switch event {
            case .decided(let decision) where decision.subject == .lifecycle: events.change { $0.append(decision.text) }
            case .grew: events.change { $0.append("grew") }
            default: break
            }
        }
        try await began.wait("the head", within: .seconds(300)) { $0 ? () : nil }
        client.suspend(id)
        try await events.wait("the suspension", within: .seconds(300)) { $0.contains { $0.hasPrefix("suspended") } ? () : nil }
        isSuspended.change { $0 = true }
        client.resume(id)
        #expect(await ended.response?.text == "late")
        #expect(events.current == ["suspended; time limits are paused", "resumed", "grew"])
    }

    // MARK: Streams

    @Test func `a slow consumer of a stream slows the transport down`() async throws {
        let written = Watched(0)
        let client = client { _, response in
            try await response.begin(Response(status: 200))
            for _ in 0..<64 {
                try await response.write([UInt8](repeating: 7, count: 64 << 10))
                written.change { $0 += 64 << 10 }
            }
        }
        let body = try await client.stream(request()).body
        let most = try await withDeadline(.seconds(300), "the body to end") {
            var (read, most) = (0, 0)
            for try await chunk in body {
                read += chunk.count
                most = max(most, written.current - read)
                await Task.yield()
            }
            #expect(read == 64 * (64 << 10))
            return most
        }
        #expect(most <= 1 << 20)
    }

    @Test func `the transport reads the body of a request in chunks, and the progress counts them`() async throws {
        let file = try folder.write("body", [UInt8](repeating: 1, count: 200_000))
        let sizes = Watched<[Int]>([])
        let client = client { request, response in
            for try await chunk in request.body { sizes.change { $0.append(chunk.count) } }
            try await response.begin(Response(status: 204))
        }
        var upload = try request()
        (upload.method, upload.body) = (.post, .file(path: file, contentType: nil))
        let sent = Watched<[Int64]>([])
        let exchange = await client.exchange(upload) { event in
            if case .progressed(let progress) = event { sent.change { $0.append(progress.sent) } }
        }
        #expect(sizes.current.reduce(0, +) == 200_000 && sizes.current.count > 1)
        #expect(sent.current.last == 200_000 && exchange.attempts.first?.sentBodyBytes == 200_000)
    }
}
