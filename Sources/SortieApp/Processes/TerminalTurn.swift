internal import Synchronization

/// The turn to prompt on the terminal: one task at a time has it, so that prompts are displayed one after the other.
final class TerminalTurn: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [Latch] = []
    }

    private let state = Mutex(State())

    /// Waits for the turn; callers get it in the order of their calls.
    func take() async {
        let latch = state.withLock { state -> Latch? in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            let latch = Latch()
            state.waiting.append(latch)
            return latch
        }
        await latch?.wait()
    }

    /// Passes the turn on.
    func end() {
        let next = state.withLock { state -> Latch? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.open()
    }
}
