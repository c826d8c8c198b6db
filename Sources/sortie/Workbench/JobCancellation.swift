internal import Synchronization

/// Whether a piece of work is to end: set from any thread, asked by the work between its steps.
final class JobCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var handler: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Whether the work is to end.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Asks the work to end.
    func cancel() {
        let handler = state.withLock { state in
            state.isCancelled = true
            return state.handler.take()
        }
        handler?()
    }

    /// Calls `handler` when the work is to end; at once where it is already.
    func onCancel(_ handler: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.handler = handler }
            return state.isCancelled
        }
        if isCancelled { handler() }
    }
}
