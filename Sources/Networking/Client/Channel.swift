internal import DequeModule
internal import Model

/// The way of one service's requests: how many at once, and in which order the others wait (S4.6, S4.7).
@Engine
final class Channel {
    /// How many requests may be in flight.
    let limit: Int
    private(set) var inFlight = 0
    private var waiting: [Deque<Waiter>] = [[], [], []]

    private struct Waiter {
        let call: RequestID
        let admit: () -> Void
    }

    /// The limit where nothing says another.
    nonisolated static let defaultLimit = 64

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Whether a request may go at once; it then counts as in flight.
    func tryAdmit() -> Bool {
        guard inFlight < limit else { return false }
        inFlight += 1
        return true
    }

    /// How many wait.
    var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }

    /// Calls `admit` when it is `call`'s turn: higher priorities first, first come first served among equals.
    func wait(_ call: RequestID, priority: RequestOptions.Priority, admit: @escaping () -> Void) {
        waiting[priority.rawValue].append(Waiter(call: call, admit: admit))
    }

    /// Forgets a call that waits no longer.
    func leave(_ call: RequestID) {
        for index in waiting.indices { waiting[index].removeAll { $0.call == call } }
    }

    /// Ends one request in flight and admits the next.
    func release() {
        inFlight -= 1
        guard inFlight < limit else { return }
        for index in waiting.indices.reversed() {
            guard let next = waiting[index].popFirst() else { continue }
            inFlight += 1
            next.admit()
            return
        }
    }
}
