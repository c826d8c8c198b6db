import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests steps built from earlier results, and restarts at a failed step (S2.44–S2.46).
struct ChainTests {
    private struct Broken: Error {}

    private func run<Value>(_ chain: Chain<Value>) async throws -> Chain<Value>.State {
        try await withDeadline(.seconds(300), "the chain to stand still") { await chain.run() }
    }

    @Test func `S2.44 each step is built from the results before it`() async throws {
        let chain = Chain<[Int]>()
        for number in 1...3 { try chain.add { results in (results.last ?? []) + [number] } }
        #expect(chain.state == .idle)
        #expect(try await run(chain) == .finished)
        #expect(chain.results.last == [1, 2, 3])
    }

    @Test func `S2.44 a step may add further steps`() async throws {
        let chain = Chain<Int>()
        try chain.add { _ in
            try chain.add { $0[0] + 1 }
            return 1
        }
        #expect(try await run(chain) == .finished)
        #expect(chain.results == [1, 2])
        #expect(throws: ChainError.ended) { try chain.add { _ in 3 } }
    }

    @Test func `S2.45 a failure keeps completed steps, and the next run starts at the failed step`() async throws {
        let begun = Mutex<[Int]>([])
        let chain = Chain<Int>()
        for index in 0..<3 {
            try chain.add { _ in
                let attempts = begun.withLock { begun in
                    begun.append(index)
                    return begun.count { $0 == index }
                }
                if index == 1, attempts < 3 { throw Broken() }
                return index
            }
        }
        #expect(try await run(chain) == .failed(1))
        #expect(chain.results == [0])
        #expect(chain.error is Broken)
        #expect(try await run(chain) == .failed(1))
        #expect(try await run(chain) == .finished)
        #expect(begun.withLock { $0 } == [0, 1, 1, 1, 2])
        #expect(chain.results == [0, 1, 2])
    }

    @Test func `S2.46 a step that fails immediately leaves the chain failed, not running`() async throws {
        let chain = Chain<Int>()
        let seen = Mutex<Chain<Int>.State?>(nil)
        try chain.add { _ in
            seen.withLock { $0 = chain.state }
            throw Broken()
        }
        #expect(try await run(chain) == .failed(0))
        #expect(seen.withLock { $0 } == .running(0))
        #expect(chain.state == .failed(0))
    }

    @Test(arguments: [0, 1, 2])
    func `S2.46 stop ends only the running step`(index: Int) async throws {
        let began = Watched(0)
        let cancelled = Watched<[Int]>([])
        let chain = Chain<Int>()
        for step in 0..<3 {
            try chain.add { _ in
                began.change { $0 += 1 }
                guard step == index else { return step }
                do { try await Task.sleep(for: .seconds(60)) } catch {
                    cancelled.change { $0.append(step) }
                    throw error
                }
                return step
            }
        }
        let task = Task { await chain.run() }
        try await began.wait("step \(index)", within: .seconds(300), describe: { "\($0)" }) { $0 == index + 1 ? () : nil }
        chain.stop()
        #expect(try await withDeadline(.seconds(300), "the chain to stop") { await task.value } == .cancelled)
        #expect(cancelled.current == [index])
        #expect(began.current == index + 1)
        #expect(chain.results == Array(0..<index))
    }

    @Test func `S2.46 a stopped chain has no steps left to run`() async throws {
        let chain = Chain<Int>()
        try chain.add { _ in 1 }
        chain.stop()
        chain.stop()
        #expect(try await run(chain) == .cancelled)
        #expect(chain.results.isEmpty)
    }

    @Test func `cancelling the task stops the chain`() async throws {
        let gate = Watched(false)
        let chain = Chain<Int>()
        try chain.add { _ in
            gate.change { $0 = true }
            try await Task.sleep(for: .seconds(60))
            return 1
        }
        let task = Task { await chain.run() }
        try await gate.wait("the step", within: .seconds(300), describe: { "\($0)" }) { $0 ? () : nil }
        task.cancel()
        #expect(try await withDeadline(.seconds(300), "the chain to stop") { await task.value } == .cancelled)
    }

    @Test func `a chain continues after results of another process`() async throws {
        let chain = Chain<Int>(resumingAfter: [10])
        try chain.add { _ in throw Broken() }
        try chain.add { $0[0] + 1 }
        #expect(try await run(chain) == .finished)
        #expect(chain.results == [10, 11])
    }
}
