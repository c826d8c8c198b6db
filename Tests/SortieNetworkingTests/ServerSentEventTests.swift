import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests event streams: events, limits and reconnections.
@Suite(.fewAtOnce) struct ServerSentEventTests {
    private static let type = [("Content-Type", "text/event-stream; charset=utf-8")]

    private func collect(
        _ client: Client, _ request: Request, reconnectLimit: Int? = nil
    ) async throws -> (texts: [String], code: NetworkError.Code?) {
        let events = client.serverSentEvents(request, reconnectLimit: reconnectLimit)
        return try await withDeadline(.seconds(300), "the events to end") {
            var texts: [String] = []
            do {
                for try await event in events { texts.append(event.data) }
                return (texts, nil)
            } catch let error as NetworkError { return (texts, error.code) }
        }
    }

    @Test func `a lost connection is made again with the ID of the last event, until the server responds with 204`() async throws {
        let caller = try Caller()
        let server = try ScriptedServer([
            Script([.readRequest, .send(HTTPAnswer.ok("retry: 1\nid: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\ndata: cut", headers: Self.type))]),
            Script([.readRequest, .send(HTTPAnswer.claiming(length: 900, "data: c\n\n", headers: Self.type)), .reset]),
            .answering(.status(204)),
        ])
        let result = try await collect(caller.client, .to(server.url))
        #expect(result.texts == ["a", "b", "c"] && result.code == nil)
        #expect(server.requests.map { $0["Last-Event-ID"] } == [nil, "3", "3"])
        #expect(server.requests.map { $0["Accept"] } == Array(repeating: "text/event-stream", count: 3))
    }

    @Test func `an event without a type is a message, and one above the limit ends the stream`() async throws {
        let caller = try Caller()
        let large = String(repeating: "x", count: 1 << 20)
        let server = try ScriptedServer(answering: .ok("id: 1\ndata: a\n\nevent: add\ndata: b\n\ndata: \(large)\n\n", headers: Self.type))
        let events = try caller.client.serverSentEvents(.to(server.url))
        let (received, code) = try await withDeadline(.seconds(300), "the events to end") {
            var received: [ServerSentEvent] = []
            do {
                for try await event in events { received.append(event) }
                return (received, NetworkError.Code?.none)
            } catch let error as NetworkError { return (received, error.code) }
        }
        // Events before it in the same piece are lost with it.
        #expect([ServerSentEvent(data: "a", id: "1"), ServerSentEvent(type: "add", data: "b", id: "1")].starts(with: received))
        #expect(code == .bodyTooLarge)
    }

    @Test func `cancelling ends the events, also where further ones have arrived already`() async throws {
        let caller = try Caller()
        let server = try ScriptedServer(answering: .ok(String(repeating: "data: a\n\n", count: 1000), headers: Self.type))
        let events = try caller.client.serverSentEvents(.to(server.url))
        let task = Task {
            var count = 0
            do {
                for try await _ in events {
                    count += 1
                    withUnsafeCurrentTask { $0?.cancel() }
                }
                return (count, NetworkError.Code?.none)
            } catch { return (count, (error as? NetworkError)?.code) }
        }
        let (count, code) = try await withDeadline(.seconds(300), "the end of the events") { await task.value }
        #expect(count == 1 && code == .cancelled)
    }

    @Test func `an event arrives while the response continues`() async throws {
        let gate = Gate()
        let caller = try Caller()
        let server = try ScriptedServer([
            Script([
                .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: now\n\n"), .wait(for: gate),
                .send("data: later\n\n"),
            ])
        ])
        let texts = try await withDeadline(.seconds(300), "the events") {
            var texts: [String] = []
            for try await event in caller.client.serverSentEvents(try .to(server.url)) {
                texts.append(event.data)
                gate.open()
                if texts.count == 2 { break }
            }
            return texts
        }
        #expect(texts == ["now", "later"])
    }

