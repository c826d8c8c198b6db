import SortieClassic
import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests the batch that replaces three earlier ones, without their defects (S2.39–S2.43, S4.13, S1.33–S1.37, X2).
struct BatchTests {
    private struct Broken: Error {}

    /// Lets a member wait until the test ends the stream, or the member is cancelled.
    private func waiting(_ door: AsyncStream<Void>) -> @Sendable () async throws -> Int {
        {
            for await _ in door {}
            try Task.checkCancellation()
            return 0
        }
    }

    private func run<Value>(
        _ batch: Batch<Value>, onProgress: @escaping @Sendable (BatchProgress) -> Void = { _ in }
    ) async throws -> BatchResult<Value> {
        try await withDeadline(.seconds(300), "the batch to end") { try await batch.run(onProgress: onProgress) }
    }

    @Test func `results are in the order of the members, whatever order they end in`() async throws {
        let batch = Batch<Int>(concurrency: 3)
        let (door, open) = AsyncStream<Void>.makeStream()
        try batch.add {
            for await _ in door {}
            return 1
        }
        try batch.add { 2 }
        try batch.add {
            open.finish()
            return 3
        }
        #expect(try await run(batch).values == [1, 2, 3])
    }

    /// Notes the values of batches by their identities.
    private final class Watcher: BatchDelegate {
        let seen = Watched<[RequestID: [Int]]>([:])

        func batch(_ batch: Batch<Int>, succeeded result: BatchResult<Int>) { seen.change { $0[batch.id] = result.values } }
    }

