internal import SortieNetworking
internal import SortieWorkbench
internal import Synchronization

/// Cancellable background work, by job.
final class BackgroundJobs: Sendable {
    private let running = Mutex<[JobID: Cancellation]>([:])

    /// Registers a job.
    ///
    /// The work checks the cancellation, and calls ``end(_:)`` when it is done.
    func begin(_ id: JobID) -> Cancellation {
        let cancellation = Cancellation()
        running.withLock { $0[id] = cancellation }
        return cancellation
    }

    /// Removes an ended job.
    func end(_ id: JobID) {
        running.withLock { $0[id] = nil }
    }

    /// Runs work on the blocking executor, unless it is cancelled before it starts; its task is cancelled with the job.
    func run(_ id: JobID, _ work: @escaping @Sendable (Cancellation) async -> Void) {
        let cancellation = begin(id)
        let task = Task(executorPreference: BlockingExecutor.shared) { [self] in
            if !cancellation.isCancelled { await work(cancellation) }
            end(id)
        }
        cancellation.whenCancelled { task.cancel() }
    }

    /// Cancels jobs; ended ones are ignored.
    func cancel(_ ids: [JobID]) {
        let stopped = running.withLock { running in ids.compactMap { running.removeValue(forKey: $0) } }
        for cancellation in stopped { cancellation.cancel() }
    }

    /// Cancels all jobs.
    func cancelAll() {
        cancel(running.withLock { Array($0.keys) })
    }
}
