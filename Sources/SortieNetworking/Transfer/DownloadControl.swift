internal import Synchronization

/// Passes commands to a running download and interrupts the operation it waits for.
final class DownloadControl: Sendable {
    /// A command.
    enum Wish: Hashable, Sendable {
        case run
        case pause
        case cancel(keepsPart: Bool)
        case supersede
        /// The total time limit was exceeded.
        case expire

        /// Whether the command cannot be revoked.
        var isFinal: Bool { self != .run && self != .pause }
    }

    private struct State {
        var command = Wish.run
        var isClosed = false
        /// Whether the running operation was interrupted, even when the command was revoked since.
        var isInterrupted = false
        var interrupt: (@Sendable () -> Void)?
        /// Ends a wait that has a deadline.
        var nudge: (@Sendable () -> Void)?
        /// Whether ``DownloadControl/wake()`` was called since the wait was announced.
        var isAwake = false
    }

    private let state = Mutex(State())

    /// The current command.
    var command: Wish { state.withLock { $0.command } }

    /// Sets the command; the first final command cannot be replaced.
    func want(_ command: Wish) {
        let interrupt = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.command.isFinal, !state.isClosed, state.command != command else { return nil }
            state.command = command
            state.isInterrupted = true
            return state.interrupt
        }
        // Called outside the lock, because `interrupt` may read the command.
        interrupt?()
    }

    /// Announces a wait with a deadline, before it is reported.
    ///
    /// A ``wake()`` from now on ends the wait, also when it arrives before the wait begins.
    func prepareWait() {
        state.withLock { $0.isAwake = false }
    }

    /// Ends a wait before its deadline.
    func wake() {
        let nudge = state.withLock { state in
            state.isAwake = true
            return state.nudge
        }
        nudge?()
    }

    /// Stops accepting commands unless one is pending; returns whether it did.
    func close() -> Bool {
        state.withLock { state in
            guard state.command == .run else { return false }
            state.isClosed = true
            return true
        }
    }

    /// Runs `work`, and calls `interrupt` when a command arrives.
    ///
    /// - Returns: The value of `work`, and whether it was interrupted. A pause that was revoked at once counts as an interruption.
    func run<Value>(interrupt: @escaping @Sendable () -> Void, _ work: () async -> Value) async -> (value: Value, isInterrupted: Bool) {
        let isLate = state.withLock { state in
            state.interrupt = interrupt
            state.isInterrupted = state.command != .run
            return state.isInterrupted
        }
        if isLate { interrupt() }
        let value = await work()
        let isInterrupted = state.withLock { state in
            state.interrupt = nil
            return state.isInterrupted
        }
        return (value, isInterrupted)
    }

    /// Waits until the command differs from `command`, until `deadline`, or until ``wake()`` after the last ``prepareWait()``.
    func wait(while command: Wish, until deadline: UInt64? = nil) async {
        let alarm = TimerQueue.ID()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let first = FirstResponse(continuation)
            let isLate = state.withLock { state in
                state.interrupt = { first.give(()) }
                state.nudge = deadline == nil ? nil : state.interrupt
                return state.command != command || deadline != nil && state.isAwake
            }
            if isLate { first.give(()) }
            if let deadline { Engine.post { TimerQueue.shared.set(alarm, at: deadline) { first.give(()) } } }
        }
        if deadline != nil { Engine.post { TimerQueue.shared.cancel(alarm) } }
        state.withLock { state in
            state.interrupt = nil
            state.nudge = nil
        }
    }
}
