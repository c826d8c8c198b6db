import FoundationEssentials
import Support
import Testing

@testable import SortieNetworking

/// Tests the buffer of events for a consumer that is slow or has ended.
struct EventBufferTests {
    private func progress(_ count: Int) -> CallEvent { .progressed(CallProgress(received: Int64(count))) }

    private func decision(_ number: Int) -> CallEvent { .decided(Decision(.retry, "\(number)", time: 0)) }

    private var end: CallEvent {
        .finished(
            Exchange(
                id: RequestID(high: 0, low: 0), request: Request(url: HTTPURL(scheme: .http, host: "a")), startedAt: .init(timeIntervalSince1970: 0)))
    }

    private func all(_ buffer: EventBuffer<CallEvent>) async throws -> [CallEvent] {
        try await withDeadline(.seconds(300), "the stream to end") {
            var events: [CallEvent] = []
            for await event in buffer.stream() { events.append(event) }
            return events
        }
    }

    @Test func `only the latest of waiting progress and body events is delivered`() async throws {
        let buffer = EventBuffer.ofCall()
        let body = BodyBytes([1])
        for count in 0..<100_000 {
            buffer.yield(progress(count))
            buffer.yield(.grew(body))
        }
        #expect(buffer.count == 2)
        buffer.yield(end)
        buffer.finish()
        let events = try await all(buffer)
        #expect(events == [progress(99_999), .grew(body), end])
    }

    @Test func `an event between two progress events keeps its position`() async throws {
        let buffer = EventBuffer.ofCall()
        for event in [progress(1), decision(1), progress(2), progress(3), decision(2), progress(4)] { buffer.yield(event) }
        buffer.finish()
        #expect(try await all(buffer) == [progress(1), decision(1), progress(3), decision(2), progress(4)])
    }

    @Test func `beyond the limit the oldest events are dropped, and the terminal event is kept`() async throws {
        let buffer = EventBuffer.ofCall()
        buffer.yield(end)
        for number in 0..<10_000 { buffer.yield(decision(number)) }
        #expect(buffer.count == 1024)
        buffer.finish()
        let events = try await all(buffer)
        #expect(events.first == end)
        #expect(events.last == decision(9999))
    }

    @Test func `a waiting consumer gets each event immediately and in order`() async throws {
        let buffer = EventBuffer.ofCall()
        let taken = Watched(0)
        let stream = buffer.stream()
        let consumer = Task {
            var events: [CallEvent] = []
            for await event in stream {
                events.append(event)
                taken.change { $0 += 1 }
            }
            return events
        }
        for number in 0..<5 {
            buffer.yield(progress(number))
            try await taken.wait("event \(number)", within: .seconds(300), describe: { "\($0)" }) { $0 > number ? () : nil }
        }
        buffer.finish()
        #expect(await consumer.value == (0..<5).map(progress))
    }

    @Test func `the release of the stream is reported once`() async throws {
        let buffer = EventBuffer.ofCall()
        let abandoned = Watched(0)
        do {
            let stream = buffer.stream { abandoned.change { $0 += 1 } }
            var iterator = stream.makeAsyncIterator()
            buffer.yield(progress(1))
            #expect(await iterator.next() == progress(1))
            #expect(abandoned.current == 0)
        }
        try await abandoned.wait("the stream to be gone", within: .seconds(300), describe: { "\($0)" }) { $0 == 1 ? () : nil }
        buffer.yield(progress(2))
        #expect(buffer.count == 0)
    }

    @Test func `cancelling the consumer's task ends its wait`() async throws {
        let buffer = EventBuffer.ofCall()
        let abandoned = Watched(0)
        let stream = buffer.stream { abandoned.change { $0 += 1 } }
        let consumer = Task { for await _ in stream {} }
        consumer.cancel()
        try await withDeadline(.seconds(300), "the consumer to end") { await consumer.value }
        #expect(abandoned.current == 1)
    }

    @Test func `a call whose events are not consumed keeps few of them, and the terminal event`() async throws {
        let caller = try Caller()
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 30000\r\n\r\n"),
            .sendSlowly([UInt8](repeating: 120, count: 30000), chunk: 2000, every: .milliseconds(45)),
        ])
        let stream = caller.client.events(try .to(server.url))
        try await withDeadline(.seconds(300), "the call to end") { await caller.client.waitUntilIdle() }
        var events: [CallEvent] = []
        for await event in stream { events.append(event) }
        #expect(events.end?.response?.body.count == 30000)
        #expect(events.progress.count <= 2)
        #expect(events.views.count <= 2)
    }
}
