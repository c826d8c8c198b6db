internal import SortieHTTP
internal import Synchronization

/// The state of a running download; passes commands to it, and interrupts the operation it waits for.
final class DownloadControl: Sendable {
    private struct State {
        var machine = TransferMachine()
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
    var command: TransferCommand { state.withLock { $0.machine.command } }

    /// The current state.
    var current: TransferState { state.withLock { $0.machine.state } }

    /// Sets the command, unless a final one was set or the file is being renamed.
    func want(_ command: TransferCommand) {
        let interrupt = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.machine.apply(.commanded(command)) else { return nil }
            state.isInterrupted = true
            return state.interrupt
        }
        // Called outside the lock, because `interrupt` may read the command.
        interrupt?()
    }

    /// Changes the state; returns false where the machine refuses `next`.
    ///
    /// - Parameter isCertain: Whether only a command may be the reason for a refusal. A missing transition is then an error of the program, which does
    ///   not keep a download from ending.
    func enter(_ next: TransferState, isCertain: Bool) -> Bool {
        state.withLock { state in
            let previous = state.machine.state
            if state.machine.apply(.entered(next)) { return true }
            guard isCertain, !previous.mayBecome(next) else { return false }
            assertionFailure("a download that is \(previous) became \(next)")
            return state.machine.apply(.reported(next))
        }
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

    /// Runs `work`, and calls `interrupt` when a command arrives.
    ///
    /// - Returns: The value of `work`, and whether it was interrupted. A pause that was revoked at once counts as an interruption.
    func run<Value>(interrupt: @escaping @Sendable () -> Void, _ work: () async -> Value) async -> (value: Value, isInterrupted: Bool) {
        let isLate = state.withLock { state in
            state.interrupt = interrupt
            state.isInterrupted = state.machine.command != .run
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
    func wait(while command: TransferCommand, until deadline: UInt64? = nil) async {
        let alarm = TimerQueue.ID()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let first = FirstResponse(continuation)
            let isLate = state.withLock { state in
                state.interrupt = { first.give(()) }
                state.nudge = deadline == nil ? nil : state.interrupt
                return state.machine.command != command || deadline != nil && state.isAwake
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
