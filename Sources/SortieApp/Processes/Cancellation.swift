internal import Glibc
internal import Synchronization

/// Notifies work on other threads that its result is not needed any more.
final class Cancellation: Sendable {
    private struct State {
        var isCancelled = false
        var handlers: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels the work; a second call does nothing.
    func cancel() {
        let handlers = state.withLock { state in
            state.isCancelled = true
            defer { state.handlers = [] }
            return state.handlers
        }
        for handler in handlers { handler() }
    }

    /// Calls `handler` once, on the thread that cancels, or immediately after a cancellation.
    func whenCancelled(_ handler: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.isCancelled { state.handlers.append(handler) }
            return state.isCancelled
        }
        if isLate { handler() }
    }

    /// Blocks until the descriptor is readable; false when the work is cancelled before.
    func waitForInput(on descriptor: Int32) -> Bool {
        while !isCancelled {
            var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // The timeout is short, because a signal handler may cancel and cannot wake this call through a descriptor.
            if poll(&waited, 1, 100) > 0 { return true }
        }
        return false
    }
}
