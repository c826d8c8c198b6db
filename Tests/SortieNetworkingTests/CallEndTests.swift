import Support
import Testing

@testable import SortieNetworking

/// Tests that every call has exactly one terminal event (S0.6–S0.9, S1.10–S1.12, S2.25).
@Suite(.fewAtOnce)
struct CallEndTests {
    @Test func `S0.9 a call that succeeds ends with one finished event and a response`() async throws {
        let server = try ScriptedServer(answering: .ok("hello"))
        let events = try await Caller().events(.to(server.url))
        let end = try #require(events.end)
        #expect(end.text == "hello")
        #expect(end.error == nil)
    }

    @Test func `S0.9 a call that fails ends with one finished event and an error`() async throws {
        let port = try DeadPort(.refusing)
        let events = try await Caller().events(.to(port.url))
        #expect(events.end?.error?.code == .connectionRefused)
    }

    @Test func `a request that is rejected before it is sent ends with one finished event`() async throws {
        let request = try Request.to("http://127.0.0.1/", .get, [HeaderField("a b", "")])
        #expect(try await Caller().events(request).end?.error?.code == .invalidHeader)
    }

    @Test func `a call of an already cancelled task sends nothing and ends as cancelled`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let caller = try Caller()
        let request = try Request.to(server.url)
        let exchange = try await withDeadline(.seconds(300)) {
            await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await caller.client.exchange(request)
            }.value
        }
        #expect(exchange.error?.code == .cancelled)
        #expect(exchange.response == nil)
        #expect(server.acceptedConnections == 0)
    }

    @Test func `S2.25 a call that waits for admission ends as cancelled and sends nothing`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.readRequest, .wait(for: gate), .send(HTTPAnswer.ok())))
        let caller = try Caller(limits: [server.url: 1])
        let first = caller.begin(try .to(server.url))
        try await gate.waitUntilReached()
        let second = caller.begin(try .to(server.url))
        try await second.waitForDecision(.admission)
        await second.cancel()
        #expect(try await second.end().end?.error?.code == .cancelled)
        gate.open()
        #expect(try await first.end().end?.response?.status == 200)
        #expect(server.requests.count == 1)
    }

    @Test func `S2.25 a call that waits for name resolution ends as cancelled`() async throws {
        let caller = try Caller(resolver: Resolver { _, _ in })
        let call = caller.begin(try .to("http://slow.test/"))
        await call.cancel()
        #expect(try await call.end().end?.error?.code == .cancelled)
    }

    @Test func `S2.25 a call that is connecting ends as cancelled`() async throws {
        let port = try DeadPort(.silent)
        let call = try Caller().begin(try .to(port.url))
        try await call.waitForDecision(.address)
        await call.cancel()
        #expect(try await call.end().end?.error?.code == .cancelled)
    }

    @Test func `S2.25 a call in the middle of the header ends as cancelled without a response`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.readRequest, .send("HTTP/1.1 200 OK\r\nX-Half: "), .wait(for: gate)))
        let call = try Caller().begin(try .to(server.url))
        try await gate.waitUntilReached()
        await call.cancel()
        let end = try await call.end().end
        #expect(end?.error?.code == .cancelled)
        gate.open()
        try await server.waitForConnections(open: 0)
    }

    @Test func `S2.25 a call in the middle of the body ends as cancelled and keeps the received part`() async throws {
        let server = try ScriptedServer(
            Script(.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), .expectClose))
        let call = try Caller().begin(try .to(server.url))
        try await call.wait(for: "the body to grow") { if case .grew = $0 { true } else { false } }
        await call.cancel()
        let end = try #require(try await call.end().end)
        #expect(end.error?.code == .cancelled)
        #expect(end.text == "half")
        #expect(end.response?.truncation != nil)
        try await server.waitForConnections(open: 0)
    }

    @Test func `S1.11 cancelling an ended call has no effect`() async throws {
        let server = try ScriptedServer(answering: .ok("done"))
        let caller = try Caller()
        let call = caller.begin(try .to(server.url))
        #expect(try await call.end().end?.text == "done")
        await call.cancel()
        await call.cancel()
        #expect(call.events.current.ends.count == 1)
        #expect(try await caller.get(server.url).text == "done")
    }

    @Test func `cancelling an unknown identity has no effect`() async throws {
        let server = try ScriptedServer(answering: .ok("fine"))
        let caller = try Caller()
        let id = caller.client.makeID()
        caller.client.cancel(id)
        #expect(try await caller.exchange(.to(server.url), id: id).text == "fine")
    }

    @Test func `S1.12 cancelAll ends every call and leaves the client usable`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([
            Script(.readRequest, .wait(for: gate)), Script(.readRequest, .wait(for: gate)),
            Script(.readRequest, .wait(for: gate)), .answering(.ok("again")),
        ])
        let caller = try Caller()
        let calls = try (0..<3).map { _ in caller.begin(try .to(server.url)) }
        try await gate.waitUntilReached(3)
        caller.client.cancelAll()
        for call in calls { #expect(try await call.end().end?.error?.code == .cancelled) }
        #expect(try await caller.get(server.url).text == "again")
        gate.open()
    }

    @Test func `a client that is shut down ends its calls and rejects new ones`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.readRequest, .wait(for: gate)))
        let caller = try Caller()
        let call = caller.begin(try .to(server.url))
        try await gate.waitUntilReached()
        await caller.client.shutDown()
        #expect(try await call.end().end?.error?.code == .shutDown)
        #expect(try await caller.events(.to(server.url)).end?.error?.code == .shutDown)
        #expect(server.acceptedConnections == 1)
        gate.open()
    }

    @Test func `shutDown returns when the calls have ended, which the observer of calls has seen then`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([Script(.readRequest, .wait(for: gate)), Script(.readRequest, .wait(for: gate))])
        let caller = try Caller()
        let ended = Watched<[NetworkError.Code?]>([])
        caller.client.observeCalls { call in ended.change { $0.append(call.exchange.error?.code) } }
        let tasks = try (0..<2).map { _ in caller.client.start(try .to(server.url)) }
        try await gate.waitUntilReached(2)
        try await withDeadline(.seconds(300), "the client to shut down") { await caller.client.shutDown() }
        #expect(ended.current == [.shutDown, .shutDown])
        #expect(tasks.allSatisfy { $0.state == .completed })
        gate.open()
    }

    @Test func `leaving the stream of events stops the request`() async throws {
        let server = try ScriptedServer(
            Script(.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1"), .expectClose))
        let caller = try Caller()
        let request = try Request.to(server.url)
        try await withDeadline(.seconds(300)) {
            for await event in caller.client.events(request) {
                if case .grew = event { break }
            }
        }
        try await server.waitForConnections(open: 0)
    }

    @Test func `a released stream stops the request`() async throws {
        let server = try ScriptedServer([.readRequest, .expectClose])
        let caller = try Caller()
        let request = try Request.to(server.url)
        var stream: AsyncStream<CallEvent>? = caller.client.events(request)
        _ = try await server.waitForRequests(1)
        #expect(stream != nil)
        stream = nil
        try await server.waitForConnections(open: 0)
    }

    @Test func `send throws the error of a call and returns the response of a 404`() async throws {
        let server = try ScriptedServer(answering: .status(404, "no"))
        let caller = try Caller()
        #expect(try await caller.client.send(.to(server.url)).status == 404)
        let port = try DeadPort(.refusing)
        await #expect { try await caller.client.send(.to(port.url)) } throws: {
            ($0 as? NetworkError)?.code == .connectionRefused
        }
    }

    @Test func `S1.11 identities are ascending and unique`() throws {
        let client = try Caller().client
        let ids = (0..<1000).map { _ in client.makeID() }
        #expect(ids == ids.sorted())
        #expect(Set(ids).count == 1000)
        #expect(RequestID(ids[0].description) == ids[0])
    }
}
