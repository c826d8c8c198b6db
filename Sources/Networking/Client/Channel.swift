internal import DequeModule
internal import Model
internal import Synchronization

/// The way of one service's requests: how many at once, and in which order the others wait (S4.6, S4.7).
///
/// What somebody waits for never stands behind the rest: background calls may use a quarter of the places, resources and background together all
/// but a quarter, and a free place goes to a refresh first (S2.13, S3.14). With a single place only that order is left.
final class Channel: Sendable {
    /// How many requests may be in flight.
    let limit: Int
    /// How many of them may be background.
    private let backgroundLimit: Int
    /// How many may be resources or background.
    private let lesserLimit: Int
    /// How many of its requests may be repeated.
    let retryBudget = RetryBudget()
    private let state = Mutex(State())

    private struct Waiter {
        let call: RequestID
        /// Whether it keeps its place in the order, but does not want to go (S2.26).
        let isHeld: @Sendable () -> Bool
        let admit: @Sendable () -> Void
    }

    private struct State {
        var inFlight = 0
        /// How many in flight are resources or background.
        var lesser = 0
        /// How many in flight are background.
        var background = 0
        /// Those who wait: three queues by priority for each class of traffic, the first to go last.
        var waiting: [Deque<Waiter>] = Array(repeating: [], count: 9)

        mutating func take(_ traffic: Traffic) {
            inFlight += 1
            if traffic != .refresh { lesser += 1 }
            if traffic == .background { background += 1 }
        }

        mutating func giveBack(_ traffic: Traffic) {
            inFlight -= 1
            if traffic != .refresh { lesser -= 1 }
            if traffic == .background { background -= 1 }
        }
    }

    /// The limit where nothing says another.
    static let defaultLimit = 64

    init(limit: Int) {
        self.limit = max(1, limit)
        backgroundLimit = max(1, limit / 4)
        lesserLimit = max(1, limit - max(1, limit / 4))
    }

    private func hasPlace(for traffic: Traffic, _ state: State) -> Bool {
        guard state.inFlight < limit else { return false }
        return switch traffic {
        case .refresh: true
        case .resource: state.lesser < lesserLimit
        case .background: state.background < backgroundLimit && state.lesser < lesserLimit
        }
    }

    /// Whether a request may go at once; it then counts as in flight.
    func tryAdmit(_ traffic: Traffic) -> Bool {
        state.withLock { state in
            guard hasPlace(for: traffic, state) else { return false }
            state.take(traffic)
            return true
        }
    }

    /// How things stand for calls of a class, in words.
    func situation(for traffic: Traffic) -> String {
        state.withLock { state in
            let waiting = state.waiting.reduce(0) { $0 + $1.count }
            if state.inFlight >= limit { return "\(state.inFlight) of \(limit) requests of the channel are in flight, \(waiting) wait" }
            let (who, most, now) =
                traffic == .background && state.background >= backgroundLimit
                ? ("background calls", backgroundLimit, state.background)
                : ("resource and background calls together", lesserLimit, state.lesser)
            return now >= most
                ? "\(who) may use \(most) of the \(limit) places of the channel, all taken; the rest is for those that somebody waits for; "
                    + "\(waiting) wait"
                : "\(waiting) wait"
        }
    }

    /// Calls `admit` when it is `call`'s turn: refresh before resource before background, in each the higher priorities first, first come first served
    /// among equals.
    ///
    /// - Parameter isHeld: whether the call does not want to go now; ``revisit()`` tells that it does again.
    func wait(
        _ call: RequestID, _ options: RequestOptions, isHeld: @escaping @Sendable () -> Bool = { false }, admit: @escaping @Sendable () -> Void
    ) {
        let mayGo = state.withLock { state in
            // Somebody may have left since the caller looked.
            guard !isHeld(), hasPlace(for: options.traffic, state) else {
                let queue = options.traffic.rank * 3 + options.priority.rawValue
                state.waiting[queue].append(Waiter(call: call, isHeld: isHeld, admit: admit))
                return false
            }
            state.take(options.traffic)
            return true
        }
        if mayGo { admit() }
    }

    /// A call gives up: it waits no longer, or gives back the place that it was given in the same moment.
    func leave(_ call: RequestID, _ traffic: Traffic) {
        let wasWaiting = state.withLock { state in
            for index in state.waiting.indices {
                guard let place = state.waiting[index].firstIndex(where: { $0.call == call }) else { continue }
                state.waiting[index].remove(at: place)
                return true
            }
            return false
        }
        if !wasWaiting { release(traffic) }
    }

    /// Ends one request in flight and admits the next.
    func release(_ traffic: Traffic) {
        admitNext { $0.giveBack(traffic) }
    }

    /// Admits a waiter that may go by now.
    func revisit() {
        admitNext { _ in }
    }

    private func admitNext(_ change: (inout State) -> Void) {
        let next = state.withLock { state -> Waiter? in
            change(&state)
            for traffic in Traffic.byRank.reversed() where hasPlace(for: traffic, state) {
                for queue in (traffic.rank * 3..<traffic.rank * 3 + 3).reversed() {
                    guard let index = state.waiting[queue].firstIndex(where: { !$0.isHeld() }) else { continue }
                    state.take(traffic)
                    return state.waiting[queue].remove(at: index)
                }
            }
            return nil
        }
        // The place passes on; called outside the lock, because it runs somebody else's code.
        next?.admit()
    }
}

extension Traffic {
    /// The classes, the one that is admitted last first.
    fileprivate static let byRank: [Traffic] = [.background, .resource, .refresh]

    fileprivate var rank: Int {
        switch self {
        case .background: 0
        case .resource: 1
        case .refresh: 2
        }
    }
}
