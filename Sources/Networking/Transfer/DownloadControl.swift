internal import Synchronization

/// What is wanted of a download while it runs, and how it hears of it, whatever it waits for.
final class DownloadControl: Sendable {
    /// What is wanted.
    enum Wish: Hashable, Sendable {
        case run
        case pause
        case cancel(keepsPart: Bool)
        case giveWay
        /// The total time limit was exceeded.
        case expire

        /// Whether it cannot be taken back.
        var isFinal: Bool { self != .run && self != .pause }
    }

    private struct State {
        var wish = Wish.run
        var isClosed = false
        /// Whether what runs was interrupted, also where that is not wanted any more.
        var isInterrupted = false
        var interrupt: (@Sendable () -> Void)?
        /// Ends a wait for a moment.
        var nudge: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// What is wanted now.
    var wish: Wish { state.withLock { $0.wish } }

    /// Wants something else; the first final wish stays.
    func want(_ wish: Wish) {
        let interrupt = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.wish.isFinal, !state.isClosed, state.wish != wish else { return nil }
            state.wish = wish
            state.isInterrupted = true
            return state.interrupt
        }
        // Never under the lock: who is interrupted may ask what is wanted.
        interrupt?()
    }

    /// Ends a wait for a moment, although that has not come.
    func wake() {
        state.withLock { $0.nudge }?()
    }

    /// Takes no more wishes, unless there is one that must be heard first; returns whether it was closed.
    func close() -> Bool {
        state.withLock { state in
            guard state.wish == .run else { return false }
            state.isClosed = true
            return true
        }
    }

    /// Does something that `interrupt` ends when something else is wanted.
    ///
    /// - Returns: what `work` gave, and whether it was interrupted: a pause that was taken back at once has ended it, too.
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

    /// Waits until something else is wanted than `wish`, until `deadline`, or until ``wake()``.
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
