internal import Dispatch
internal import Synchronization
internal import Workbench

/// Cancellable background work, by job.
final class BackgroundJobs: Sendable {
    /// The queue of long scans, which would block requests on Swift's thread pool.
    private let queue = DispatchQueue(label: "sortie.jobs", qos: .userInitiated, attributes: .concurrent)
    private let running = Mutex<[JobID: JobCancellation]>([:])

    /// Registers a job.
    ///
    /// The work checks the cancellation, and calls ``end(_:)`` when it is done.
    func begin(_ id: JobID) -> JobCancellation {
        let cancellation = JobCancellation()
        running.withLock { $0[id] = cancellation }
        return cancellation
    }

    /// Removes an ended job.
    func end(_ id: JobID) {
        running.withLock { $0[id] = nil }
    }

    /// Runs work in the background, unless it is cancelled before it starts.
    func run(_ id: JobID, _ work: @escaping @Sendable (JobCancellation) -> Void) {
        let cancellation = begin(id)
        queue.async { [self] in
            if !cancellation.isCancelled { work(cancellation) }
            end(id)
        }
    }

    /// Runs work that is not cancelled.
    func run(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Runs asynchronous work as a task that is cancelled with its job.
    func runTask(_ id: JobID, _ work: @escaping @Sendable () async -> Void) {
        let cancellation = begin(id)
        let task = Task { [self] in
            await work()
            end(id)
        }
        cancellation.onCancel { task.cancel() }
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
