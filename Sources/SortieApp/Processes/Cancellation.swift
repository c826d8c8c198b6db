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

    /// Blocks until the descriptor is readable; false when the work is cancelled or the time is over before.
    func waitForInput(on descriptor: Int32, until end: ContinuousClock.Instant? = nil) -> Bool {
        while !isCancelled, end.map({ .now < $0 }) ?? true {
            var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // The timeout is short, because a signal handler may cancel and cannot wake this call through a descriptor.
            if poll(&waited, 1, 100) > 0 { return true }
        }
        return false
    }
}

/// Returns the result of an operation, or nil when it takes longer than `limit`.
///
/// An operation that takes longer is cancelled and waited for, so that its process has ended afterwards.
func withDeadline<Result: Sendable>(_ limit: Duration, _ operation: @escaping @Sendable () async -> Result) async -> Result? {
    await withTaskGroup(of: Result?.self) { group in
        group.addTask { await operation() }
        group.addTask {
            // A cancelled sleep ends the wait as well.
            do { try await Task.sleep(for: limit) } catch { return nil }
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}
