import SortieTesting
import Support
import Synchronization
import Testing

/// Tests a transport that performs some attempts itself and passes the others on to the engine.
@Suite struct EngineTransportTests {
    /// A transport of one closure, whose last argument is the engine.
    private struct Wrapping: Transport {
        var usesEngine = true
        let work: @Sendable (TransportRequest, TransportResponseWriter, EngineTransport) async throws -> Void

        func perform(_ request: TransportRequest, response: TransportResponseWriter) async throws { try await work(request, response, .engine) }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func client(_ transport: Wrapping) -> Client {
        Client(.init(spoolFolder: folder.path, transport: transport))
    }

    private func exchange(_ request: Request, _ transport: Wrapping) async throws -> Exchange {
        try await withDeadline(.seconds(300), "the call to end") { [client = client(transport)] in await client.exchange(request) }
    }

    private func request(_ url: String) throws -> Request { Request(url: try HTTPURL(parsing: url)) }

    @Test func `the engine is the default transport`() {
        #expect(ClientConfiguration().transport is EngineTransport)
    }

    @Test func `a transport fails one attempt and passes the next one on to the engine`() async throws {
        let server = try ScriptedServer { _ in .ok("from the server") }
        let count = Watched(0)
        var request = try request(server.url)
        request.options.retry = RetryPolicy(limit: 1)
        let exchange = try await exchange(
            request,
            Wrapping { request, response, engine in
                count.change { $0 += 1 }
                guard count.current > 1 else { throw NetworkError(.connectionLost, "lost for a test") }
                try await engine.perform(request, response: response)
            })
        #expect(exchange.response?.text == "from the server" && server.requests.count == 1)
        #expect(exchange.attempts.map(\.error?.code) == [.connectionLost, nil])
        // The response has what only the engine knows.
        #expect(exchange.response?.remoteAddress == server.url.replacing("http://", with: ""))
    }

    @Test func `a host name is looked up for a transport that passes attempts on, and for no other`() async throws {
        let server = try ScriptedServer { _ in .ok("found") }
        let request = try request(server.url.replacing("127.0.0.1", with: "localhost"))
        let found = try await exchange(request, Wrapping { try await $2.perform($0, response: $1) })
        #expect(found.response?.text == "found")
        let refused = try await exchange(request, Wrapping(usesEngine: false) { try await $2.perform($0, response: $1) })
        #expect(refused.error?.code == .internalFailure && refused.error?.hint == "return true from usesEngine of the transport")
        #expect(server.requests.count == 1)
    }

    @Test func `an attempt of the engine that failed without a response can be replaced by a response`() async throws {
        let dead = try DeadPort(.refusing)
        let exchange = try await exchange(
            request(dead.url),
            Wrapping { request, response, engine in
                do { try await engine.perform(request, response: response) } catch {
                    try await response.begin(Response(status: 203))
                    try await response.write(Array("from the transport".utf8))
                }
            })
        #expect(exchange.response?.status == 203 && exchange.response?.text == "from the transport" && exchange.error == nil)
    }

    @Test func `a failure of the engine is that of the attempt, also when the transport ignores it`() async throws {
        let dead = try DeadPort(.refusing)
        let exchange = try await exchange(request(dead.url), Wrapping { do { try await $2.perform($0, response: $1) } catch {} })
        #expect(exchange.error?.code == .connectionRefused)
    }

    @Test func `one attempt has one response, of the transport or of the engine`() async throws {
        let server = try ScriptedServer { _ in .ok("from the server") }
        let first = try await exchange(
            request(server.url),
            Wrapping { request, response, engine in
                try await response.begin(Response(status: 200))
                try await engine.perform(request, response: response)
            })
        let second = try await exchange(
            request(server.url),
            Wrapping { request, response, engine in
                try await engine.perform(request, response: response)
                try await response.begin(Response(status: 200))
            })
        #expect(first.error?.code == .badResponse && second.error?.code == .badResponse)
        #expect(server.requests.count == 1)
    }

    @Test func `a large body and a body that is sent pass through the engine`() async throws {
        let server = try ScriptedServer { request in .ok(bytes: [UInt8](repeating: 7, count: 3_000_000) + request.body) }
        var upload = try request(server.url)
        (upload.method, upload.body) = (.post, .file(path: try folder.write("body", [UInt8](repeating: 8, count: 100_000)), contentType: nil))
        let exchange = try await exchange(upload, Wrapping { try await $2.perform($0, response: $1) })
        let body = try #require(exchange.response?.body)
        #expect(body.count == 3_100_000 && body.bytes(in: 2_999_999..<3_000_001) == [7, 8])
        #expect(exchange.attempts.first?.sentBodyBytes == 100_000)
    }

    @Test func `a cancelled call ends its transfer in the engine`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([.readRequest, .wait(for: gate), .holdOpen])
        let ended = Watched<NetworkError?>(nil)
        let client = client(
            Wrapping { request, response, engine in
                do { try await engine.perform(request, response: response) } catch {
                    ended.change { $0 = error as? NetworkError }
                    throw error
                }
            })
        let running = client.start(try request(server.url))
        try await gate.waitUntilReached()
        running.cancel()
        #expect(try await withDeadline(.seconds(300), "the call to end") { await running.exchange }.error?.code == .cancelled)
        #expect(try await ended.wait("the end of the transfer", within: .seconds(300)) { $0 }.code == .cancelled)
        gate.open()
    }

    @Test func `a suspended call suspends its transfer in the engine`() async throws {
        let (gate, sent) = (Gate(), Gate())
        let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate".utf8)
        let server = try ScriptedServer([.readRequest, .wait(for: gate), .sendBytes(bytes), .wait(for: sent)])
        let client = client(Wrapping { try await $2.perform($0, response: $1) })
        let (events, id, call) = (Watched<[String]>([]), client.makeID(), try request(server.url))
        async let ended = client.exchange(call, id: id) { event in
            if case .decided(let decision) = event, decision.subject == .lifecycle { events.change { $0.append(decision.text) } }
            if case .finished = event { events.change { $0.append("finished") } }
        }
        try await gate.waitUntilReached()
        client.suspend(id)
        try await events.wait("the suspension", within: .seconds(300)) { $0.contains { $0.hasPrefix("suspended") } ? () : nil }
        gate.open()
        try await sent.waitUntilReached()
        client.resume(id)
        #expect(await ended.response?.text == "late")
        #expect(events.current == ["suspended; time limits are paused", "resumed", "finished"])
        sent.open()
    }
}
