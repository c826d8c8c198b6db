internal import DequeModule
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The threads for work that blocks: reading, writing and syncing files, SQLite, searching and comparing large bodies.
///
/// Swift's shared thread pool has one thread per processor, and every request needs it. A task with this executor as its preference runs on these
/// threads instead. Work that waits for a user or for a process must not use them, because their number is limited.
package final class BlockingExecutor: TaskExecutor {
    /// The executor of the process; it starts no thread before its first use.
    package static let shared = BlockingExecutor(limit: 8)

    /// The stack size of a thread in bytes; deep JSON and YAML documents are read recursively.
    private static let stackSize = 4 << 20

    private struct State {
        var jobs: Deque<UnownedJob> = []
        var threads = 0
        /// The number of threads that wait for a job.
        var idle = 0
    }

    private let limit: Int
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameter limit: The maximum number of threads.
    init(limit: Int) {
        self.limit = limit
    }

    /// Runs a job on one of the threads, in the order of submission.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            guard state.jobs.count > state.idle, state.threads < limit else { return false }
            state.threads += 1
            return true
        }
        wake.signal()
        if needsThread { startThread() }
    }

    /// Starts a task that runs on these threads.
    package func start(_ work: sending @escaping () async -> Void) {
        Task(executorPreference: self, operation: work)
    }

    /// Runs work on one of the threads.
    package func run<Value: Sendable, Failure: Error>(_ work: @Sendable () throws(Failure) -> Value) async throws(Failure) -> Value {
        try await withTaskExecutorPreference(self) { () async throws(Failure) -> Value in try work() }
    }

    private func startThread() {
        guard SystemThread.start("sortie-blocking", stackSize: Self.stackSize, { self.serve() }) != 0 else { return }
        // The system has no thread left; Dispatch retries.
        DispatchQueue.global().async { self.serve() }
    }

    private func serve() {
        let executor = asUnownedTaskExecutor()
        while true {
            state.withLock { $0.idle += 1 }
            wake.wait()
            let job = state.withLock { state in
                state.idle -= 1
                return state.jobs.popFirst()
            }
            job?.runSynchronously(on: executor)
        }
    }
}
