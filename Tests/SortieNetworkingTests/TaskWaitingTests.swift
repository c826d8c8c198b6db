import Support
import Testing

@testable import SortieNetworking

/// Tests waits for a task that others may wait for, too.
@Suite struct TaskWaitingTests {
    @Test func `a cancelled wait ends, and the task continues for others`() async throws {
        let gate = Watched(false)
        let task = Task { () async -> Int in
            do { try await gate.wait("the gate", within: .seconds(300)) { $0 ? () : nil } } catch { return 0 }
            return 7
        }
        let first = Task { await task.valueUnlessCancelled() ?? -1 }
        let second = Task { await task.valueUnlessCancelled() ?? -1 }
        first.cancel()
        #expect(try await withDeadline(.seconds(300), "the cancelled wait") { await first.value } == -1)
        gate.change { $0 = true }
        #expect(try await withDeadline(.seconds(300), "the other wait") { await second.value } == 7)
    }
}
