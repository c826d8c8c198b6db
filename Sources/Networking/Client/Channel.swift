internal import DequeModule
internal import Model
internal import Synchronization

/// The way of one service's requests: how many at once, and in which order the others wait (S4.6, S4.7).
final class Channel: Sendable {
    /// How many requests may be in flight.
    let limit: Int
    private let state = Mutex(State())

    private struct Waiter {
        let call: RequestID
        let admit: @Sendable () -> Void
    }

    private struct State {
        var inFlight = 0
        /// Those who wait, by priority.
        var waiting: [Deque<Waiter>] = [[], [], []]
    }

    /// The limit where nothing says another.
    static let defaultLimit = 64

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Whether a request may go at once; it then counts as in flight.
    func tryAdmit() -> Bool {
        state.withLock { state in
            guard state.inFlight < limit else { return false }
            state.inFlight += 1
            return true
        }
    }

    /// How things stand, in words.
    var situation: String {
        state.withLock { state in
            let waiting = state.waiting.reduce(0) { $0 + $1.count }
            return "\(state.inFlight) of \(limit) requests of the channel are in flight, \(waiting) wait"
        }
    }

    /// Calls `admit` when it is `call`'s turn: higher priorities first, first come first served among equals.
    func wait(_ call: RequestID, priority: RequestOptions.Priority, admit: @escaping @Sendable () -> Void) {
        let mayGo = state.withLock { state in
            // Somebody may have left since the caller looked.
            guard state.inFlight < limit else {
                state.waiting[priority.rawValue].append(Waiter(call: call, admit: admit))
                return false
            }
            state.inFlight += 1
            return true
        }
        if mayGo { admit() }
    }

    /// A call gives up: it waits no longer, or gives back the place that it was given in the same moment.
    func leave(_ call: RequestID) {
        let wasWaiting = state.withLock { state in
            for index in state.waiting.indices {
                guard let place = state.waiting[index].firstIndex(where: { $0.call == call }) else { continue }
                state.waiting[index].remove(at: place)
                return true
            }
            return false
        }
        if !wasWaiting { release() }
    }

    /// Ends one request in flight and admits the next.
    func release() {
        let next = state.withLock { state -> Waiter? in
            for index in state.waiting.indices.reversed() {
                if let next = state.waiting[index].popFirst() { return next }
            }
            state.inFlight -= 1
            return nil
        }
        // The place passes on; called outside the lock, because it runs somebody else's code.
        next?.admit()
    }
}
