internal import Synchronization

/// Counts the events of a run that are not printed yet, so that the run waits for a slow reader of stdout.
final class EventBacklog: Sendable {
    private static let limit = 1000

    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Counts an event that is to be printed.
    func add() { state.withLock { $0.count += 1 } }

    /// Counts a printed event.
    func remove() {
        let waiting = state.withLock { state in
            state.count -= 1
            guard state.count <= Self.limit / 2 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when the number is below the limit.
    func waitForRoom() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let hasRoom = state.withLock { state in
                if state.count > Self.limit { state.waiting.append(continuation) }
                return state.count <= Self.limit
            }
            if hasRoom { continuation.resume() }
        }
    }
}
