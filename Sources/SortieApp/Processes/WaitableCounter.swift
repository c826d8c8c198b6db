internal import Synchronization

/// A count that is increased and decreased, and tasks that wait until it is at most a limit.
final class WaitableCounter: Sendable {
    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    func add(_ count: Int = 1) { state.withLock { $0.count += count } }

    /// Subtracts from the count; tasks that wait continue at half of the limit, so that they do not alternate with it.
    func subtract(_ count: Int = 1) {
        let waiting = state.withLock { state in
            state.count -= count
            return state.count <= limit / 2 ? Swift.exchange(&state.waiting, with: []) : []
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when the count is at most the limit.
    func wait() async {
        await withCheckedContinuation { continuation in
            let hasRoom = state.withLock { state in
                if state.count > limit { state.waiting.append(continuation) }
                return state.count <= limit
            }
            if hasRoom { continuation.resume() }
        }
    }
}