    @Test func `another status or type ends the stream with an error, without a reconnection`() async throws {
        let caller = try Caller()
        for (answer, code) in [
            (HTTPAnswer.status(404, "gone"), NetworkError.Code.status), (.ok("data: x\n\n", headers: [("Content-Type", "text/plain")]), .badBody),
        ] {
            let server = try ScriptedServer(answering: answer)
            let events = try caller.client.serverSentEvents(.to(server.url))
            let error = try await withDeadline(.seconds(300), "the events to end") {
                await #expect(throws: NetworkError.self) { for try await _ in events {} }
            }
            #expect(error?.code == code && error?.response?.status == answer.status)
            #expect(error?.response?.text == (answer.status == 404 ? "gone" : ""))
            #expect(server.requests.count == 1)
        }
    }

    @Test func `the limit of reconnections ends the stream with the last error`() async throws {
        let caller = try Caller()
        let server = try ScriptedServer([
            Script([.readRequest, .send(HTTPAnswer.ok("retry: 1\ndata: a\n\n", headers: Self.type))]), Script([.readRequest, .reset]),
            Script([.readRequest, .reset]), Script([.readRequest, .reset]),
        ])
        let result = try await collect(caller.client, .to(server.url), reconnectLimit: 2)
        #expect(result.texts == ["a"])
        #expect(result.code == .connectionLost || result.code == .emptyResponse, "\(String(describing: result.code))")
        #expect(server.requests.count == 4 || server.requests.count == 3)
    }

    @Test func `a first connection that fails ends the stream with its error, after the attempts of the retry policy`() async throws {
        let caller = try Caller()
        let dead = try DeadPort(.refusing)
        #expect(try await collect(caller.client, .to(dead.url)).code == .connectionRefused)
        let server = try ScriptedServer([
            Script([.readRequest, .reset]), Script([.readRequest, .send(HTTPAnswer.ok("retry: 1\ndata: a\n\n", headers: Self.type))]),
            .answering(.status(204)),
        ])
        var request = try Request.to(server.url)
        request.options.retry = RetryPolicy(limit: 1)
        let result = try await collect(caller.client, request)
        #expect(result.texts == ["a"] && result.code == nil && server.requests.count == 3)
    }

    @Test func `each reconnection is reported with the reason why the connection ended`() async throws {
        let caller = try Caller()
        let server = try ScriptedServer([
            Script([.readRequest, .send(HTTPAnswer.ok("retry: 1\ndata: a\n\n", headers: Self.type))]), Script([.readRequest, .reset]),
            Script([.readRequest, .send(HTTPAnswer.ok("data: b\n\n", headers: Self.type))]), .answering(.status(204)),
        ])
        let reasons = Mutex<[String]>([])
        let events = try caller.client.serverSentEvents(.to(server.url), onEvent: nil) { reason in reasons.withLock { $0.append(reason) } }
        let texts = try await withDeadline(.seconds(300), "the events to end") {
            var texts: [String] = []
            for try await event in events { texts.append(event.data) }
            return texts
        }
        #expect(texts == ["a", "b"])
        #expect(reasons.withLock { $0 } == ["the response ended"])
    }

    // MARK: Lines

    @Test func `lines of JSON may be split anywhere, and the last one needs no line break`() async throws {
        let caller = try Caller()
        let server = try ScriptedServer(answering: .chunked("{\"a\": 1}\r\n\n[\"ä\"]\n3", size: 1))
        let body = try await caller.client.stream(.to(server.url)).body
        let values = try await withDeadline(.seconds(300), "the values") {
            var values: [String] = []
            for try await value in body.jsonLines() { values.append(value.text) }
            return values
        }
        #expect(values.count == 3 && values[2] == "3" && values[1].contains("ä"))
    }

    @Test func `a line above the limit and a line that is not JSON are errors`() async throws {
        let caller = try Caller()
        let server = try ScriptedServer(answering: .ok("1\n{oops\n" + String(repeating: "x", count: 1000)))
        func error(_ read: @escaping @Sendable (ByteStream) async throws -> Void) async throws -> NetworkError? {
            let body = try await caller.client.stream(.to(server.url)).body
            return try await withDeadline(.seconds(300), "the lines to end") {
                do { try await read(body) } catch let error as NetworkError { return error }
                return NetworkError?.none
            }
        }
        let tooLong = try await error { body in for try await _ in body.lines(limit: 100) {} }
        #expect(tooLong?.code == .bodyTooLarge)
        let notJSON = try await error { body in for try await _ in body.jsonLines() {} }
        #expect(notJSON?.code == .badBody && notJSON?.message.hasPrefix("line 2 ") == true)
    }
}
