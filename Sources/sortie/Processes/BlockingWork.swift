internal import Foundation
internal import Synchronization

/// Runs work that blocks on processes, files or the user on its own threads, so that Swift's cooperative threads stay available for
/// requests.
///
/// There is a thread for each piece of blocked work; up to four idle threads are kept.
final class BlockingWork: Sendable {
    static let shared = BlockingWork()

    private static let idleLimit = 4

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var idle = 0
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// Runs `work` on a thread that may block.
    func start(_ work: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.waiting.append(work)
            return state.waiting.count > state.idle
        }
        if needsThread { Thread.detachNewThread { [self] in serve() } }
        wake.signal()
    }

    /// Runs `work` on a thread that may block, and returns its result.
    func run<Value: Sendable, Failure: Error>(_ work: @escaping @Sendable () throws(Failure) -> Value) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            start { continuation.resume(returning: Result { () throws(Failure) in try work() }) }
        }
        return try result.get()
    }

    /// Runs pieces of work one after the other; ends when there are enough idle threads.
    private func serve() {
        while true {
            let mayStay = state.withLock { state in
                guard state.idle < Self.idleLimit || !state.waiting.isEmpty else { return false }
                state.idle += 1
                return true
            }
            guard mayStay else { return }
            wake.wait()
            let work = state.withLock { state in
                state.idle -= 1
                return state.waiting.removeFirst()
            }
            work()
        }
    }
}
