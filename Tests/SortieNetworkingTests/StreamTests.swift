import Foundation
import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests streamed responses: the head before the body, backpressure, and the ends of a stream.
@Suite(.fewAtOnce) struct StreamTests {
    private let caller: Caller

    init() throws {
        caller = try Caller()
    }

    private func stream(_ request: Request, plugins: [any Plugin] = []) async throws -> StreamedResponse {
        try await withDeadline(.seconds(300), "the head to arrive") { [client = caller.client] in
            try await client.stream(request, plugins: plugins)
        }
    }

    private func stream(_ url: String, _ configure: (inout RequestOptions) -> Void = { _ in }) async throws -> StreamedResponse {
        try await stream(.to(url, configure))
    }

    private func all(_ body: ByteStream) async throws -> [UInt8] {
        try await withDeadline(.seconds(300), "the body to end") { try await body.collect(upTo: 200 << 20) }
    }

    /// The error that ends a body.
    private func error(of body: ByteStream) async throws -> NetworkError? {
        try await withDeadline(.seconds(300), "the body to end") {
            do {
                for try await _ in body {}
                return NetworkError?.none
            } catch let error as NetworkError { return error }
        }
    }

    // MARK: The head

    @Test func `the head arrives before the first byte of the body`() async throws {
        let gate = Gate()
        let answer = HTTPAnswer.ok("body", headers: [("X-A", "1")])
        let server = try ScriptedServer([.readRequest, .send(answer.headBytes), .wait(for: gate), .send(answer.framedBody)])
        let response = try await stream(server.url)
        #expect(response.head.status == 200 && response.head.headers["X-A"] == "1" && response.head.body.isEmpty)
        gate.open()
        #expect(try await all(response.body) == Array("body".utf8))
        #expect(await response.exchange.attempts.count == 1)
    }

