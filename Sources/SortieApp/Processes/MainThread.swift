internal import Dispatch
internal import SortieNetworking
internal import Synchronization

/// The main thread, which does not belong to Swift's shared thread pool: the workbench's loop runs on it.
enum MainThread {
    private final class Outcome<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>>(.failure(CancellationError()))
    }

    /// Runs asynchronous work and blocks the main thread, or the thread of a dispatch queue, until it has ended.
    ///
    /// The work runs on the blocking executor, so it may read files and write to a slow pipe.
    static func wait<Value: Sendable>(for work: sending @escaping () async throws -> Value) throws -> Value {
        let (outcome, ended) = (Outcome<Value>(), DispatchSemaphore(value: 0))
        Task(executorPreference: BlockingExecutor.shared) {
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            outcome.result.withLock { $0 = result }
            ended.signal()
        }
        ended.wait()
        return try outcome.result.withLock { $0 }.get()
    }
}
