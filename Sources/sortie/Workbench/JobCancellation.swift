internal import Synchronization

/// The cancellation of a job: set from any thread, and checked by the work between its steps.
final class JobCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var handler: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Whether the job is cancelled.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels the job.
    func cancel() {
        let handler = state.withLock { state in
            state.isCancelled = true
            return state.handler.take()
        }
        handler?()
    }

    /// Calls `handler` on cancellation, or immediately after one.
    func onCancel(_ handler: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.handler = handler }
            return state.isCancelled
        }
        if isCancelled { handler() }
    }
}
