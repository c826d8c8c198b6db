import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests request bodies that the program produces while they are sent.
@Suite(.fewAtOnce) struct RequestStreamTests {
    private struct Broken: Error {}

    private let caller: Caller

    init() throws {
        caller = try Caller()
    }

    /// A sequence of these chunks, which counts those that were requested and may end with an error.
    private struct Chunks: AsyncSequence, Sendable {
        let chunks: [[UInt8]]
        var fails = false
        let requested = Watched(0)

        struct AsyncIterator: AsyncIteratorProtocol {
            let chunks: Chunks
            var index = 0

            mutating func next() async throws -> [UInt8]? {
                guard index < chunks.chunks.count else {
                    if chunks.fails { throw Broken() }
                    return nil
                }
                chunks.requested.change { $0 += 1 }
                defer { index += 1 }
                return chunks.chunks[index]
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: self) }
    }

    private func send(_ url: String, _ chunks: Chunks, length: Int64? = nil, retries: Int = 0) async throws -> StreamedResponse {
        var request = try Request.to(url, .put, [HeaderField("Content-Type", "text/plain")])
        request.options.retry = RetryPolicy(limit: retries)
        return try await withDeadline(.seconds(300), "the head to arrive") { [client = caller.client, request] in
            try await client.stream(request, body: chunks, length: length)
        }
    }

    private func code(_ work: () async throws -> StreamedResponse) async -> NetworkError.Code? {
        do {
            _ = try await work()
            return nil
        } catch { return (error as? NetworkError)?.code }
    }

    @Test func `a body of known length has a Content-Length`() async throws {
        let server = try ScriptedServer(answering: .ok("fine"))
        let response = try await send(server.url, Chunks(chunks: ["one ", "", "two"].map { Array($0.utf8) }), length: 7)
        #expect(try await response.body.collect(upTo: 100) == Array("fine".utf8))
        let request = try #require(server.requests.first)
        #expect(request["Content-Length"] == "7" && request["Content-Type"] == "text/plain" && request.bodyText == "one two")
    }

    @Test func `a body of unknown length is sent in chunked coding, also when it is large`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        let response = try await send(server.url, Chunks(chunks: Array(repeating: chunk, count: 50)))
        #expect(response.head.status == 200)
        let request = try #require(server.requests.first)
        #expect(request["Transfer-Encoding"] == "chunked" && request.body.count == 5_000_000)
    }

    @Test func `a server that reads nothing stops the producer`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([.readHead, .wait(for: gate), .send(HTTPAnswer.ok())])
        let chunks = Chunks(chunks: Array(repeating: [UInt8](repeating: 1, count: 1 << 20), count: 200))
        let task = Task { [caller] in
            try await caller.client.stream(.to(server.url, .put), body: chunks)
        }
        try await gate.waitUntilReached()
        _ = try await chunks.requested.wait("the first chunks", within: .seconds(300)) { $0 > 1 ? true : nil }
        let other = try ScriptedServer(answering: .ok())
        for _ in 0..<50 { _ = try await caller.get(other.url) }
        #expect(chunks.requested.current < 40, "the kernel buffers some megabytes")
        gate.open()
        #expect(try await task.value.head.status == 200)
    }

    @Test func `no upload stands still after its wait for 100 Continue`() async throws {
        let server = try ScriptedServer(answering: .ok("stored"))
        var request = try Request.to(server.url, .put)
        // libcurl lost its timer in one of 40 uploads. No other timer may end the pause.
        request.options.timeouts = Timeouts(connect: .seconds(600), idle: .seconds(600), total: nil)
        let exchanges = try await withDeadline(.seconds(300), "the uploads to end") { [request, client = caller.client] in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<200 {
                    group.addTask { try await client.send(request, body: Chunks(chunks: [[1, 2, 3]])).head.status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(exchanges == Array(repeating: 200, count: 200))
        #expect(server.requests.allSatisfy { $0["Expect"] == "100-continue" && $0.body.count == 3 })
    }

    @Test func `an error of the sequence ends the call`() async throws {
        let server = try ScriptedServer([.readHead, .expectClose])
        #expect(await code { try await send(server.url, Chunks(chunks: [[1]], fails: true)) } == .fileUnreadable)
    }

    @Test(arguments: [3, 9] as [Int64]) func `a body of another length than declared ends the call`(_ length: Int64) async throws {
        let server = try ScriptedServer([.readHead, .expectClose])
        #expect(await code { try await send(server.url, Chunks(chunks: [[1, 2, 3, 4]]), length: length) } == .invalidOption)
    }

    @Test func `a call that waits for its whole response sends a produced body, too`() async throws {
        let server = try ScriptedServer(answering: .ok("stored"))
        let (client, request) = (caller.client, try Request.to(server.url, .put))
        let response = try await withDeadline(.seconds(300), "the call to end") {
            try await client.send(request, body: Chunks(chunks: ["one ", "two"].map { Array($0.utf8) }), length: 7)
        }
        #expect(response.body.all == Array("stored".utf8))
        #expect(server.requests.map(\.bodyText) == ["one two"] && server.requests.first?["Content-Length"] == "7")
        await #expect {
            try await withDeadline(.seconds(300), "the call to end") { try await client.send(request, body: Chunks(chunks: [[1]], fails: true)) }
        } throws: {
            ($0 as? NetworkError)?.code == .fileUnreadable
        }
    }

    @Test func `a body that was sent is not sent again`() async throws {
        let server = try ScriptedServer([.answering([.status(503, "busy"), .ok()])])
        let response = try await send(server.url, Chunks(chunks: [[1, 2]]), retries: 2)
        #expect(response.head.status == 503)
        #expect(server.requests.count == 1)
    }
}