    @Test func `S2.39 a delegate of several batches tells them apart by their identities`() async throws {
        let watcher = Watcher()
        let batches = [Batch<Int>(), Batch<Int>(), Batch<Int>(policy: .collectAll)]
        for (index, batch) in batches.enumerated() {
            try batch.add { index }
            _ = try await batch.run(delegate: watcher)
        }
        #expect(batches.map(\.id) == batches.map(\.id).sorted() && watcher.seen.current.count == 3)
        for (index, batch) in batches.enumerated() { #expect(watcher.seen.current[batch.id] == [index]) }
        #expect(Chain<Int>().id > batches[2].id)
    }

    @Test func `S2.43 with collect-all the batch completes when the last member to finish fails`() async throws {
        let batch = Batch<Int>(policy: .collectAll)
        try batch.add { 1 }
        try batch.add { throw Broken() }
        let result = try await run(batch)
        #expect(result.outcomes.map { $0.value } == [1, nil])
        #expect(result.firstFailure == 1)
        #expect(!result.isCancelled)
    }

    @Test func `S4.13 collect-all never stops on failure`() async throws {
        let batch = Batch<Int>(policy: .collectAll, concurrency: 1)
        try batch.add { throw Broken() }
        try batch.add { 2 }
        try batch.add { throw Broken() }
        let result = try await run(batch)
        #expect(result.values == [2])
        #expect(result.outcomes.count { $0.error != nil } == 2)
    }

    @Test func `S2.43 after the first failure other failures have no effect`() async throws {
        let batch = Batch<Int>(policy: .failFast)
        let (door, open) = AsyncStream<Void>.makeStream()
        try batch.add {
            // The stop ends it, with a separate error.
            for await _ in door {}
            throw Broken()
        }
        try batch.add { throw Broken() }
        let result = try await run(batch)
        open.finish()
        #expect(result.firstFailure == 1)
        #expect(result.outcomes.count { $0.error != nil } == 1)
        guard case .cancelled = result.outcomes[0] else { throw Broken() }
    }

    @Test func `S2.43 of members that fail at the same time, one is failed and the others are cancelled`() async throws {
        let batch = Batch<Int>(policy: .failFast)
        let (door, open) = AsyncStream<Void>.makeStream()
        let (start, started) = AsyncStream<Void>.makeStream()
        try batch.add { _ in
            // Before the batch has stopped the other one, which has started and fails now.
            open.finish()
        } _: {
            for await _ in start {}
            throw Broken()
        }
        try batch.add {
            started.finish()
            for await _ in door {}
            throw Broken()
        }
        let result = try await run(batch)
        #expect(result.firstFailure == 0 && result.outcomes[1].error == nil)
        guard case .cancelled = result.outcomes[1] else { throw Broken() }
    }

    @Test func `S2.40 fail-fast skips members that have not started`() async throws {
        let began = Atomic<Int>(0)
        let batch = Batch<Int>(policy: .failFast, concurrency: 1)
        for index in 0..<5 {
            try batch.add {
                began.add(1, ordering: .relaxed)
                if index == 1 { throw Broken() }
                return index
            }
        }
        let result = try await run(batch)
        #expect(began.load(ordering: .relaxed) == 2)
        #expect(result.values == [0])
        guard case .skipped = result.outcomes[4] else { throw Broken() }
    }

    @Test func `S2.43 a batch without members completes immediately`() async throws {
        let result = try await run(Batch<Int>())
        #expect(result.isSuccess)
        #expect(result.outcomes.isEmpty)
    }

    @Test func `S1.36 adding after the start is an error, like a second start`() async throws {
        let batch = Batch<Int>()
        _ = try await run(batch)
        #expect(throws: BatchError.alreadyStarted) { try batch.add { 1 } }
        await #expect(throws: BatchError.alreadyStarted) { _ = try await batch.run() }
    }

    @Test func `S1.36 the end follows every member's handler, each called once`() async throws {
        let told = Mutex<[String]>([])
        let batch = Batch<Int>(policy: .collectAll, concurrency: 8)
        for index in 0..<100 {
            try batch.add { _ in
                told.withLock { $0.append("member") }
            } _: {
                if index % 3 == 0 { throw Broken() }
                return index
            }
        }
        _ = try await run(batch) { progress in told.withLock { $0.append("\(progress.finished) of \(progress.total)") } }
        let all = told.withLock { $0 }
        #expect(all.count { $0 == "member" } == 100)
        #expect(all.last == "100 of 100")
        #expect(all.filter { $0 != "member" } == (1...100).map { "\($0) of 100" })
        for (index, entry) in all.enumerated() where entry != "member" {
            // Members are reported before they are counted.
            #expect(all[..<index].count { $0 == "member" } >= Int(entry.prefix { $0.isNumber }) ?? 0)
        }
    }

    @Test func `the number of concurrent members does not exceed the limit`() async throws {
        let running = Mutex((now: 0, most: 0))
        let batch = Batch<Int>(concurrency: 4)
        for index in 0..<50 {
            try batch.add {
                running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                await Task.yield()
                running.withLock { $0.now -= 1 }
                return index
            }
        }
        #expect(try await run(batch).values == Array(0..<50))
        #expect(running.withLock { $0.most } <= 4)
    }

    @Test func `S1.35 a cancelled batch ends once, as cancelled, with an outcome for every member`() async throws {
        let (door, open) = AsyncStream<Void>.makeStream()
        let began = Gate()
        let batch = Batch<Int>(policy: .collectAll, concurrency: 1)
        began.open()
        try batch.add { 1 }
        try batch.add(waiting(door))
        try batch.add { 3 }
        let task = Task {
            try await batch.run { progress in
                if progress.finished == 1 { batch.cancel() }
            }
        }
        let result = try await withDeadline(.seconds(300), "the batch to end") { try await task.value }
        open.finish()
        #expect(result.isCancelled)
        #expect(result.values == [1])
        guard case .skipped = result.outcomes[2] else { throw Broken() }
    }

    @Test func `a batch cancelled before its start starts no member`() async throws {
        let batch = Batch<Int>()
        try batch.add { 1 }
        batch.cancel()
        let result = try await run(batch)
        #expect(result.isCancelled)
        #expect(result.values.isEmpty)
    }

    @Test func `S1.37 requests, batches and other work are members of one batch`() async throws {
        let server = try ScriptedServer(answering: .ok("hello"))
        let caller = try Caller()
        let inner = Batch<Int>()
        try inner.add { 7 }
        let batch = Batch<any Sendable>(policy: .collectAll)
        let ends = Mutex(0)
        try batch.add(
            any: SendMember(try .to(server.url), with: caller.client) { event in
                if case .finished = event { ends.withLock { $0 += 1 } }
            })
        try batch.add(any: NestedBatch(inner))
        try batch.add { "text" }
        let values = try await run(batch).values
        #expect((values[0] as? Exchange)?.text == "hello")
        #expect((values[1] as? BatchResult<Int>)?.values == [7])
        #expect(values[2] as? String == "text")
        #expect(ends.withLock { $0 } == 1)
    }

    /// A message that is sent through something other than HTTP.
    private struct Message: BatchMember {
        let text: String
        let pair: AsyncStream<String>.Continuation
        var identity: (any Hashable & Sendable)? { text }

        func run() async throws -> Int {
            guard text != "broken" else { throw Broken() }
            pair.yield(text)
            return text.count
        }
    }

    @Test func `S1.33 a member with the identity of another one is ignored`() async throws {
        let (stream, pair) = AsyncStream<String>.makeStream()
        let batch = Batch<Int>()
        #expect(try batch.add(Message(text: "a", pair: pair)))
        #expect(try batch.add(Message(text: "bc", pair: pair)))
        #expect(try !batch.add(Message(text: "a", pair: pair)))
        #expect(try await run(batch).values == [1, 2])
        pair.finish()
        var sent: [String] = []
        for await text in stream { sent.append(text) }
        #expect(sent.sorted() == ["a", "bc"])
        let (outer, inner) = (Batch<any Sendable>(), Batch<Int>())
        #expect(try outer.add(any: NestedBatch(inner)))
        #expect(try !outer.add(any: NestedBatch(inner)))
    }

    @Test func `S1.44 members that are no requests have the order, the limit and the outcomes of requests`() async throws {
        let server = try ScriptedServer(answering: .ok("hello"))
        let caller = try Caller()
        let (stream, pair) = AsyncStream<String>.makeStream()
        let batch = Batch<any Sendable>(policy: .collectAll, concurrency: 1)
        try batch.add(any: Message(text: "first", pair: pair))
        try batch.add(any: SendMember(try .to(server.url), with: caller.client) { event in if case .finished = event { pair.yield("request") } })
        try batch.add(any: Message(text: "broken", pair: pair))
        try batch.add(any: Message(text: "last", pair: pair))
        let result = try await run(batch)
        pair.finish()
        var order: [String] = []
        for await text in stream { order.append(text) }
        #expect(order == ["first", "request", "last"])
        #expect(result.firstFailure == 2 && result.values.count == 3)
        #expect(result.outcomes[2].error is Broken)
    }

    @Test func `S2.41 the events of each request are delivered, whatever the batch does`() async throws {
        let port = try DeadPort(.refusing)
        let server = try ScriptedServer(Script(.readRequest, .holdOpen))
        let caller = try Caller()
        let ends = Watched<[String]>([])
        let batch = Batch<Exchange>(policy: .failFast)
        for (name, url) in [("held", server.url), ("refused", port.url)] {
            try batch.add(
                SendMember(try .to(url), with: caller.client) { event in
                    if case .finished(let exchange) = event { ends.change { $0.append("\(name) \(exchange.error?.code.rawValue ?? "")") } }
                })
        }
        let result = try await run(batch)
        #expect(result.firstFailure == 1)
        #expect(ends.current.sorted() == ["held cancelled", "refused connectionRefused"])
    }
}
