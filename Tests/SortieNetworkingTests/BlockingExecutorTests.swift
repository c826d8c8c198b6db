import Foundation
import Support
import Testing

@testable import SortieNetworking

/// The threads for blocking work, beside which requests proceed.
@Suite(.serialized)
struct BlockingExecutorTests {
    /// The name of the thread that calls this.
    private static var threadName: String {
        do { return try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8).trimmingCharacters(in: .newlines) } catch {
            return "\(error)"
        }
    }

    /// Functions without isolation follow the preference of their task.
    private static func threadNameAsynchronously() async -> String { threadName }

    private struct Failure: Error, Equatable {}

    @Test func `work runs on its threads and returns its value or its error`() async {
        #expect(await BlockingExecutor.shared.run { Self.threadName } == "sortie-blocking")
        await #expect(throws: Failure()) { try await BlockingExecutor.shared.run { () throws(Failure) in throw Failure() } }
        #expect(Self.threadName != "sortie-blocking")
    }

    @Test func `a task with the executor as its preference stays on its threads`() async {
        let name = await Task(executorPreference: BlockingExecutor.shared) {
            await Task.yield()
            return await Self.threadNameAsynchronously()
        }.value
        #expect(name == "sortie-blocking")
    }

    @Test func `work that is cancelled meanwhile can find that out`() async {
        let task = Task {
            await BlockingExecutor.shared.run {
                while !Task.isCancelled { sched_yield() }
                return true
            }
        }
        task.cancel()
        #expect(await task.value)
    }

    @Test func `it has no more threads than its limit, and further work waits for one`() async throws {
        let executor = BlockingExecutor(limit: 2)
        let started = Watched(0)
        let isReleased = Watched(false)
        let tasks = (1...5).map { _ in
            Task {
                await executor.run {
                    started.change { $0 += 1 }
                    isReleased.block(within: .seconds(300)) { $0 }
                }
            }
        }
        _ = try await started.wait("two pieces of work to start", within: .seconds(300)) { $0 == 2 ? true : nil }
        // Both threads are blocked, so a third piece could only have started on a third thread.
        for _ in 1...20 { await Task.yield() }
        #expect(started.current == 2)
        isReleased.change { $0 = true }
        for task in tasks { await task.value }
        #expect(started.current == 5)
    }

    /// Starts more work than there are threads, and returns when each thread has some.
    private func occupy(_ work: @escaping @Sendable () -> Void) async throws -> [Task<Void, Never>] {
        let started = Watched(0)
        let tasks = (1...12).map { _ in
            Task {
                await BlockingExecutor.shared.run {
                    started.change { $0 += 1 }
                    work()
                }
            }
        }
        _ = try await started.wait("every thread to be occupied", within: .seconds(300)) { $0 >= 8 ? true : nil }
        return tasks
    }

    private func send100() async throws {
        let caller = try Caller()
        let server = try ScriptedServer { _ in .ok("fine") }
        try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 1...100 {
                group.addTask {
                    let exchange = try await caller.get("\(server.url)/\(number)")
                    return exchange.text
                }
            }
            for try await text in group { #expect(text == "fine") }
        }
        #expect(server.requests.count == 100)
    }

    // Both in a separate process, because downloads, caches and bodies of other tests would wait for the threads.

    @Test func `100 requests end while every thread waits for a slow disk`() async {
        await #expect(processExitsWith: .success) {
            let tests = BlockingExecutorTests()
            let disk = Watched(false)
            let tasks = try await tests.occupy { disk.block(within: .seconds(300)) { $0 } }
            try await tests.send100()
            disk.change { $0 = true }
            for task in tasks { await task.value }
        }
    }

    @Test func `100 requests end while every thread searches a large body`() async {
        await #expect(processExitsWith: .success) {
            let tests = BlockingExecutorTests()
            let body = [UInt8](repeating: 0x61, count: 1 << 20)
            let isEnough = Watched(false)
            let tasks = try await tests.occupy {
                while !isEnough.current, body.firstIndex(of: 0x62) == nil {}
            }
            try await tests.send100()
            isEnough.change { $0 = true }
            for task in tasks { await task.value }
        }
    }
}
