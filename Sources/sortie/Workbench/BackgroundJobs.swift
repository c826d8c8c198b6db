internal import Dispatch
internal import Synchronization
internal import Workbench

/// Work beside the screen that can be stopped: each piece under the identity of its job.
final class BackgroundJobs: Sendable {
    /// Long scans run here: on the thread pool of Swift they would hold up requests.
    private let queue = DispatchQueue(label: "sortie.jobs", qos: .userInitiated, attributes: .concurrent)
    private let running = Mutex<[JobID: JobCancellation]>([:])

    /// Begins a piece of work; the work asks whether it is to end, and `end(_:)` follows it.
    func begin(_ id: JobID) -> JobCancellation {
        let cancellation = JobCancellation()
        running.withLock { $0[id] = cancellation }
        return cancellation
    }

    /// Forgets a piece of work that is over.
    func end(_ id: JobID) {
        running.withLock { $0[id] = nil }
    }

    /// Runs work in the background, unless it is stopped before it begins.
    func run(_ id: JobID, _ work: @escaping @Sendable (JobCancellation) -> Void) {
        let cancellation = begin(id)
        queue.async { [self] in
            if !cancellation.isCancelled { work(cancellation) }
            end(id)
        }
    }

    /// Runs work that is never stopped.
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

    /// Stops pieces of work; those that are over are left out.
    func cancel(_ ids: [JobID]) {
        let stopped = running.withLock { running in ids.compactMap { running.removeValue(forKey: $0) } }
        for cancellation in stopped { cancellation.cancel() }
    }

    /// Stops all.
    func cancelAll() {
        cancel(running.withLock { Array($0.keys) })
    }
}
