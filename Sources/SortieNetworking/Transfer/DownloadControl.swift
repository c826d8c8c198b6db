internal import Synchronization

/// Passes commands to a running download and interrupts the operation it waits for.
final class DownloadControl: Sendable {
    /// A command.
    enum Wish: Hashable, Sendable {
        case run
        case pause
        case cancel(keepsPart: Bool)
        case giveWay
        /// The total time limit was exceeded.
        case expire

        /// Whether the command cannot be revoked.
        var isFinal: Bool { self != .run && self != .pause }
    }

    private struct State {
        var wish = Wish.run
        var isClosed = false
        /// Whether the running operation was interrupted, even when the command was revoked since.
        var isInterrupted = false
        var interrupt: (@Sendable () -> Void)?
        /// Ends a wait that has a deadline.
        var nudge: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// The current command.
    var wish: Wish { state.withLock { $0.wish } }

    /// Sets the command; the first final command cannot be replaced.
    func want(_ wish: Wish) {
        let interrupt = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.wish.isFinal, !state.isClosed, state.wish != wish else { return nil }
            state.wish = wish
            state.isInterrupted = true
            return state.interrupt
        }
        // Called outside the lock, because `interrupt` may read the command.
        interrupt?()
    }

    /// Ends a wait before its deadline.
    func wake() {
        state.withLock { $0.nudge }?()
    }

    /// Stops accepting commands unless one is pending; returns whether it did.
    func close() -> Bool {
        state.withLock { state in
            guard state.wish == .run else { return false }
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
            state.isInterrupted = state.wish != .run
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

    /// Waits until the command differs from `wish`, until `deadline`, or until ``wake()``.
    func wait(while wish: Wish, until deadline: UInt64? = nil) async {
        let alarm = Alarms.ID()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let answer = FirstAnswer(continuation)
            let isLate = state.withLock { state in
                state.interrupt = { answer.give(()) }
                state.nudge = deadline == nil ? nil : state.interrupt
                return state.wish != wish
            }
            if isLate { answer.give(()) }
            if let deadline { Engine.post { Alarms.shared.set(alarm, at: deadline) { answer.give(()) } } }
        }
        if deadline != nil { Engine.post { Alarms.shared.cancel(alarm) } }
        state.withLock { state in
            state.interrupt = nil
            state.nudge = nil
        }
    }
}