    @Test func `chunks arrive as the server sends them, and only the end of the body ends the sequence`() async throws {
        let (first, second) = (Gate(), Gate())
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n"), .wait(for: first), .send("3\r\ntwo\r\n"),
            .wait(for: second), .send("0\r\n\r\n"),
        ])
        let body = try await stream(server.url).body
        let chunks = try await withDeadline(.seconds(300), "the chunks") {
            var chunks: [String] = []
            for try await chunk in body {
                chunks.append(String(decoding: chunk, as: UTF8.self))
                if chunks == ["one"] { first.open() } else { second.open() }
            }
            return chunks
        }
        #expect(chunks == ["one", "two"])
    }

    @Test func `a response without a body ends at once`() async throws {
        let server = try ScriptedServer(answering: .status(204))
        let response = try await stream(server.url)
        #expect(response.head.status == 204)
        #expect(try await all(response.body).isEmpty)
    }

    @Test func `an error status is a response, with its body`() async throws {
        let server = try ScriptedServer(answering: .status(500, "why"))
        let response = try await stream(server.url)
        #expect(response.head.status == 500)
        #expect(try await all(response.body) == Array("why".utf8))
    }

    @Test func `a large body of an error status is streamed, too`() async throws {
        let server = try ScriptedServer(answering: .status(500, String(repeating: "x", count: 3_000_000)))
        let response = try await stream(server.url) { $0.retry = RetryPolicy(limit: 3) }
        #expect(try await all(response.body).count == 3_000_000)
        #expect(server.requests.count == 1, "a delivered response is not requested again")
    }

    @Test func `a failure before the head is thrown`() async throws {
        let dead = try DeadPort(.refusing)
        await #expect { try await stream(dead.url) } throws: { ($0 as? NetworkError)?.code == .connectionRefused }
        withExtendedLifetime(dead) {}
    }

    @Test(arguments: [204, 404, 500]) func `a status that the rules refuse is thrown in place of the head`(status: Int) async throws {
        let server = try ScriptedServer(answering: .status(status, status == 500 ? String(repeating: "x", count: 300_000) : ""))
        await #expect {
            try await stream(server.url) { $0.answer.statuses = [200...200] }
        } throws: {
            ($0 as? NetworkError)?.code == .status
        }
        let response = try await stream(server.url)
        #expect(response.head.status == status, "without a rule every status is a response")
    }

    @Test func `a type that the rules of the service refuse is thrown in place of the head`() async throws {
        let server = try ScriptedServer(answering: .ok("<p>", headers: [("Content-Type", "text/html")]))
        var service = ServiceConfiguration()
        service.answer.contentTypes = ["application/json"]
        let client = Client(.init(spoolFolder: caller.folder.path, services: ["shop": service]))
        var request = try Request.to(server.url)
        request.service = "shop"
        let sent = request
        let error = await #expect(throws: NetworkError.self) {
            try await withDeadline(.seconds(300), "the call to end") { try await client.stream(sent) }
        }
        #expect(error?.code == .badBody)
    }

    @Test func `events report the connection, the progress and the end`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nabc"), .wait(for: gate), .send("defg")])
        let events = Watched<[CallEvent]>([])
        let response = try await withDeadline(.seconds(300), "the head to arrive") { [client = caller.client] in
            try await client.stream(.to(server.url)) { event in events.change { $0.append(event) } }
        }
        let first = try await events.wait("progress", within: .seconds(300)) {
            $0.progress.contains { $0.received == 3 && $0.receivedTotal == 7 } ? $0 : nil
        }
        #expect(first.contains { if case .responded(let head) = $0 { head.status == 200 } else { false } })
        gate.open()
        #expect(try await all(response.body).count == 7)
        let whole = try await events.wait("the end", within: .seconds(300)) { $0.end == nil ? nil : $0 }
        #expect(!whole.decisions(.connection).isEmpty)
        #expect(whole.views.isEmpty, "a delivered body is not reported")
    }

    // MARK: Limits of a service

    /// A server whose first `count` connections send an endless body, and whose other ones respond.
    private func endless(_ count: Int = 1) throws -> ScriptedServer {
        let script = Script([.readRequest, .send("HTTP/1.1 200 OK\r\n\r\nabc"), .expectClose])
        return try ScriptedServer(Array(repeating: script, count: count) + [.answering(.ok("quick"))])
    }

    @Test func `a stream without an end takes no place of a request`() async throws {
        let server = try endless(2)
        let caller = try Caller(limits: [server.url: 1])
        let streams = try await withDeadline(.seconds(300), "both heads") {
            [try await caller.client.stream(.to(server.url)), try await caller.client.stream(.to(server.url))]
        }
        #expect(try await caller.get(server.url).text == "quick")
        #expect(streams.map(\.head.status) == [200, 200])
    }

    @Test func `a stream keeps its connection, where the service limits them, and releases it at its end`() async throws {
        let server = try endless()
        let caller = try Caller(connections: [server.url: 1])
        var response: StreamedResponse? = try await withDeadline(.seconds(300), "the head") { try await caller.client.stream(.to(server.url)) }
        let call = caller.begin(try .to(server.url))
        try await call.waitForDecision(.admission)
        #expect(server.acceptedConnections == 1)
        #expect(response?.head.status == 200)
        response = nil
        #expect(try await call.end().end?.text == "quick")
    }

    // MARK: Backpressure

    @Test func `a slow consumer slows down the server, and little waits in memory`() async throws {
        let size = 64 << 10
        let count = 900
        let chunk = [UInt8](repeating: 7, count: size)
        let counter = Counter()
        let server = try ScriptedServer([
            Script([
                .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(size * count)\r\n\r\n"),
                .repeat(
                    [
                        .respond { _ in
                            counter.add()
                            return chunk
                        }
                    ], times: count),
            ]), .answering(.ok()),
        ])
        let response = try await stream(server.url)
        let client = caller.client
        let (largest, received) = try await withDeadline(.seconds(300), "the body to end") {
            var iterator = response.body.makeAsyncIterator()
            var (largest, received, reads) = (0, 0, 0)
            while let bytes = try await iterator.next() {
                received += bytes.count
                largest = max(largest, bytes.count)
                reads += 1
                // The engine and the server have time to send far more than the consumer takes.
                if reads <= 5 {
                    for _ in 0..<10 { _ = try await client.send(.to("\(server.url)/other")) }
                    // The kernel buffers some megabytes of a loopback connection.
                    #expect(counter.value * size - received < 32 << 20, "after \(received) bytes")
                }
            }
            return (largest, received)
        }
        #expect(received == size * count)
        #expect(largest < 1 << 20)
        #expect(try caller.folder.names.isEmpty, "nothing is written to the disk")
    }

    @Test func `the idle limit does not run while the consumer has bytes to read`() async throws {
        let size = 40 << 20
        try await growing(from: .milliseconds(1500)) { limit -> Void? in
            let server = try ScriptedServer([
                Script([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"), .send([UInt8](repeating: 1, count: size))]),
                Script([.readRequest, .pause(limit + .seconds(1)), .send(HTTPAnswer.ok())]),
            ])
            do {
                let response = try await stream(server.url) { $0.timeouts.idle = limit }
                _ = try await caller.get("\(server.url)/later")
                #expect(try await all(response.body).count == size)
            } catch let error as NetworkError where error.timeLimit == .idle {
                // The server sent nothing for the limit, before or after.
                return nil
            }
            return ()
        }
    }

    @Test func `the idle limit ends a stream on which the server sends nothing`() async throws {
        try await growing(from: .milliseconds(200)) { limit -> Void? in
            let server = try ScriptedServer([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .holdOpen])
            let response: StreamedResponse
            do {
                response = try await stream(server.url) { $0.timeouts.idle = limit }
            } catch let error as NetworkError where error.timeLimit == .idle {
                // The head did not arrive within the limit.
                return nil
            }
            let error = try await error(of: response.body)
            #expect(error?.code == .timedOut && error?.timeLimit == .idle)
            return ()
        }
    }

    // MARK: The ends of a stream

    @Test func `a body that ends early throws after its bytes, and is not requested again`() async throws {
        let server = try ScriptedServer([
            Script([.readRequest, .send(HTTPAnswer.claiming(length: 100, "short")), .closeGracefully]), .answering(.ok("again")),
        ])
        let response = try await stream(server.url) { $0.retry = RetryPolicy(limit: 3) }
        let (text, error) = try await withDeadline(.seconds(300), "the body to end") {
            var text = ""
            do {
                for try await chunk in response.body { text += String(decoding: chunk, as: UTF8.self) }
                return (text, NetworkError?.none)
            } catch let error as NetworkError { return (text, error) }
        }
        #expect(text == "short")
        #expect(error?.code == .truncatedBody)
        #expect(server.requests.count == 1)
        #expect(await response.exchange.error?.code == .truncatedBody)
    }

    @Test func `cancelling the consuming task ends the transfer`() async throws {
        let server = try ScriptedServer([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"), .expectClose])
        let response = try await stream(server.url)
        let reads = Watched(0)
        let task = Task {
            var iterator = response.body.makeAsyncIterator()
            _ = try await iterator.next()
            reads.change { $0 += 1 }
            return try await iterator.next()
        }
        _ = try await reads.wait("the first chunk", within: .seconds(300)) { $0 == 1 ? true : nil }
        task.cancel()
        await #expect { try await task.value } throws: { ($0 as? NetworkError)?.code == .cancelled }
        try await server.waitForConnections(open: 0)
    }

    @Test func `leaving the loop over a body ends the transfer, also while the response is still used`() async throws {
        let server = try ScriptedServer([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"), .expectClose])
        let response = try await stream(server.url)
        try await withDeadline(.seconds(300), "the first chunk") { for try await _ in response.body { break } }
        let exchange = try await withDeadline(.seconds(300), "the call to end") { await response.exchange }
        #expect(exchange.error?.code == .cancelled)
        #expect(response.head.status == 200)
        try await server.waitForConnections(open: 0)
    }

    @Test func `plugins process the response of a body that was read to its end`() async throws {
        struct Late: Plugin {
            func process(_ exchange: inout Exchange, in context: PluginContext) async throws -> Continuation {
                exchange.notices.append("processed")
                return .next
            }
        }
        let server = try ScriptedServer(answering: .ok("body"))
        let response = try await caller.client.stream(.to(server.url), plugins: [Late()])
        #expect(try await all(response.body) == Array("body".utf8))
        let exchange = await response.exchange
        #expect(exchange.error == nil && exchange.notices == ["processed"])
    }

    @Test func `releasing the sequence ends the transfer`() async throws {
        let server = try ScriptedServer([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"), .expectClose])
        let result: Task<Exchange, Never>
        do { result = try await stream(server.url).result }
        let exchange = try await withDeadline(.seconds(300), "the call to end") { await result.value }
        #expect(exchange.error?.code == .cancelled)
        try await server.waitForConnections(open: 0)
    }

    @Test func `cancelling before the head ends the call`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([.readRequest, .wait(for: gate), .expectClose])
        let (client, request) = (caller.client, try Request.to(server.url))
        let task = Task { try await client.stream(request) }
        try await gate.waitUntilReached()
        task.cancel()
        await #expect { try await task.value } throws: { ($0 as? NetworkError)?.code == .cancelled }
        gate.open()
    }

    // MARK: The path of a request

    @Test func `a stream uses its proxy`() async throws {
        let proxy = try ScriptedServer(answering: .ok("by the proxy"))
        let response = try await stream("http://example.test/events") { $0.proxy = try? Proxy(proxy.url) }
        #expect(try await all(response.body) == Array("by the proxy".utf8))
        #expect(proxy.requests.map(\.target) == ["http://example.test/events"])
    }

    @Test func `redirects are followed, and the body is that of the target`() async throws {
        let server = try ScriptedServer { $0.target == "/a" ? .redirect(to: "/b") : .ok("target") }
        let response = try await stream("\(server.url)/a")
        #expect(response.head.status == 200)
        #expect(try await all(response.body) == Array("target".utf8))
    }

    @Test func `a response that is retried is not delivered`() async throws {
        let server = try ScriptedServer([.answering([.status(503, "busy"), .ok("done")])])
        let response = try await stream(server.url) { $0.retry = RetryPolicy(limit: 1) }
        #expect(response.head.status == 200)
        #expect(try await all(response.body) == Array("done".utf8))
        #expect(await response.exchange.attempts.count == 2)
    }

    @Test func `a compressed body is decoded, also while the consumer is slow`() async throws {
        let plain = [UInt8](repeating: UInt8(ascii: "a"), count: 30 << 20)
        let path = try caller.folder.write("plain", plain)
        let run = try await ProcessRun.run("/usr/bin/gzip", ["-c", path])
        try FileManager.default.removeItem(atPath: path)
        let server = try ScriptedServer(answering: .ok(bytes: run.outputBytes, headers: [("Content-Encoding", "gzip")]))
        let response = try await stream(server.url)
        let (client, other) = (caller.client, try ScriptedServer(answering: .ok()))
        let (count, largest) = try await withDeadline(.seconds(300), "the body to end") {
            var (count, largest) = (0, 0)
            for try await chunk in response.body {
                count += chunk.count
                largest = max(largest, chunk.count)
                if count < 4 << 20 { _ = try await client.send(.to(other.url)) }
            }
            return (count, largest)
        }
        #expect(count == plain.count)
        #expect(largest < 4 << 20)
    }

    @Test func `plugins prepare the request and repair a refusal before the head is delivered`() async throws {
        struct Login: Plugin {
            let tries = Counter()

            func prepare(_ request: inout Request, in context: PluginContext) async throws {
                tries.add()
                request.headers["X-Token"] = "t\(tries.value)"
            }

            func didReceive(_ response: Response, to request: Request, in context: PluginContext) async throws -> Recovery {
                response.status == 401 ? .sendAgain("the login expired") : .none
            }
        }
        let server = try ScriptedServer { $0["X-Token"] == "t2" ? .ok("welcome") : .status(401, "who?") }
        let response = try await stream(.to(server.url), plugins: [Login()])
        #expect(response.head.status == 200)
        #expect(try await all(response.body) == Array("welcome".utf8))
        #expect(server.requests.map { $0["X-Token"] } == ["t1", "t2"])
    }

    @Test func `a streamed response is not cached`() async throws {
        let server = try ScriptedServer(answering: .ok("x", headers: [("Cache-Control", "max-age=60")]))
        for _ in 0..<2 { _ = try await all(stream(server.url) { $0.cacheLifetime = .seconds(60) }.body) }
        #expect(server.requests.count == 2)
    }
}

/// A number that several threads increase.
private final class Counter: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
}
