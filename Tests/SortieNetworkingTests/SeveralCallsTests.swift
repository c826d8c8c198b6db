import SortieClassic
import Support
import Testing

@testable import SortieNetworking

/// Tests closures, delegate, events and members of batches and chains, and the limit of a chain's restarts (S2.64).
struct SeveralCallsTests {
    private struct Broken: Error, CustomStringConvertible { var description: String { "broken" } }

    private func withLimit<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withDeadline(.seconds(300), "the work to end", work)
    }

    // MARK: Batches

    @Test func `S2.64 a batch reports its start, progress and success to closures, then to its delegate`() async throws {
        let batch = Batch<Int>(concurrency: 1)
        for number in 1...2 { try batch.add { number } }
        let listener = LifecycleListener()
        let result = try await withLimit {
            try await batch.run(callbacks: listener.callbacks("closure ") { "\($0.finished)/\($0.total)" }, delegate: listener)
        }
        #expect(result.values == [1, 2])
        let heard = listener.heard.current
        #expect(
            heard.filter { !$0.contains("1/2") } == [
                "closure willStart", "delegate willStart", "closure 2/2", "delegate 2/2", "closure willStop", "delegate willStop", "closure success",
                "delegate success", "closure didStop", "delegate didStop",
            ])
    }

    @Test func `S2.64 a batch with a failure reports the error of the member that failed first`() async throws {
        let batch = Batch<Int>(policy: .collectAll, concurrency: 1)
        try batch.add { 1 }
        try batch.add { throw Broken() }
        let listener = LifecycleListener()
        let result = try await withLimit { try await batch.run(delegate: listener) }
        #expect(result.error is Broken)
        #expect(listener.heard.current.suffix(3) == ["delegate willStop", "delegate failure broken", "delegate didStop"])
    }

    @Test func `S2.64 a cancelled batch fails as cancelled`() async throws {
        let batch = Batch<Int>()
        try batch.add { 1 }
        batch.cancel()
        let listener = LifecycleListener()
        _ = try await withLimit { try await batch.run(delegate: listener) }
        #expect(listener.heard.current.contains("delegate failure \(BatchError.cancelled)"))
        #expect(batch.members == [.skipped])
    }

    @Test func `S2.64 the members of a batch can be read while it runs`() async throws {
        let batch = Batch<Int>(policy: .collectAll, concurrency: 1)
        let (door, open) = AsyncStream<Void>.makeStream()
        try batch.add { 1 }
        try batch.add { throw Broken() }
        try batch.add {
            for await _ in door {}
            return 3
        }
        try batch.add { 4 }
        #expect(batch.members == [.waiting, .waiting, .waiting, .waiting])
        let events = batch.events()
        let run = Task { try await withLimit { try await batch.run() } }
        try await withLimit {
            for await case .memberStarted(2) in events { return }
        }
        #expect(batch.members == [.succeeded, .failed, .running, .waiting])
        open.finish()
        _ = try await run.value
        #expect(batch.members == [.succeeded, .failed, .succeeded, .succeeded])
    }

    @Test func `S2.64 the events of a batch arrive in order and end with the result`() async throws {
        let batch = Batch<Int>(policy: .collectAll, concurrency: 1)
        try batch.add { 1 }
        try batch.add { throw Broken() }
        let events = batch.events()
        _ = try await withLimit { try await batch.run() }
        let texts = try await withLimit {
            var texts: [String] = []
            for await event in events {
                switch event {
                case .started(let total): texts.append("started \(total)")
                case .memberStarted(let index): texts.append("member \(index)")
                case .memberEnded(let index, let outcome): texts.append("ended \(index) \(outcome.memberState)")
                case .progressed(let progress): texts.append("\(progress.finished)/\(progress.total)")
                case .finished(let result): texts.append("finished \(result.values)")
                }
            }
            return texts
        }
        #expect(
            texts == [
                "started 2", "member 0", "ended 0 succeeded", "1/2", "member 1", "ended 1 failed", "2/2", "finished [1]",
            ])
        #expect(try await withLimit { await batch.events().first { _ in true } } == nil, "an ended batch has no events")
    }

    // MARK: Chains

    @Test func `S2.64 each run of a chain reports to its closures, then to its delegate`() async throws {
        let (chain, attempts) = (Chain<Int>(), Watched<Int>(0))
        try chain.add { _ in 1 }
        try chain.add { results in
            attempts.change { $0 += 1 }
            if attempts.current == 1 { throw Broken() }
            return results[0] + 1
        }
        #expect(chain.steps == [.waiting, .waiting])
        let listener = LifecycleListener()
        let progress: @Sendable (BatchProgress) -> String = { "\($0.finished)/\($0.total)" }
        #expect(
            try await withLimit { await chain.run(callbacks: listener.callbacks("closure ", progress: progress), delegate: listener) } == .failed(1))
        #expect(chain.steps == [.succeeded, .failed])
        let first = [
            "closure willStart", "delegate willStart", "closure 1/2", "delegate 1/2", "closure willStop", "delegate willStop",
            "closure failure broken", "delegate failure broken", "closure didStop", "delegate didStop",
        ]
        #expect(listener.heard.current == first)
        #expect(
            try await withLimit { await chain.run(callbacks: listener.callbacks("closure ", progress: progress), delegate: listener) } == .finished)
        #expect(chain.steps == [.succeeded, .succeeded])
        #expect(
            listener.heard.current.dropFirst(first.count) == [
                "closure willStart", "delegate willStart", "closure 2/2", "delegate 2/2", "closure willStop", "delegate willStop",
                "closure success", "delegate success", "closure didStop", "delegate didStop",
            ])
    }

    @Test func `S2.64 the events of a run of a chain arrive in order and end with its state`() async throws {
        let chain = Chain<Int>()
        try chain.add { _ in 1 }
        try chain.add { _ in throw Broken() }
        let events = chain.events()
        _ = try await withLimit { await chain.run() }
        let texts = try await withLimit {
            var texts: [String] = []
            for await event in events {
                switch event {
                case .started(let index): texts.append("started \(index)")
                case .stepStarted(let index): texts.append("step \(index)")
                case .stepEnded(let index, let value): texts.append("ended \(index) \(value)")
                case .progressed(let progress): texts.append("progress \(progress.finished)/\(progress.total)")
                case .finished(let state): texts.append("finished \(state)")
                }
            }
            return texts
        }
        #expect(texts == ["started 0", "step 0", "ended 0 1", "progress 1/2", "step 1", "finished failed(1)"])
    }

    @Test func `S2.64 a stopped chain fails as stopped`() async throws {
        let chain = Chain<Int>()
        try chain.add { [weak chain] _ in
            chain?.stop()
            return 1
        }
        let listener = LifecycleListener()
        #expect(try await withLimit { await chain.run(delegate: listener) } == .cancelled)
        #expect(listener.heard.current.suffix(3) == ["delegate willStop", "delegate failure \(ChainError.stopped)", "delegate didStop"])
    }

    @Test(arguments: [false, true])
    func `S2.64 a chain that is stopped while it does not run ends its events`(hasFailed: Bool) async throws {
        let chain = Chain<Int>()
        try chain.add { _ in throw Broken() }
        if hasFailed { _ = try await withLimit { await chain.run() } }
        let events = chain.events()
        chain.stop()
        let ends = try await withLimit {
            var ends: [Chain<Int>.State] = []
            for await case .finished(let state) in events { ends.append(state) }
            return ends
        }
        #expect(ends == [.cancelled])
        #expect(try await withLimit { await chain.events().first { _ in true } } == nil, "a stopped chain has no events")
    }

    @Test func `S2.64 a chain restarts at most as often as its limit permits`() async throws {
        let (chain, attempts) = (Chain<Int>(restartLimit: 2), Watched<Int>(0))
        try chain.add { _ in
            attempts.change { $0 += 1 }
            throw Broken()
        }
        for run in 1...4 {
            #expect(try await withLimit { await chain.run() } == .failed(0))
            #expect(attempts.current == min(run, 3))
        }
        #expect(chain.restarts == 2)
        #expect(chain.error is Broken)
    }
}
