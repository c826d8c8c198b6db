import Support
import Testing

@Suite(.timeLimit(.minutes(30))) struct WaitingTests {
    @Test func `a waiting task receives the change`() async throws {
        let number = Watched(0)
        async let seen = number.wait("three", within: .seconds(300)) { $0 == 3 ? "three" : nil }
        for _ in 0..<3 { number.change { $0 += 1 } }
        #expect(try await seen == "three")
    }

    @Test func `waiting ends when its task is cancelled`() async throws {
        let number = Watched(0)
        let task = Task { try await number.wait("never", within: .seconds(600)) { $0 == 1 ? 1 : nil } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a deadline that has already passed ends the wait`() async throws {
        let number = Watched(0)
        for _ in 0..<50 {
            await #expect(throws: DeadlineExceeded.self) { try await number.wait("never", within: .zero) { $0 == 1 ? 1 : nil } }
        }
    }

    @Test func `work on a new thread returns its value or its error`() async throws {
        struct Broken: Error {}
        #expect(try await onNewThread { 5 } == 5)
        await #expect(throws: Broken.self) { try await onNewThread { throw Broken() } }
    }

    @Test func `an expired deadline names the operation`() async throws {
        let error = await #expect(throws: DeadlineExceeded.self) {
            try await withDeadline(.milliseconds(10), "the long task") { try await Task.sleep(for: .seconds(600)) }
        }
        #expect(error?.what == "the long task")
        #expect(try await withDeadline(.seconds(600)) { 5 } == 5)
    }
}
